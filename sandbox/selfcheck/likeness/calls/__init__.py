"""What a project's tests ask of the machine, as a matter of course. Runs INSIDE, and outside beside it.

Each module is sent in as text with that of ``answers``, and has a table ``CALLS``: a name, how its answer is
compared, and the call. Standard library only, CPython 3.7 and newer.
"""
