"""The table of all checks, in the order in which they run and are shown."""

from sandbox.selfcheck import crossing, inside, outside
from sandbox.selfcheck.model import Check

# The bombs come last: what they leave behind cannot spoil another check.
CHECKS: tuple[Check, ...] = (*outside.CHECKS, *crossing.CHECKS, *inside.PRIVILEGES, *inside.LIMITS)
