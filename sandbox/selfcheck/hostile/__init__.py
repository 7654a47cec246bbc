"""Attacks that run INSIDE the sandbox: standard library only, CPython 3.7 and newer.

Each function takes JSON values and returns a report: what it tried, and what breaches it made.
``sandbox.selfcheck.model`` sends a module's source through the command line of the sandbox's interpreter.

None of them does harm where it succeeds, on purpose: a file that could be opened is not written, a signal
goes to the supervisor alone, and a bomb stops a little above the limit that should have stopped it.
"""
