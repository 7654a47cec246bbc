"""The hooks of ``.pre-commit-config.yaml`` that can fix what they find, and the versions that they name.

The file is untrusted. A hook that looks at some files only, or not by itself, is left out: its tool would be
run on all.
"""

import re
from collections.abc import Iterator, Mapping

from sandbox.ci.workflows.workflow_file import load_workflow
from sandbox.formats import table, texts

CONFIGURATION = ".pre-commit-config.yaml"
_WORDS = {
    "ruff": ("ruff", "check"),
    "ruff-check": ("ruff", "check"),
    "ruff-format": ("ruff", "format"),
    "black": ("black",),
    "isort": ("isort",),
}
_REPOSITORIES = {"ruff-pre-commit", "black", "black-pre-commit-mirror", "isort", "mirrors-isort"}
_VERSION = re.compile(r"v?(\d[\w.]{0,30})")
_SOME_FILES = {"files", "exclude", "types", "exclude_types", "stages", "entry"}
_OF_ALL = {"files", "exclude", "default_stages"}


def hooks(files: Mapping[str, bytes], only: str = "") -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of each known hook's command, and the requirement for its tool, such as ``black==24.4.2``.

    With ``only``, those of this id.
    """
    configuration = table(load_workflow(files.get(CONFIGURATION, b"")))
    repositories = configuration.get("repos")
    if not isinstance(repositories, list) or configuration.keys() & _OF_ALL:
        return
    for repository in map(table, repositories):
        version = _VERSION.fullmatch(_text(repository, "rev"))
        name = _text(repository, "repo").rstrip("/").removesuffix(".git").rpartition("/")[2]
        if not version or name not in _REPOSITORIES:
            continue
        of_repository = repository.get("hooks")
        for hook in map(table, of_repository if isinstance(of_repository, list) else ()):
            words = _WORDS.get(_text(hook, "id"))
            kinds = texts(hook.get("types_or")) or ("python",)
            if only and _text(hook, "id") != only:
                continue
            if words and "python" in kinds and not hook.keys() & _SOME_FILES:
                yield (*words, *texts(hook.get("args")), "."), f"{words[0]}=={version[1]}"


def _text(holder: Mapping[str, object], key: str) -> str:
    value = holder.get(key)
    return value if isinstance(value, str) else ""
