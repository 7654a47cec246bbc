"""Is the sandbox like the machine that it stands for: the same calls, inside and outside.

``calls`` are what tests ask of a machine; ``compare`` makes them, judges, and knows what differs and why.
No attack is among them: that is ``sandbox.selfcheck.hostile``.
"""
