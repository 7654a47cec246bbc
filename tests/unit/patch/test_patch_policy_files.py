"""Which files a repair may change or create: Python sources that are there, nothing else without a person."""

from every_case import every_case
from policy_support import OLD, Judgement, judged, verdict
from sections import GOLDEN

from bot.patch.globs import folded, matches
from bot.patch.policy.files.protected import name_problem
from bot.patch.policy.gate import Policy, is_test_path

REFUSED = (GOLDEN / "refused_paths.txt").read_text("utf-8").splitlines()
PROTECTED = (GOLDEN / "protected_paths.txt").read_text("utf-8").splitlines()


@every_case("path", [*REFUSED, *PROTECTED, "tests /a.py", "tests\u200b/a.py"])
@every_case("exists", [True, False])
def test_tests_and_what_runs_builds_or_configures_are_refused(path, exists):
    assert judged("a = 2\n", {path: "a = 1\n"} if exists else {"shop/a.py": ""}, path).refused


@every_case(
    ("path", "reason"),
    [
        ("", "a path is empty"),
        *((f"a{char}.py", "control, invisible") for char in "\0\n\x7f\u200b\u202e\u2028\u2029\ud800\udcff"),
        *((path, "is absolute") for path in ("/etc/passwd.py", "~/a.py", "C:/a.py", "c:a.py")),
        *((path, "a backslash") for path in ("a\\b.py", "\\\\host\\a.py")),
        *(
            (path, "is not a plain relative path")
            for path in ("a//b.py", "./a.py", "../a.py", "a/../b.py", "a/..", "a/", "a/ /b.py", "a/. ./b.py")
        ),
        *((path, "is not a plain relative path") for path in ("...", "a/./b.py")),
        *((path, "is too long") for path in ("x" * 256, "é" * 128, "a/" * 512 + "b")),
        *(
            (path, "the repository's own storage")
            for path in (".git", ".git/config", "sub/.GIT/hooks/x.py", ".git ./x", "git~1/x.py", "a/GIT~2")
        ),
    ],
)
def test_an_impossible_name_is_refused_for_its_own_reason_whatever_is_allowed(path, reason):
    policy = Policy(allow=("**", "*", ".*", "**/.*/**"))
    for old in (None, "a = 2\n"):
        problem = verdict(path, old, "a = 1\n", policy=policy)[0]
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
    "path",
    [
        *("shop/build.py", "shop/tasks.py", "shop/ci/run.py", "shop/conf.py", "tasks.py", "conf.py"),
        *("a/requirements.py", "gradle_tools.py", "release.py", "shop.py", "a.pyi", "scripts/x.py"),
        *("pkg/latest.py", "pkg/testimony.py", "pkg/contest.py", "naïve/ä b.py", "v1.2/a.py"),
    ],
)
def test_python_sources_that_are_there_are_free(path):
    assert judged("a = 2\n", {path: "a = 1\n"}) == Judgement()


@every_case("path", ["shop/data.json", "shop/rates.csv", "README.md", "shop/page.html", "shop/words.txt"])
def test_data_is_for_a_person(path):
    found = judged("2\n", {path: "1\n"})
    assert (found.refused, found.shown) == ((), (f"{path} is data, not code",))
    assert judged("2\n", {"shop.py": ""}, path).refused


PLACE = "would take the place of"
ONLY_PYTHON = "would be created: only .py files may be"
SAME = "differs from an existing file only in case or spelling"


@every_case(
    ("path", "known", "reason"),
    [
        ("shop/__init__.py", "shop.py", f"{PLACE} shop.py wherever it is imported"),
        ("shop.py", "shop/__init__.py", f"{PLACE} shop/__init__.py wherever it is imported"),
        ("shop.py", "shop/cart.py", f"{PLACE} shop/cart.py wherever it is imported"),
        ("Shop.py", "shop/__init__.py", f"{PLACE} shop/__init__.py wherever it is imported"),
        ("a/shop/__init__.py", "a/shop.py", f"{PLACE} a/shop.py wherever it is imported"),
        ("shop.py", "shop.pyi", f"{PLACE} shop.pyi wherever it is imported"),
        ("yaml.py", "b.py", "would shadow the module yaml"),
        ("requests.py", "b.py", "would shadow the module requests"),
        ("numpy/__init__.py", "b.py", "would shadow the module numpy"),
        ("src/pip.py", "b.py", "would shadow the module pip"),
        ("json.py", "b.py", "would shadow the module json"),
        ("JSON/a.py", "b.py", "would shadow the module json"),
        ("src/json.py", "b.py", "would shadow the module json"),
        ("random/__init__.py", "b.py", "would shadow the module random"),
        ("lib/pytest/a.py", "b.py", "would shadow the module pytest"),
        ("lib/_pytest/x.py", "b.py", "would shadow the module _pytest"),
        ("a.txt", "b.py", ONLY_PYTHON),
        ("a.py.txt", "b.py", ONLY_PYTHON),
        ("B.PY", "a.py", ONLY_PYTHON),
        ("src", "b.py", ONLY_PYTHON),
        ("A.py", "a.py", SAME),
        ("e\u0301.py", "\u00e9.py", SAME),
        ("a.py", "a.py/b.py", "is a directory"),
        ("a.py/b.py", "a.py", "lies below a file"),
    ],
)
def test_a_creation_is_refused_for_its_own_reason(path, known, reason):
    assert f"{path} {reason}" in judged("a = 2\n", {known: "a = 1\n"}, path).refused


@every_case(
    ("path", "known"),
    [
        ("shop/cart.py", "shop/__init__.py"),
        ("src.py", "b.py"),
        ("pkg/json.py", "b.py"),
        ("src/pkg/json.py", "b.py"),
        ("a.py", "a.pyx/b.py"),
        ("a.py", "b/a.py"),
        ("a.pyx/b.py", "a.py"),
        *((path, "b.py") for path in ("stra\u00dfe.py", "\u00e9tude/caf\u00e9.py")),
        *((path, "b.py") for path in ("\u6771\u4eac/x.py", "\u0434\u043e\u043c/x.py")),
    ],
)
def test_a_new_module_is_for_a_person(path, known):
    found = judged("a = 2\n", {known: "a = 1\n"}, path)
    assert (found.refused, len(found.shown)) == ((), 1)
    assert found.shown[0].endswith(" is a new file")


@every_case(
    "path",
    [
        *("\uff54ests/x.py", "\uff54est_x.py", "t\u0435sts/x.py", "sh\u043ep/x.py", "\u1d1bests/x.py"),
        *("te\u017fts/x.py", "\U0001d42d\U0001d41e\U0001d42c\U0001d42d\U0001d42c/x.py", "\u2170x/y.py"),
    ],
)
def test_a_new_file_whose_name_looks_like_another_is_refused(path):
    assert len(judged("x = 1\n", {"shop.py": ""}, path).refused) == 1


@every_case("path", ["\uff54ests/x.py", "pkg/\uff43onftest.py", "\uff0egithub/x.py"])
def test_a_name_that_reads_like_that_of_a_test_is_protected_also_where_it_exists(path):
    assert "is protected" in judged("x = 2\n", {path: "x = 1\n"}).refused[0]


def test_an_import_is_known_by_the_projects_own_code_and_not_by_its_tests():
    sources = {
        "shop/cart.py": "x = 1\n",
        "shop/rates.py": "import numpy as np\n",
        "helpers.py": "y = 1\n",
        "tests/test_cart.py": "import pandas\n",
        "setup.py": "import babel\n",
    }
    rates, helpers = ("shop/rates.py",), ("helpers.py",)
    for line, witnesses in (
        ("import numpy", rates),
        ("from numpy.linalg import norm", rates),
        ("from shop.rates import np", ()),
        ("import helpers", helpers),
        ("import shop", ()),
    ):
        assert judged(f"{line}\nx = 1\n", sources) == Judgement(witnesses=witnesses), line
    for line in ("import pandas", "import babel", "import never_heard_of"):
        found = judged(f"{line}\nx = 1\n", sources)
        assert (found.refused, len(found.shown)) == ((), 1)
        assert "which the project imports nowhere" in found.shown[0]


def test_the_allow_list_lifts_protection_only():
    policy = Policy(allow=("tests/helpers/**",))
    assert verdict("tests/helpers/a.py", "a = 1\n", "a = 2\n", policy=policy) == ()
    assert verdict("tests/test_a.py", "a = 1\n", "a = 2\n", policy=policy)
    assert verdict("tests/helpers/a.py", "a = 1\n", "import pytest\npytest.skip()\n", policy=policy)


def test_what_is_another_file_elsewhere_is_refused_and_nothing_beside_it():
    policy = Policy(frozen=frozenset({"pkg/code.py", "README.md", "a*.py", "gone"}))
    changed = OLD.replace("x - 1", "x + 1")
    (why,) = verdict("pkg/code.py", OLD, changed, policy=policy)
    assert "pkg/code.py is not to be changed" in why
    for path in ("pkg/other.py", "other/pkg/code.py", "abc.py", "docs/README.md", "gone.py"):
        assert verdict(path, OLD, changed, policy=policy) == (), path
    assert verdict("gone/new.py", None, "x = 1\n", policy=policy)
    # It says nothing of tests, whose values must not be special cases.
    assert not policy.may_change("pkg/code.py")
    assert not policy.may_change("tests/test_code.py")
    assert policy.may_change("pkg/other.py")
    allowing = Policy(frozen=frozenset({"pkg/code.py"}), allow=("**/*.py",))
    assert verdict("pkg/code.py", OLD, changed, policy=allowing), "what is frozen stays so"


def test_what_is_a_test():
    assert is_test_path("tests/x.py")
    assert is_test_path("a/Test_b.py")
    assert not is_test_path("pkg/code.py")


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
