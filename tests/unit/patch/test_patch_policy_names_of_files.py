"""Which names of files are refused, and which creations."""

from every_case import every_case

from bot.patch.globs import folded, matches
from bot.patch.policy.files.protected import creation_problem, name_problem


@every_case(
    ("path", "reason"),
    [
        ("", "a path is empty"),
        *((f"a{char}.py", "control, invisible") for char in "\0\n\x7f\u200b\u202e\u2028\u2029\ud800"),
        *((path, "is absolute") for path in ("/a.py", "~/a.py", "C:/a.py", "c:a.py")),
        *((path, "a backslash") for path in ("a\\b.py", "\\\\host\\a.py")),
        *(
            (path, "is not a plain relative path")
            for path in ("a//b.py", "./a.py", "../a.py", "a/..", "a/", "a/ /b.py", "a/. ./b.py")
        ),
        *((path, "is too long") for path in ("x" * 256, "é" * 128, "a/" * 512 + "b")),
        *(
            (path, "the repository's own storage")
            for path in (".git", "a/.GIT/x", ".git ./x", "git~1/x.py", "a/GIT~2")
        ),
    ],
)
def test_a_name_is_refused_for_its_own_reason(path, reason):
    problem = name_problem(path)
    assert reason in problem
    assert problem.isascii()
    assert len(problem) < 200


@every_case(
    "path",
    [
        *("a", "ab:c.py", "a~", ".a", "..a", "a..", "a./b", ".gitignore", "git/a.py", "gi~t/x"),
        *("x" * 255, "é" * 127 + "x", "a/" * 511 + "ab", "a b.py", "\u00e9.py"),
    ],
)
def test_names_at_the_edge_of_a_rule_pass_it(path):
    assert name_problem(path) is None


@every_case(
    ("path", "known", "reason"),
    [
        (
            "shop/__init__.py",
            ["shop.py"],
            "shop/__init__.py would take the place of shop.py wherever it is imported",
        ),
        (
            "shop.py",
            ["shop/__init__.py"],
            "shop.py would take the place of shop/__init__.py wherever it is imported",
        ),
        ("shop.py", ["shop/cart.py"], "shop.py would take the place of shop/cart.py wherever it is imported"),
        ("yaml.py", [], "yaml.py would shadow the module yaml"),
        ("requests.py", [], "requests.py would shadow the module requests"),
        ("src/pip.py", [], "src/pip.py would shadow the module pip"),
        ("a.txt", [], "a.txt would be created: only .py files may be"),
        ("a.py.txt", [], "a.py.txt would be created: only .py files may be"),
        ("A.py", ["a.py"], "A.py differs from an existing file only in case or spelling"),
        ("e\u0301.py", ["\u00e9.py"], "e\u0301.py differs from an existing file only in case or spelling"),
        ("json.py", [], "json.py would shadow the module json"),
        ("JSON/a.py", [], "JSON/a.py would shadow the module json"),
        ("src/json.py", [], "src/json.py would shadow the module json"),
        ("lib/pytest/a.py", [], "lib/pytest/a.py would shadow the module pytest"),
        ("a.py", ["a.py/b.py"], "a.py is a directory"),
        ("a.py/b.py", ["a.py"], "a.py/b.py lies below a file"),
        ("src.py", ["b.py"], None),
        ("src", ["b.py"], "src would be created: only .py files may be"),
        ("pkg/json.py", [], None),
        ("src/pkg/json.py", [], None),
        ("a.py", ["a.pyx/b.py", "b/a.py"], None),
        ("a.pyx/b.py", ["a.py"], None),
    ],
)
def test_a_creation_is_refused_for_its_own_reason(path, known, reason):
    assert creation_problem(path, dict.fromkeys(known, "")) == reason


@every_case(
    ("pattern", "path", "expected"),
    [
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("a*.py", "abc.py", True),
        ("a*.py", "a/b.py", False),
        ("a*.py", "x/y/ab.py", True),
        ("x/*.py", "x/a.py", True),
        ("x/*.py", "y/x/a.py", False),
        ("x/*.py", "x/y/a.py", False),
        ("x/**", "x/y/a.py", True),
        ("x/**/a.py", "x/a.py", True),
        ("x/**/a.py", "x/y/z/a.py", True),
        ("x/**/a.py", "x/ya.py", False),
        ("a.py", "aXpy", False),
        ("A.PY", "x/a.py", True),
        ("a.py", "a.py. .", True),
        ("a*", "a\nb", True),
    ],
)
def test_globs(pattern, path, expected):
    assert matches(path, (pattern,)) is expected
    assert matches(path, ("no such", pattern)) is expected
    assert not matches(path, ())


def test_names_are_compared_as_a_careless_file_system_does():
    assert folded("A/E\u0301. ./..") == "a/\u00e9/.."
