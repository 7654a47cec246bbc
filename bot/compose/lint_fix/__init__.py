"""Fix what a formatter or a linter complains about, by the tool itself: deterministic, opt-in, proved.

The tool runs in the sandbox, in the project's own environment. What it changed is a patch like any other: it
passes the policy, and is delivered only when the check that failed passes in a fresh sandbox and the tests
that passed still pass. Nothing is judged here by the tool's output, only by its exit status.
"""
