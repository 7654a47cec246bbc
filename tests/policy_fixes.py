"""Harmless patches in the style of real fixes, made from a table of projects and a table of fixes.

A fix is a function before and after, and the imports that it brings.
"""

from collections.abc import Iterator

from policy_corpus import lines_of
from sections import sections

PROJECTS = {
    project.name: project.parts["shop/code.py"]
    for project in sections("policy_projects.txt")
    if project.name != "host"
}


def _written() -> Iterator[tuple[str, str, str]]:
    """Kind, old and new text of the fixes that are written down one by one."""
    for case in sections("policy_fixes.txt"):
        if "code" in case.parts:
            code = case.parts["code"].removesuffix("\n")
            for change in case.parts["changes"].splitlines():
                old, _, new = change.partition(" => ")
                yield case.name, code.replace("{}", old), code.replace("{}", new)
        else:
            yield case.name, *(case.parts[name].removesuffix("\n") for name in ("before", "after"))


WRITTEN = list(_written())
# The name of a kind; the imports that come with it; the function before; the function after.
FIXES: list[tuple[str, str, str, str]] = [
    *((kind, "", before, after) for kind, before, after in WRITTEN if kind != "service"),
    *(
        (
            "guard",
            "",
            f"def f(data, key='a'):\n    return {body}",
            f"def f(data, key='a'):\n    {guard}\n    return {body}",
        )
        for body in ["data[key]", "data.items()", "key.join(data)"]
        for guard in [
            "if data is None:\n        return None",
            "if not data:\n        return []",
            "if key not in data:\n        raise KeyError(key)",
            "data = data or {}",
            "data = dict(data)",
            "assert data is not None",
        ]
    ),
    *(
        ("import", statement, "def f(x):\n    return x", f"def f(x):\n    return {use}")
        for statement, use in lines_of("policy_imports.txt")
    ),
    *(
        (
            "exception",
            "",
            "def f(x):\n    return x[0]",
            f"def f(x):\n    try:\n        return x[0]\n    except {kind}:\n        {answer}",
        )
        for kind in ["IndexError", "(KeyError, IndexError)", "TypeError as error"]
        for answer in ["return None", "raise ValueError(x) from None"]
    ),
]

# Fixes in the project that has the means already.
IN_SERVICE = [(before, after) for kind, before, after in WRITTEN if kind == "service"]
OTHERS = {
    "shop/stock.py": "import numpy as np\n\n\ndef level(x):\n    return np.sum(x)\n",
    "shop/models.py": "class Order: pass\n\n\nclass Item: pass\n",
    "shop/settings.py": "DEFAULT = {}\n",
    "tests/test_shop.py": "import pytest\nimport requests_mock\n",
}


def harmless() -> Iterator[tuple[str, dict[str, str], str]]:
    """Name, the project's files with ``shop/code.py``, and the new text of that."""
    for project, frame in PROJECTS.items():
        for number, (kind, imports, before, after) in enumerate(FIXES):
            old = _filled(frame, "", before)
            new = _filled(frame, imports, after)
            yield f"{project}, {kind} {number}", {**OTHERS, "shop/code.py": old}, new
    old = _filled(PROJECTS["service"], "", "def f():\n    return 1")
    for number, (before, after) in enumerate(IN_SERVICE):
        assert before in old, before
        yield f"service, its own means {number}", {**OTHERS, "shop/code.py": old}, old.replace(before, after)


def _filled(frame: str, imports: str, fix: str) -> str:
    return frame.replace("{imports}\n", f"{imports}\n" if imports else "").replace("{fix}", fix)
