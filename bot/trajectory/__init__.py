"""What happened in a run, kept as lines of JSON: written, found again, read, shown.

``docs/trajectory.md`` describes the form. Nothing here decides anything about a repair.
"""

FORMAT_VERSION = 1
