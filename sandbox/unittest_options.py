"""Reads the options of ``python -m unittest``, as unittest itself does."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

PATTERN = "test*.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnittestOptions:
    """The options that decide which tests run.

    ``names`` are files, or dotted names of modules, classes and methods; without any, tests are discovered:
    files that match ``pattern`` in ``start`` and its packages, imported from ``top`` (``start`` when empty).
    ``name_patterns`` are those of ``-k``, with their wildcards.
    """

    names: tuple[str, ...] = ()
    start: str = "."
    pattern: str = PATTERN
    top: str = ""
    name_patterns: tuple[str, ...] = ()


class _Refused(Exception):
    """unittest would not take these arguments either."""


class _Parser(argparse.ArgumentParser):
    """Never prints, never exits."""

    def error(self, message: str) -> NoReturn:
        raise _Refused(message)


def read_options(arguments: Sequence[str]) -> UnittestOptions | None:
    """The options in ``arguments``; None where unittest would print its help or refuse them."""
    discovers = bool(arguments) and arguments[0].lower() == "discover"
    try:
        parsed = _parser(discovers=discovers).parse_args(arguments[1:] if discovers else arguments)
    except _Refused:
        return None
    patterns = tuple(text if "*" in text else f"*{text}*" for text in parsed.name_patterns or ())
    if not discovers:
        return UnittestOptions(names=tuple(parsed.names), name_patterns=patterns)
    return UnittestOptions(
        start=parsed.start_option or parsed.start or ".",
        pattern=parsed.pattern_option or parsed.pattern or PATTERN,
        top=parsed.top_option or parsed.top or "",
        name_patterns=patterns,
    )


def _parser(*, discovers: bool) -> _Parser:
    parser = _Parser(add_help=False)
    # How much is printed and when to stop is the runner's business.
    for names in (("-v", "--verbose"), ("-q", "--quiet"), ("-f", "--failfast"), ("-c", "--catch")):
        parser.add_argument(*names, action="store_true")
    parser.add_argument("-b", "--buffer", action="store_true")
    parser.add_argument("--locals", action="store_true")
    parser.add_argument("--durations", type=int)
    parser.add_argument("-k", dest="name_patterns", action="append")
    if discovers:
        for letter, name in (("s", "start-directory"), ("p", "pattern"), ("t", "top-level-directory")):
            parser.add_argument(f"-{letter}", f"--{name}", dest=f"{name.split('-')[0]}_option")
        for name in ("start", "pattern", "top"):
            parser.add_argument(name, nargs="?")
    else:
        parser.add_argument("names", nargs="*")
    return parser
