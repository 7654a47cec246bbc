"""Which of a change's new imports the project knows: its own modules, and what it imports elsewhere."""

import ast
import re

from bot.patch.policy.files.protected import is_plain_source
from bot.patch.policy.finding import Witnessed
from bot.patch.policy.names.dotted_names import imported_modules
from bot.patch.policy.names.modules import is_standard
from bot.patch.syntax import parsed
from bot.patch.text import Sources


def new_imports(path: str, new: str, sources: Sources) -> Witnessed:
    """What the change of the file at ``path`` to ``new`` imports that the project imports nowhere else.

    ``sources`` are the project's files; what its tests or its build import does not count.
    """
    fresh = sorted(_roots(new) - _roots(sources.get(path, "")))
    found = {root: _witness(root, path, sources) for root in fresh}
    unknown = [root for root in fresh if not found[root]]
    reasons = (f"{path}: new import of {root}, which the project imports nowhere" for root in unknown)
    return Witnessed(tuple(reasons), tuple(found.values()))


def _roots(source: str) -> set[str]:
    tree = parsed(source) or ast.Module(body=[], type_ignores=[])
    every = {module.partition(".")[0] for module, _, level in imported_modules(tree) if not level}
    return {root for root in every if root and not is_standard(root)}


def _witness(root: str, path: str, sources: Sources) -> str:
    """A file by which ``root`` is known: a part of it, or one that imports it; empty where there is none."""
    # The file itself first: where it is a part of the package, no other has to be asked.
    for known in sorted(sources, key=lambda known: (known != path, known)):
        parts = known.removesuffix(".py").removesuffix(".pyi").split("/")
        is_part = parts[-1] == root or root in parts[:-1]
        if is_plain_source(known) and (is_part or _imports(root, sources[known])):
            return known
    return ""


def _imports(root: str, source: str) -> bool:
    # Reading a tree takes long, and the name stands in few files.
    said = re.search(rf"^\s*(?:import|from)\b.*\b{re.escape(root)}\b", source, re.MULTILINE)
    return bool(said) and root in _roots(source)
