"""Which project file a model means by the path that it wrote.

It only resolves names; whether a file may be touched is the policy gate's decision.
"""

import re

from bot.patch.text import Sources

_DECORATION = " \t\r*`#:\"'([<>])"
# A path stands at the beginning of a line; looking for each word in all files takes its time.
_MAX_OF_A_LINE = 2_000
_PATH_CANDIDATE = re.compile(r"[^\s`*\"'():<>\[\],]+")


def plain_path(path: str) -> str:
    """``path`` without a leading ``./``; otherwise untouched, so that the gate sees what was asked for."""
    plain = path.strip()
    while plain.startswith("./"):
        plain = plain[2:]
    return plain or path


def existing_path(path: str, sources: Sources) -> str | None:
    """The file of ``sources`` that ``path`` names: exactly, or as an absolute path that ends in just one."""
    if path in sources:
        return path
    plain = plain_path(path)
    if plain in sources:
        return plain
    return _longest_end("/" + plain.lstrip("/"), sources) if plain.startswith("/") else None


def meant_path(path: str, sources: Sources) -> str | None:
    """The file of ``sources`` that ``path`` most likely means, if that is just one.

    Beyond :func:`existing_path`: with directories before it that the project does not have, without those
    that it has (``total.py`` for ``cart/total.py``), with a diff's prefix, with backslashes, as a module's
    name.
    """
    if (known := existing_path(path, sources)) is not None:
        return known
    plain = plain_path(path.strip(_DECORATION).replace("\\", "/")).lstrip("/")
    if not plain or ".." in plain.split("/"):
        return None
    if not plain.endswith(".py"):
        if re.search(r"\.\w+\Z", plain) and "/" in plain:
            return None  # another kind of file
        plain = plain.replace(".", "/") + ".py"
    for name in (plain, plain.partition("/")[2] if plain.startswith(("a/", "b/")) else plain):
        if name in sources:
            return name
        ends = [known for known in sources if known.endswith("/" + name)]
        if ends:
            return ends[0] if len(ends) == 1 else None
    if (known := _longest_end("/" + plain, sources)) is not None:
        return known
    # in a directory that the project does not have
    named = plain.rpartition("/")[2]
    alike = [known for known in sources if known.rpartition("/")[2] == named] if "/" in plain else []
    return alike[0] if len(alike) == 1 else None


def _longest_end(path: str, sources: Sources) -> str | None:
    # the longest suffix is the most specific; a shorter one is its tail
    return max((known for known in sources if path.endswith("/" + known)), key=len, default=None)


def diff_path(name: str, sources: Sources, prefix: str) -> str:
    """The path behind a diff header's ``name``, which may carry ``prefix`` (``a/`` or ``b/``)."""
    bare = name.removeprefix(prefix)
    for candidate in (bare, name):
        if (known := existing_path(candidate, sources)) is not None:
            return known
    return meant_path(bare, sources) or plain_path(bare)


def path_in_line(line: str, sources: Sources) -> str | None:
    """The file of ``sources`` that a line of prose, a heading or a comment names, if it names just one."""
    whole = line.strip(_DECORATION)
    if (known := existing_path(whole, sources)) is not None:
        return known
    words = [word.rstrip(".,;") for word in _PATH_CANDIDATE.findall(line[:_MAX_OF_A_LINE])]
    for meaning in (existing_path, meant_path):
        # a module's name alone is too likely to be an ordinary word
        named = {meaning(word, sources) for word in words if word.endswith(".py")} - {None}
        if named:
            return named.pop() if len(named) == 1 else None
    return None


def new_path_in_line(line: str) -> str | None:
    """The Python file that a line consists of, decoration and a ``File:`` label apart."""
    whole = re.sub(
        r"^(?:new )?(?:file|path|filename)\s*:\s*", "", line.strip(_DECORATION), flags=re.IGNORECASE
    )
    whole = whole.strip(_DECORATION)
    return plain_path(whole) if re.fullmatch(r"[\w./-]+\.py", whole) else None
