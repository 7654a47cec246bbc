"""The policy gate: what a patch may do to a project, and what a person has to see of it.

``gate.judge`` reads a patch: its paths (``files``), what is new in its Python code (``content``, which asks
the rules of ``names``, ``classes``, ``objects`` and ``cheating``), and its size. docs/policy.md says what it
promises.
"""
