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

# The name of a kind; the imports that come with it; the function before; the function after.
FIXES: list[tuple[str, str, str, str]] = [
    *(
        ("operator", "", f"def f(a, b):\n    return a {old} b", f"def f(a, b):\n    return a {new} b")
        for old, new in [
            ("-", "+"),
            ("<", "<="),
            (">", ">="),
            ("and", "or"),
            ("/", "//"),
            ("==", "!="),
            ("%", "//"),
        ]
    ),
    *(
        (
            "condition",
            "",
            f"def f(x, y):\n    if {old}:\n        return x\n    return y",
            f"def f(x, y):\n    if {new}:\n        return x\n    return y",
        )
        for old, new in [
            ("x", "x is not None"),
            ("x == y", "x == y and y"),
            ("not x", "x is None or not x"),
            ("x in y", "x in (y or ())"),
            ("len(x) > 1", "len(x) > 0"),
            ("isinstance(x, int)", "isinstance(x, (int, float))"),
            ("x.startswith(y)", "x.lower().startswith(y)"),
            ("type(x) == dict", "isinstance(x, dict)"),
        ]
    ),
    *(
        ("off by one", "", f"def f(rows, n):\n    return {old}", f"def f(rows, n):\n    return {new}")
        for old, new in [
            ("rows[n]", "rows[n - 1]"),
            ("list(range(n))", "list(range(1, n + 1))"),
            ("rows[:n]", "rows[: n + 1]"),
            ("rows[-n]", "rows[-n - 1]"),
            ("[rows[i] for i in range(len(rows) + 1)]", "[rows[i] for i in range(len(rows))]"),
            ("sum(rows) / len(rows)", "sum(rows) / len(rows) if rows else 0.0"),
        ]
    ),
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
        ("library call", "", f"def f(x, *args):\n    return {old}", f"def f(x, *args):\n    return {new}")
        for old, new in [
            ("sorted(x)", "sorted(x, reverse=True)"),
            ("x.split(',')", "[part.strip() for part in x.split(',')]"),
            ("max(x)", "max(x, default=None)"),
            ("int(x)", "int(float(x))"),
            ("str(x)", "repr(x)"),
            ("x.get('a')", "x.get('a', 0)"),
            ("open(x).read()", "open(x, encoding='utf-8').read()"),
            ("open(x, 'w').write('a')", "open(x, 'w', encoding='utf-8').write('a')"),
            ("x.encode()", "x.encode('utf-8', 'replace')"),
            ("dict(zip(x, x))", "dict(zip(x, x, strict=False))"),
            ("'%s' % x", "f'{x!r}'"),
            ("'{}'.format(x)", "'{:.2f}'.format(x)"),
            ("x.copy()", "{**x}"),
            ("list(set(x))", "list(dict.fromkeys(x))"),
            ("any(x)", "all(x)"),
            ("x.exit(3)", "x.exit(4)"),
        ]
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
    *(
        ("class", "", f"class A:\n    {old}", f"class A:\n    {new}")
        for old, new in [
            (
                "def __init__(self, a=[]):\n        self.a = a",
                "def __init__(self, a=None):\n        self.a = a or []",
            ),
            ("items = []", "def __init__(self):\n        self.items = []"),
            ("def size(self):\n        return 1", "@property\n    def size(self):\n        return 1"),
            ("def make():\n        return 1", "@staticmethod\n    def make():\n        return 1"),
            (
                "def make(cls):\n        return cls()",
                "@classmethod\n    def make(cls):\n        return cls()",
            ),
            ("x = 1", "x = 1\n\n    def __hash__(self):\n        return hash(self.x)"),
            (
                "x = 1",
                "x = 1\n\n    def __repr__(self):\n        return f'{type(self).__name__}()'",
            ),
            ("x = 1", "x = 1\n\n    def __iter__(self):\n        return iter(self.__dict__.items())"),
            ("def g(self):\n        pass", "def g(self):\n        return super().g()"),
            ("def g(self):\n        pass", "def g(self):\n        return type(self).__name__"),
            (
                "def exec(self, q):\n        return q",
                "def exec(self, q):\n        return self.run(q)\n\n    def run(self, q):\n        q()",
            ),
        ]
    ),
    *(
        ("flow", "", f"def f(xs):\n    {old}", f"def f(xs):\n    {new}")
        for old, new in [
            ("for x in xs:\n        return x", "for x in xs:\n        yield x"),
            ("while xs:\n        xs.pop()", "while len(xs) > 1:\n        xs.pop()"),
            ("for x in xs:\n        xs.remove(x)", "for x in list(xs):\n        xs.remove(x)"),
            ("return xs.sort()", "return sorted(xs)"),
            ("for i, x in xs:\n        print(i, x)", "for i, x in enumerate(xs):\n        print(i, x)"),
            ("global total\n    total = xs", "global total\n    total += xs"),
            ("return [lambda: x for x in xs]", "return [lambda x=x: x for x in xs]"),
            ("return xs", "if not xs:\n        raise ValueError('nothing')\n    return xs"),
            ("vars = xs\n    return vars", "vars = list(xs)\n    return vars"),
            ("type = xs[0]\n    return type", "type = xs[-1]\n    return type"),
        ]
    ),
]

# Fixes in the project that has the means already.
IN_SERVICE: list[tuple[str, str]] = [
    (
        'logger.info("start %s", os.getpid())',
        'logger.info("start %s", os.getpid())\n    logger.debug("args %s", sys.argv)',
    ),
    ('logger.info("start %s", os.getpid())', 'logger.warning("start %d", os.getpid())'),
    ("if len(sys.argv) > 2:", "if len(sys.argv) != 2:"),
    ("return json.dumps(load(sys.argv[1]))", "return json.dumps(load(sys.argv[1]), indent=2)"),
    ("return json.dumps(load(sys.argv[1]))", "return yaml.safe_dump(load(sys.argv[1]))"),
    ("return yaml.safe_load(handle)", "return yaml.safe_load(handle) or {}"),
    ("with open(path) as handle:", 'with open(path, encoding="utf-8") as handle:'),
    ("check=False).stdout", "check=False).stdout.decode().strip()"),
    ("    return subprocess.run(", "    result = subprocess.run("),
    ("def load(path):", 'def load(path="shop.yaml"):'),
    ("sys.exit(2)", "sys.exit(1)"),
    ("from .models import Order", "from .models import Item, Order"),
    ("from . import settings", "from . import settings, stock"),
    ("from .models import Order", "from .models import Order\nfrom shop.stock import level"),
    ("import yaml\n", "import numpy as np\nimport yaml\n"),
    (
        "    with open(path) as handle:",
        "    if not os.path.exists(path):\n        return settings.DEFAULT\n    with open(path) as handle:",
    ),
    ("    with open(path) as handle:", "    path = os.path.expanduser(path)\n    with open(path) as handle:"),
    (
        "    with open(path) as handle:",
        "    logger.debug('reading %s', path)\n    with open(path) as handle:",
    ),
    ("    with open(path) as handle:", "    path = Order.path(path)\n    with open(path) as handle:"),
    ("def main():", "def main(argv=None):"),
]
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
            old = frame.format(imports="", fix=before) if "{fix}" in frame else frame
            old = _filled(frame, "", before)
            new = _filled(frame, imports, after)
            yield f"{project}, {kind} {number}", {**OTHERS, "shop/code.py": old}, new
    old = _filled(PROJECTS["service"], "", "def f():\n    return 1")
    for number, (before, after) in enumerate(IN_SERVICE):
        assert before in old, before
        yield f"service, its own means {number}", {**OTHERS, "shop/code.py": old}, old.replace(before, after)


def _filled(frame: str, imports: str, fix: str) -> str:
    return frame.replace("{imports}\n", f"{imports}\n" if imports else "").replace("{fix}", fix)
