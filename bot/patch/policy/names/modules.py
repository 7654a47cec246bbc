"""What the policy knows of modules: which only compute, which members of others do, which are dangerous.

Data, and the questions that are asked of it. A module that is in no table is unknown: a person decides.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from bot.patch.policy.dangers import TABLES, words

_MODULES = TABLES["modules"]

PURE_MODULES = words(_MODULES["pure_modules"])
"""They compute, and reach neither other processes nor the network; a new import of one is allowed."""

_IN_PURE = words(_MODULES["in_pure"])
"""Members of pure modules that take code or names as strings, or that change what others do."""

SAFE_MEMBERS = {name: words(text) for name, text in TABLES["safe_members"].items()}
"""Modules of which only these members are free; their plain import is, too."""

DANGEROUS_MODULES = words(_MODULES["dangerous_modules"])
"""They start commands, reach the network, run what a string holds, or reach into the interpreter."""

TEST_FRAMEWORKS = words("pytest _pytest unittest nose doctest hypothesis pluggy xdist mock")

# Words that are names of modules and of much else: seen as modules only where they are imported as such.
_PLAIN_WORDS = words(_MODULES["plain_words"])
_CONSTANT = re.compile(
    r"SIG[A-Z0-9_]+|subprocess\.(PIPE|STDOUT|DEVNULL|CompletedProcess|TimeoutExpired)"
    r"|socket\.((AF|SOCK|SO|SOL|IPPROTO|SHUT|TCP|INADDR)_\w+|timeout|error|gaierror|herror)"
    r"|pickle\.(HIGHEST|DEFAULT)_PROTOCOL|(\w+\.)+[A-Z]\w*(Error|Exception|Warning)"
)


@cache
def is_dangerous_module(name: str) -> bool:
    """Whether ``name``, or a module that it is a part of, is among the dangerous ones."""
    if is_pure(name):
        return False
    parts = name.split(".")
    if any(".".join(parts[:size]) in DANGEROUS_MODULES for size in range(1, len(parts) + 1)):
        return True
    # Private parts of the standard library do what the public ones are forbidden to do.
    return parts[0].startswith("_") and parts[0] in sys.stdlib_module_names and parts[0] != "__future__"


def is_pure(name: str) -> bool:
    """Whether the dotted ``name`` is a pure module, or a member of one that only computes."""
    parts = name.split(".")
    known = next((size for size in range(1, len(parts) + 1) if ".".join(parts[:size]) in PURE_MODULES), 0)
    if not known or ".".join(parts[: known + 1]) in _IN_PURE:
        return False
    # What a pure module itself has imported, as in re.enum.sys, is not its own.
    through = any(is_module_word(part) or part in SAFE_MEMBERS for part in parts[known:])
    return not through and not any(one[0] == "_" for one in parts[known : known + 1])


def dangerous_within(parts: Sequence[str]) -> str:
    """The dangerous module among ``parts``, as in ``utils.http.client``; empty where there is none."""
    pairs = (".".join(pair) for pair in pairwise(parts))
    found = [*(one for one in parts if one not in _PLAIN_WORDS), *pairs]
    return next((one for one in found if one in DANGEROUS_MODULES), "")


def is_module_word(part: str) -> bool:
    """Whether an attribute of a module that is called ``part`` is most likely another module, not pure."""
    # enum imports builtins by this name.
    listed = part in sys.stdlib_module_names or part in DANGEROUS_MODULES or part == "bltns"
    return listed and part not in PURE_MODULES and part not in _PLAIN_WORDS


def is_safe_member(name: str) -> bool:
    """Whether ``name`` is a guarded module or begins with one of its free members."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        members = SAFE_MEMBERS.get(".".join(parts[:size]))
        if members is None:
            continue
        rest = parts[size:]
        if not rest or (size == 1 and parts[0] == "signal" and _CONSTANT.fullmatch(rest[0])):
            return True
        return rest[0] in members and not any(map(is_module_word, rest[1:]))
    return False


def is_constant_member(name: str) -> bool:
    """Whether ``name`` is a constant or an exception of a module, as ``subprocess.PIPE`` is."""
    return _CONSTANT.fullmatch(name) is not None


def is_module(name: str) -> bool:
    """Whether the dotted ``name`` is a module of the standard library, as far as is known here."""
    if not name.rpartition(".")[2][:1].islower():
        return False
    return name in sys.stdlib_module_names or name in PURE_MODULES or name in SAFE_MEMBERS


def is_standard(name: str) -> bool:
    """Whether ``name`` belongs to the standard library."""
    return name.partition(".")[0] in sys.stdlib_module_names


def test_framework(name: str) -> str | None:
    """The test framework that ``name`` belongs to, if it does."""
    root = name.partition(".")[0]
    return root if root in TEST_FRAMEWORKS else None
