"""What is known to be otherwise inside, and why; docs/sandbox_tables.py writes it down."""

from sandbox.providers import KINDS
from sandbox.providers.kind import LikenessDifference, known

_EVERYWHERE = known(
    "each process may take no more than --sandbox-memory", "memory without a limit", sometimes=False
)
_ISOLATED = {
    **known("to the machine, the code inside is nobody: its number is 65534", "os.getuid()", sometimes=False),
    **known(
        "the code inside is never root, and this machine's Regreen was started by root",
        *("a port below 1024", "a file without rights"),
    ),
    **known(
        "the sandbox has addresses of IPv6, this machine may have none",
        "socket.getaddrinfo with AI_ADDRCONFIG, IPv6",
    ),
    **known(
        "a machine's own certificates can name it, and nobody is there to be called",
        "ssl: the machine's certificates",
    ),
    **known(
        "refused: a candidate would leave extended attributes to the next one", "os.setxattr", sometimes=False
    ),
    **known("where somebody is logged in, the machine says who; inside nobody is, as in CI", "os.getlogin()"),
}


def differences_of(provider: str) -> dict[str, LikenessDifference]:
    """The differences that ``provider`` is known to have, by the call's name."""
    kind = KINDS[provider]
    return {**(_ISOLATED if kind.isolated else {}), **_EVERYWHERE, **kind.traits.differences}
