"""Text in, typed values out: what a source says about the options, validated by pydantic.

Everything that is wrong is found at once; each problem is one line that names its place.
"""

import difflib
import functools
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    create_model,
)

from bot.config.build_variables import read_variables
from bot.config.options.option import BOTS, Option, Value
from bot.config.options.quantities import seconds, size_bytes
from bot.config.options.table import BY_NAME, OPTIONS
from bot.errors import quoted
from sandbox.base import MIB


def read(texts: Mapping[str, str], place: Callable[[str], str]) -> tuple[dict[str, Value], list[str]]:
    """The values of the options that ``texts`` names, and what is wrong with the rest, a line each.

    ``place`` says where an option's text stands, to begin the line with.
    """
    try:
        return _model().model_validate(texts).model_dump(exclude_unset=True, by_alias=True), []
    except ValidationError as error:
        wrong = {str(detail["loc"][0]) for detail in error.errors()}
    right = {name: text for name, text in texts.items() if name not in wrong}
    values = _model().model_validate(right).model_dump(exclude_unset=True, by_alias=True)
    return values, [f"{place(name)}: {_problem(name, texts[name])}" for name in texts if name in wrong]


def unknown(name: str) -> str:
    """What to say of an option that does not exist: the one that was probably meant."""
    near = difflib.get_close_matches(name.lower().replace("_", "-"), BY_NAME, n=1, cutoff=0.5)
    meant = f"did you mean {near[0]}?" if near else "'regreen config' lists all"
    return f"there is no option {quoted(name)}; {meant}"


def _problem(name: str, text: str) -> str:
    option = BY_NAME.get(name)
    if option is None:
        return unknown(name)
    value = "the value" if option.secret else quoted(text)
    return f"{value} is not {option.expected}"


@functools.cache
def _model() -> type[BaseModel]:
    """The options as a pydantic model, each under its own name as alias."""
    fields: dict[str, Any] = {
        option.field: (_type(option), Field(default=None, alias=option.name)) for option in OPTIONS
    }
    return create_model("Values", __config__=ConfigDict(extra="forbid"), **fields)


def _type(option: Option) -> Any:  # noqa: ANN401 - a type made at run time
    bounds = Field(ge=option.minimum, le=option.maximum)
    finite = Field(allow_inf_nan=False)
    return {
        "text": Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")],
        "names": Annotated[str, StringConstraints(pattern=_listed(option.choices))],
        "variables": Annotated[str, AfterValidator(_variables)],
        "bots": Annotated[str, StringConstraints(pattern=BOTS)],
        "choice": Literal[option.choices],
        "count": Annotated[int, bounds],
        "number": Annotated[float, bounds, finite],
        "duration": Annotated[float, bounds, BeforeValidator(seconds)],
        "mebibytes": Annotated[int, bounds, BeforeValidator(_mebibytes)],
        "bytes": Annotated[int, bounds, BeforeValidator(functools.partial(size_bytes, plain=1))],
    }[option.kind]


def _listed(choices: tuple[str, ...]) -> str:
    """The pattern of a list of ``choices``, separated by commas."""
    name = f"(?:{'|'.join(map(re.escape, choices))})"
    return rf"^\s*{name}(\s*,\s*{name})*\s*$"


def _variables(text: str) -> str:
    read_variables(text)
    return text


def _mebibytes(text: str) -> int:
    size, rest = divmod(size_bytes(text, plain=MIB), MIB)
    if rest:
        raise ValueError("not a whole number of MiB")
    return size
