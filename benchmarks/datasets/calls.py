"""What a function gives on inputs, called in a sandbox; and whether two such values are the same.

The expected values never enter the sandbox. What comes out of it is plain data, rebuilt without running
anything, and compared here.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import inside
from sandbox.base import MIB, Sandbox

RELATIVE_TOLERANCE, FLOAT_TOLERANCE = 1e-7, 1e-6
OUTPUT_LIMIT_BYTES = 64 * MIB
PROGRAM = Path(inside.__file__).with_name("calls.py").read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one call gave: ``value`` as it was sent out, or the name of the exception that it ``raised``."""

    value: Any = None
    raised: str = ""
    seconds: float = 0.0


class Opaque:
    """A value that is no plain data; equal to nothing, itself included."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return False


def called(  # noqa: PLR0913 - the parts of a call
    sandbox: Sandbox,
    python: str,
    module: str,
    function: str,
    calls: Sequence[tuple[Sequence[Any], float]],
    *,
    limit_s: float,
) -> list[Answer]:
    """The answers of ``function`` of the text ``module`` to ``calls``: arguments, and processor seconds.

    Fewer answers than calls if the module does not load, ends the process, or uses up ``limit_s`` by the
    clock. The sandbox should take ``OUTPUT_LIMIT_BYTES`` of output.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    order = {"module": "solution.py", "function": function, "calls": calls}
    done = sandbox.exec(
        [python, "calls.py"],
        timeout_s=limit_s,
        changes={
            "calls.py": PROGRAM,
            "order.json": json.dumps(order).encode(),
            "solution.py": module.encode("utf-8", "surrogateescape"),
        },
    )
    return list(_answers(done.stdout[: done.stdout.rfind(b"\n") + 1]))


def _answers(output: bytes) -> Iterator[Answer]:
    for line in output.splitlines():
        try:
            plain = json.loads(line)
            yield Answer(
                value=plain.get("value"), raised=str(plain.get("raised", "")), seconds=float(plain["seconds"])
            )
        except (ValueError, KeyError, TypeError, AttributeError):  # it is untrusted text, after all
            return


def decoded(value: Any) -> Any:  # noqa: ANN401 - whatever a function returns
    """The value that ``inside.calls.encode`` was given; ``Opaque`` for what cannot be rebuilt."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    try:
        ((kind, content),) = value.items()
        return _REBUILD[kind](content)
    except (ValueError, KeyError, TypeError):
        return Opaque()


_REBUILD: Mapping[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "tuple": lambda items: tuple(decoded(items)),
    "set": lambda items: set(decoded(items)),
    "frozenset": lambda items: frozenset(decoded(items)),
    "dict": lambda pairs: {decoded(key): decoded(item) for key, item in pairs},
    "complex": lambda parts: complex(*parts),
}


def same(actual: Any, expected: Any, *, tolerance: float) -> bool:  # noqa: ANN401
    """Whether EvalPlus (Liu et al., NeurIPS 2023) would take ``actual`` for ``expected``.

    Equal; or where a tolerance is given or the expected value is all floats, of the same type and length
    and element by element within the tolerance.
    """
    if actual == expected:
        return True
    tolerance = tolerance or (FLOAT_TOLERANCE if _is_floats(expected) else 0.0)
    return bool(tolerance) and type(actual) is type(expected) and _close(actual, expected, tolerance)


def _is_floats(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _close(actual: object, expected: object, tolerance: float) -> bool:
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        pairs = zip(actual, expected, strict=True) if len(actual) == len(expected) else [(None, 0)]
        return all(_close(one, other, tolerance) for one, other in pairs)
    if not isinstance(actual, int | float) or not isinstance(expected, int | float):
        return False
    if max(abs(actual), abs(expected)) > sys.float_info.max:  # infinite, or an integer beyond all floats
        return actual == expected
    return actual == expected or abs(actual - expected) <= tolerance + RELATIVE_TOLERANCE * abs(expected)
