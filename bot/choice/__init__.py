"""Choosing among plausible patches, and saying what the choice rests on: docs/choice.md.

Pure: what the versions do is read off a ``ProbeReport``; running them is the testbed's business.
"""
