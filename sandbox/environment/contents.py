"""What an environment holds, as names that can be compared between machines.

It says whether the tests find the same there. It is no proof: the environment itself may have a say in it.
"""

import hashlib
from functools import cache
from pathlib import Path

from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.errors import SandboxError
from sandbox.providers import KINDS

LISTING = """\
import os, sys
print("Python " + sys.version.split()[0])
for place in sys.path:
    if os.path.isdir(place):
        print("\\n".join(name for name in os.listdir(place) if name.endswith("-info")))
"""
LISTING_S = 60.0
SHOWN = 3


def contents(provider: SandboxProvider, spec: SandboxSpec) -> frozenset[str]:
    """Regreen's code, the engine's image, the interpreter and the installed packages, each with its version.

    Raises:
        SandboxError: there is no such environment here, or the sandbox failed.
    """
    with provider.open(spec) as sandbox:
        listed = sandbox.exec([spec.python, "-I", "-c", LISTING], timeout_s=LISTING_S)
    if listed.exit_status != 0:
        raise SandboxError(f"{spec.python} does not run: {listed.stderr[-200:].decode('utf-8', 'replace')!a}")
    found = listed.stdout.decode("utf-8", "replace").split("\n")
    image = KINDS[provider.name].image(provider, spec)
    return frozenset({f"Regreen's code {_digest()}", image, *found} - {""})


def difference(found: frozenset[str], wanted: frozenset[str]) -> str:
    """What distinguishes the contents ``found`` from those ``wanted``, in words; empty where nothing does."""
    lacking, more = sorted(wanted - found), sorted(found - wanted)
    parts = [
        f"{verb} {', '.join(names[:SHOWN])}{' …' * (len(names) > SHOWN)}"
        for verb, names in (("it lacks", lacking), ("it has", more))
        if names
    ]
    return ", ".join(parts)


@cache
def _digest() -> str:
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]
