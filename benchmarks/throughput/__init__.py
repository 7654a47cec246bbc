"""Verdicts a second and core on suites of real libraries, beside mutation testers: ``--help`` says more.

Regreen, mutmut and cosmic-ray judge the same mutants by the same tests, in one run on one processor.
The tools lie in environments of their own; nothing of the product imports them.
"""
