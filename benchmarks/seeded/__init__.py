"""Bugs seeded into real libraries by a mutation tool that knows nothing of the engine, and their repair.

``mutants`` asks the tool, ``make`` keeps what the tests notice, and ``manifest`` names the releases, writes a
manifest, and reads it back as tasks of the harness.
"""
