"""The structured patch in a reply: bare, fenced or within prose, and with the slips that models make.

What JSON itself forgives is the business of ``lenient_json``. Here the fields are: other names for
them, an edit that is not in a list, a list of edits alone, a missing ``op`` or ``explanation``, numbers as
texts, ``lines`` as one text, fields that nobody asked for. It never guesses a path, a line or a text.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from pydantic import ValidationError

from bot.errors import PatchError
from bot.patch.replies import lenient_json
from bot.patch.replies.fences import fences
from bot.patch.replies.structured import StructuredPatch
from bot.patch.text import MAX_EDITS, one_line

# Each opening brace that is followed up costs a scan of the rest of the reply.
_MAX_SCANS = 4

_OPENING = re.compile(r"[{\[]\s*[\"'{}\]\w]")
_JSON_INFO = re.compile(r"(?:json\w*|javascript|js|python|py)?", re.IGNORECASE)
_FIELDS = {
    "replace": ("start", "end", "lines"),
    "insert": ("after", "lines"),
    "delete": ("start", "end"),
    "substitute": ("find", "replace"),
}
# What models call the fields; the first that is there counts.
_NAMES = {
    "op": ("operation", "type", "action", "kind"),
    "path": ("file", "filename", "file_path", "filepath"),
    "start": ("line", "start_line", "line_number", "lineno", "from"),
    "end": ("end_line", "to"),
    "after": ("after_line", "insert_after"),
    "find": ("search", "old", "old_string", "old_str", "old_text", "old_code", "before", "original"),
    "replace": (
        *("new", "new_string", "new_str", "new_text", "new_code"),
        *("replacement", "replace_with", "with"),
    ),
    "lines": ("content", "code", "text", "new_lines"),
}
_A_FIELD = re.compile(r"edit|change|patch|modif|path|file|find|search|old|lines|code", re.IGNORECASE)
_LISTS = ("edits", "changes", "patches", "patch", "edit", "modifications")
_STRICT = json.JSONDecoder(strict=False)
_CUT_OFF = "the reply is cut off within the JSON: answer shorter, with the changed lines only"


def read_json(reply: str, only: str | None = None) -> StructuredPatch | None:
    """The first structured patch in ``reply``; None when there is no JSON that looks like one.

    ``only`` is the path of an edit that names none, where there is but one file.

    Raises:
        PatchError: there is one, and it does not follow the schema.
    """
    for candidate in _candidates(reply):
        value = _loads(candidate)
        if (shaped := _shaped(value, only)) is None:
            continue
        try:
            return StructuredPatch.model_validate(shaped)
        except (ValidationError, RecursionError) as error:
            raise PatchError(f"the JSON does not follow the schema: {_first_problem(error)}") from error
    return None


def _candidates(reply: str) -> Iterator[str]:
    yield reply.strip()
    for fence in fences(reply)[:_MAX_SCANS]:
        if _JSON_INFO.fullmatch(fence.info.split(" ")[0]):
            yield fence.body.strip()
    for scanned, match in enumerate(_OPENING.finditer(reply)):
        if scanned >= _MAX_SCANS:
            break
        yield reply[match.start() :]


def _loads(text: str) -> object:
    if text[:1] not in {"{", "["} or not _A_FIELD.search(text):
        return None
    with suppress(ValueError, RecursionError):
        return _STRICT.raw_decode(text)[0]
    with suppress(ValueError):
        return lenient_json.loads(text)
    return None


def _shaped(value: object, only: str | None) -> dict[str, object] | None:
    """``value`` in the shape of the schema, or None when it is some other JSON."""
    if isinstance(value, dict) and len(value) == 1 and not any(name in value for name in _LISTS):
        inner = next(iter(value.values()))  # a wrapper such as {"answer": {...}}
        value = inner if isinstance(inner, dict) and any(name in inner for name in _LISTS) else value
    if isinstance(value, dict) and (name := next((n for n in _LISTS if n in value), None)):
        edits = value[name]
        if isinstance(edits, dict):
            edits = [edits]
        if edits is lenient_json.CUT:
            raise PatchError(_CUT_OFF)
        if name != "edits" and not (
            isinstance(edits, list) and all(_looks_like_edit(edit, only) for edit in edits)
        ):
            return None
        explanation = value.get("explanation")
        said = explanation if isinstance(explanation, str) else ""
        return {"explanation": said, "edits": _edits(edits, only) if isinstance(edits, list) else edits}
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list) and value and all(_looks_like_edit(item, only) for item in value):
        return {"explanation": "", "edits": _edits(value, only)}
    return None


def _edits(edits: list[object], only: str | None) -> list[object]:
    if len(edits) > MAX_EDITS:
        raise PatchError(f"{len(edits)} edits are too many, at most {MAX_EDITS} are read")
    found: list[object] = []
    for edit in edits:
        shaped = _edit(edit, only) if isinstance(edit, dict) else edit
        if isinstance(shaped, dict) and any(_is_cut(item) for item in shaped.values()):
            raise PatchError(_CUT_OFF)
        if shaped not in found:  # said twice, meant once
            found.append(shaped)
    return found


def _is_cut(value: object) -> bool:
    return value is lenient_json.CUT or (isinstance(value, list) and lenient_json.CUT in value)


def _edit(edit: dict[str, object], only: str | None) -> dict[str, object]:
    """``edit`` with the names of the schema, an ``op`` that fits its fields, and nothing else."""
    present = {key: item for key, item in edit.items() if item is not None}
    for name, others in _NAMES.items():
        other = next((other for other in others if other in present), None)
        if name not in present and other is not None:
            present[name] = present.pop(other)
    if present.get("op") == "substitute" and "replace" not in present and "lines" in present:
        present["replace"] = present.pop("lines")
    if "find" not in present and "lines" not in present and "start" in present and "replace" in present:
        present["lines"] = present.pop("replace")
    for name in ("find", "replace"):
        value = present.get(name)
        if isinstance(value, list):
            present[name] = "\n".join(map(str, value))
    if isinstance(present.get("lines"), str):
        present["lines"] = [present["lines"]]
    if "start" in present and "end" not in present:
        present["end"] = present["start"]
    if "path" not in present and only is not None:
        present["path"] = only
    op = _op(present)
    fields = {"op", "path", *_FIELDS[op]} if op in _FIELDS else present.keys()
    shaped = {key: item for key, item in present.items() if key in fields}
    return {**shaped, "op": op} if op is not None else shaped


def _op(edit: dict[str, object]) -> object:
    """What the edit does: as it says, where it has the fields for that, else what it has the fields for."""
    said = edit.get("op")
    if isinstance(said, str) and all(field in edit for field in _FIELDS.get(said.lower(), ("no such",))):
        return said.lower()
    order = ("substitute", "replace", "insert", "delete")
    return next((op for op in order if all(field in edit for field in _FIELDS[op])), said)


def _looks_like_edit(value: object, only: str | None) -> bool:
    if not isinstance(value, dict):
        return False
    edit = _edit(value, only)
    return "path" in edit and isinstance(edit.get("op"), str)


def _first_problem(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return one_line(f"{place}: {problem['msg']}")
