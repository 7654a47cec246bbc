"""The sandbox attacks itself: every promise with a check, run by the tests and by ``regreen doctor``.

``run_checks`` opens a sandbox of any provider and lets each check attack it from inside. The attacks are
in ``hostile``; what a provider is known not to promise, its kind in ``sandbox.providers`` says.
"""
