"""The sandbox attacks itself: every promise with a check, run by the tests and by ``regreen doctor``.

``run_checks`` opens a sandbox of any provider and lets each check attack it from inside. The attacks are
in ``hostile``; what a provider is known not to promise, its kind in ``sandbox.providers`` says.
"""

from sandbox.selfcheck.builds import BUILD_CHECKS, builds_of
from sandbox.selfcheck.model import AttackResult, Check, CheckResult, CheckVerdict
from sandbox.selfcheck.run import BUILDS, CHECKS, KNOWN_GAPS, MODEST_LIMITS, SelfCheck, run_checks

__all__ = [
    "BUILDS",
    "BUILD_CHECKS",
    "CHECKS",
    "KNOWN_GAPS",
    "MODEST_LIMITS",
    "AttackResult",
    "Check",
    "CheckResult",
    "CheckVerdict",
    "SelfCheck",
    "builds_of",
    "run_checks",
]
