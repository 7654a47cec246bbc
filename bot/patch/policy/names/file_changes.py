"""Which references open or change files in a way that a person has to see."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bot.patch.policy.dangers import FILE_CHANGES, MOVES, words
from bot.patch.policy.names.dotted_names import Reference, Use
from bot.patch.syntax import last_name

OPENING = words("builtins.open io.open codecs.open io.FileIO io.open_code os.fdopen")
"""Functions whose every use counts that does not only read."""

_OPENERS = words("zipfile.ZipFile zipfile.PyZipFile tarfile.TarFile gzip.GzipFile bz2.BZ2File lzma.LZMAFile")
"""Classes that open a file with a mode, as ``open`` does."""

_MAKERS = words("""
    logging.FileHandler mailbox.Maildir mailbox.mbox mailbox.MH mailbox.Babyl mailbox.MMDF sqlite3.connect
    fileinput.input fileinput.FileInput zipapp.create_archive readline.write_history_file
    readline.append_history_file
""")
"""They change the files whose names they are given; a second use is as new as the first."""

# Names that say enough, whatever module hands them on.
_KNOWN = {
    one.rpartition(".")[2]: one for one in OPENING | _OPENERS | _MAKERS if one.rpartition(".")[2][0].isupper()
}
# The place of the argument that names the directory.
_TEMPORARY = {
    "mkdtemp": 2,
    "TemporaryDirectory": 2,
    "NamedTemporaryFile": 6,
    "TemporaryFile": 6,
    "SpooledTemporaryFile": 7,
}
_XML_OPTIONS = words(
    "file_or_filename encoding xml_declaration default_namespace method short_empty_elements pretty_print"
)
_WRITING = re.compile(r"[rwaxbt+]*[wax+][rwaxbt+]*([:|]\w*)?")
_DATABASE = re.compile(r"[wcn][fsu]*")
_READING = re.compile(r"(r|U)?[bt]?(r|U)?[bt]?([:|](\w*))?")
_OPENER = 8  # the place of the argument opener, which is called
_TEXT_TYPES = words("str bytes bytearray datetime date time")
_UNSEEN = words("encoding errors newline mode exist_ok missing_ok ignore_errors")


def opens(name: str, reference: Reference) -> bool:
    """Whether it opens a file, or a directory, in a way that may write."""
    head, _, last = name.rpartition(".")
    call = reference.call
    short = f"{head.rpartition('.')[2]}.{last}"
    if reference.is_imported and call is not None:
        name = _KNOWN.get(last, short if short in OPENING | _MAKERS else name)
    if name in OPENING or name in _OPENERS:
        return (name in OPENING or call is not None) and not _only_reads(call)
    if name in _MAKERS:
        return call is not None
    if last in _TEMPORARY and call is not None:
        return _is_placed(call, _TEMPORARY[last])
    if "." not in name or last != "open":
        return False
    if call is None:  # it may be called with any mode
        return reference.use is Use.READ and head not in {"self", "cls"}
    return _writes(call, of_path=not reference.is_imported, database=head.partition(".")[0] == "dbm")


def changed_files(parts: list[str], reference: Reference, *, in_xml: bool) -> Iterator[str]:
    """The methods at the end of the dotted ``parts`` that change files.

    ``in_xml`` says that the module works with trees of XML, whose ``write`` takes a file's name.
    """
    last, call = f".{parts[-1]}", reference.call
    if len(parts) < 2 or reference.use is Use.STORED:
        return
    moves = last in MOVES and _moves(parts, reference)
    copies = last in {".copy", ".move"} and (_is_path(parts[-2]) or (call is not None and _of_path(call)))
    if last in FILE_CHANGES or moves or copies or (last == ".write" and (in_xml or _is_xml(call))):
        yield parts[-1]
    elif last == ".__init__" and call and _is_object(parts[-2]):  # it is there already, and is made anew
        yield f"{parts[-2]}.{parts[-1]}"


def arguments(call: ast.Call) -> str:
    """What a call is given, but for what does not decide which file it changes."""
    positional = call.args[: 1 if last_name(call.func) == "open" else None]
    named = [keyword.value for keyword in call.keywords if keyword.arg not in _UNSEEN]
    return ast.dump(ast.Tuple(elts=[*positional, *named], ctx=ast.Load()))


def is_xml(name: str) -> bool:
    """Whether ``name`` belongs to a library for trees of XML."""
    return name.startswith(("xml.etree", "lxml.", "defusedxml.")) or name == "lxml"


def _moves(parts: list[str], reference: Reference) -> bool:
    """Whether a method is given what a path's ``rename`` or ``replace`` takes, and a text's does not."""
    call = reference.call
    if call is None:
        known = reference.is_imported and not _is_path(parts[-2])
        own = len(parts) == 2 and parts[0] in {"self", "cls"}
        return reference.use is Use.READ and not known and not own and parts[-2] not in _TEXT_TYPES
    named = [keyword.arg for keyword in call.keywords]
    unbound = len(call.args) == 2 and _is_path(parts[-2])
    return unbound or named == ["target"] or (len(call.args) == 1 and not named)


def _is_object(part: str) -> bool:
    return part not in {"", "super", "self"} and not part.lstrip("_")[:1].isupper()


def _is_path(part: str) -> bool:
    return part.endswith("Path")


def _of_path(call: ast.Call) -> bool:
    """Whether the method is called of a path that is made in the same place."""
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(value, ast.Call) and _is_path(last_name(value.func))


def _is_xml(call: ast.Call | None) -> bool:
    return call is not None and any(keyword.arg in _XML_OPTIONS for keyword in call.keywords)


def _is_placed(call: ast.Call, place: int) -> bool:
    """Whether the caller of ``tempfile`` chooses where the file lies, or that it stays."""
    if len(call.args) > place or any(isinstance(one, ast.Starred) for one in call.args):
        return True
    named = (keyword.value for keyword in call.keywords if keyword.arg in {"prefix", "suffix"})
    # A prefix may hold a whole path.
    return bool({"dir", "delete", None} & {keyword.arg for keyword in call.keywords}) or any(
        not isinstance(one, ast.Constant) or (isinstance(one.value, str) and {"/", "\\"} & set(one.value))
        for one in (*call.args, *named)
    )


def _writes(call: ast.Call, *, of_path: bool, database: bool) -> bool:
    """Whether a method called ``open`` is given a mode that writes."""
    named = [keyword.value for keyword in call.keywords if keyword.arg in {"mode", "flag"}]
    if any(keyword.arg is None for keyword in call.keywords) or not all(
        isinstance(one, ast.Constant) for one in named
    ):
        return True
    given = (*call.args[:2], *named)
    # The mode may be held in a variable; of a path, it is the first argument.
    if any(isinstance(one, ast.Starred) for one in given):
        return True
    if any(not isinstance(one, ast.Constant) for one in call.args[0 if of_path else 1 : 2]):
        return True
    texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return any(_WRITING.fullmatch(one) or (database and _DATABASE.fullmatch(one)) for one in texts)


def _only_reads(call: ast.Call | None) -> bool:
    """Whether a call of ``open``, or of a class like it, can do nothing but read."""
    if call is None or len(call.args) >= _OPENER or any(isinstance(one, ast.Starred) for one in call.args):
        return False
    if any(keyword.arg in {None, "opener"} for keyword in call.keywords):
        return False
    modes = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return all(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and _READING.fullmatch(mode.value)
        for mode in modes
    )
