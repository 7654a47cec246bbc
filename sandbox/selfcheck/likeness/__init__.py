"""Is the sandbox like the machine that it stands for: the same calls, inside and outside.

``calls`` are what tests ask of a machine, ``differences`` what is known to differ and why, ``compare`` makes
the calls and judges. No attack is among them: that is ``sandbox.selfcheck.hostile``.
"""

from sandbox.selfcheck.likeness.compare import Likened, Likeness, compare
from sandbox.selfcheck.likeness.differences import differences_of

__all__ = ["Likened", "Likeness", "compare", "differences_of"]
