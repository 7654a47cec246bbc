"""Bugs seeded into real libraries by a mutation tool that knows nothing of the engine, and their repair.

``libraries`` names the releases, ``mutants`` asks the tool, ``make`` keeps what the tests notice and writes
a manifest, ``tasks`` reads that back as tasks of the harness.
"""
