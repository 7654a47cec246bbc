"""How fast verdicts are, side by side with other ways to get them: ``python -m benchmarks.speed --help``.

Every figure is a ratio of times measured in one run on the same candidates and the same machine. The
other ways are written here from their published descriptions; none of their code is used.
"""
