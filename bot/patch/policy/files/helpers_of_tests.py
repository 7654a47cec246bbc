"""Files outside of the tests' directories that only tests use: changing one may change what they check."""

import posixpath
import re
from collections.abc import Mapping

from bot.patch.policy.files.protected import is_plain_source
from bot.patch.policy.finding import Witnessed
from bot.patch.policy.names.dotted_names import imported_modules
from bot.patch.policy.names.modules import test_framework
from bot.patch.syntax import parsed, parsed_once

_NAME = re.compile(
    r"(?:.*_)?(?:tests?|testing|testutils?|testkit|helpers?|fixtures?|factor(?:y|ies)|fakes?|stubs?|mocks?"
    r"|doubles?|dumm(?:y|ies)|asserts?|assertions?|matchers?|harness)(?:_.*)?"
)


def helper(path: str, sources: Mapping[str, str]) -> Witnessed:
    """Whether the file at ``path`` in the project's ``sources`` is most likely a helper of its tests.

    By its name or its imports, and by who imports it: what another source uses is a part of the project.
    """
    tree, stem = parsed_once(sources[path]), posixpath.splitext(path)[0]
    if tree is None or not (
        any(_NAME.fullmatch(part.casefold()) for part in stem.split("/"))
        or any(not level and test_framework(module) for module, _, level in imported_modules(tree))
    ):
        return Witnessed()
    module = stem.removesuffix("/__init__").rpartition("/")[2]
    for known in sorted(sources):
        if known != path and is_plain_source(known) and _imports(module, sources[known]):
            return Witnessed(witnesses=(known,))
    return Witnessed((f"{path} may be a helper of the tests: no other source imports it",))


def _imports(module: str, text: str) -> bool:
    tree = parsed(text) if module in text else None
    imported = imported_modules(tree) if tree else ()
    return any(module in {*name.split("."), alias} for name, alias, _ in imported)
