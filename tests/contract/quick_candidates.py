"""A project whose every kind of code is changed by a candidate, and what each candidate turns red."""

from sections import sections

FILES = sections("quick.txt")[0].parts
SHOP, TESTS = FILES["shop.py"], FILES["test_shop.py"]
PREFIX = "test_shop.py::"
NAMES = [line.split("def ")[1].split("(")[0] for line in TESTS.splitlines() if "def test_" in line]
ALL = [f"{PREFIX}TestOld::{name}" if name == "test_secret" else f"{PREFIX}{name}" for name in NAMES]


def _candidate(line: str) -> tuple[str, str, list[str] | None]:
    """What is replaced, by what, and which tests fail then; None where the module cannot be imported."""
    change, _, failing = f"{line} ".partition(" ; ")
    old, _, new = change.replace("\\n", "\n").partition(" => ")
    return old, new, None if failing == "nothing can be imported " else failing.split()


CANDIDATES = [_candidate(line) for line in FILES["candidates"].splitlines()]
