"""The gate refuses what repairs must not do, and lets ordinary repairs pass."""

from every_case import every_case
from policy_support import OLD, added, verdict
from sections import GOLDEN

from bot.domain import Patch, SpanEdit
from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, check, is_test_path, syntax_problem


def test_an_ordinary_repair_is_allowed():
    assert verdict("pkg/code.py", OLD, OLD.replace("x - 1", "x + 1")) == ()


PROTECTED = (GOLDEN / "protected_paths.txt").read_text("utf-8").splitlines()


@every_case("path", [*PROTECTED, "tests /a.py", "tests\u200b/a.py"])
@every_case("exists", [True, False])
def test_protected_files_are_refused(path, exists):
    assert verdict(path, "a = 1\n" if exists else None, "a = 2\n")


@every_case(
    "path",
    [
        *("/etc/passwd.py", "../a.py", "a/../b.py", "a//b.py", "./a.py", "a/./b.py", "", "C:/a.py", "~/a.py"),
        *(
            "a\\b.py",
            "a\0.py",
            "a\n.py",
            "a\u202e.py",
            "a\udcff.py",
            "a\ud800.py",
            "x" * 300 + ".py",
            "a/" * 600 + "b.py",
        ),
        *(".git/config", "sub/.GIT/hooks/x.py", "git~1/x.py", "...", "a/ /b.py", ".git./x.py"),
    ],
)
def test_impossible_names_are_refused_whatever_is_allowed(path):
    policy = Policy(allow=("**", "*", ".*", "**/.*/**"))
    assert verdict(path, None, "a = 1\n", policy=policy)
    assert verdict(path, "a = 2\n", "a = 1\n", policy=policy)


@every_case(
    "path", ["a.py", "pkg/latest.py", "pkg/testimony.py", "pkg/contest.py", "naïve/ä b.py", "v1.2/a.py"]
)
def test_ordinary_names_are_allowed(path):
    assert verdict(path, None, "a = 1\n") == ()
    assert verdict(path, "a = 2\n", "a = 1\n") == ()


@every_case(
    "path", ["json.py", "src/pytest.py", "random/__init__.py", "lib/_pytest/x.py", "notes.txt", "A.PY"]
)
def test_creations_that_shadow_or_are_no_python_are_refused(path):
    assert verdict(path, None, "")


def test_a_creation_that_differs_only_in_case_is_refused():
    sources = {"pkg/code.py": "a = 1\n"}
    assert check(from_sources({}, {"pkg/Code.py": "b = 1\n"}), sources, Policy())


def test_nothing_is_created_below_a_file():
    sources = {"pkg/code.py": "a = 1\n"}
    (problem,) = check(from_sources({}, {"pkg/code.py/more.py": "b = 1\n"}), sources, Policy())
    assert problem == "pkg/code.py/more.py lies below a file"


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


def test_what_is_frozen_stays_so_where_it_is_allowed():
    policy = Policy(frozen=frozenset({"pkg/code.py"}), allow=("**/*.py",))
    assert verdict("pkg/code.py", OLD, OLD + "\n", policy=policy)


def test_a_long_line_is_refused_before_it_is_read():
    new = OLD + f"x = [{'1,' * 10_000}]\n"
    (why,) = verdict("pkg/code.py", OLD, new)
    assert why == "the changed lines have 20007 characters, at most 20000 are allowed"


def test_limits_of_files_and_lines():
    sources = {f"m{number}.py": "a = 1\n" for number in range(6)}
    assert check(from_sources(sources, dict.fromkeys(sources, "a = 2\n")), sources, Policy())
    assert check(from_sources(sources, dict.fromkeys(sources, "a = 2\n")), sources, Policy(max_files=6)) == ()
    assert verdict("a.py", "", "a = 1\n" * 60) == ()
    assert verdict("a.py", "", "a = 1\n" * 61) == ("the patch changes 61 lines, at most 60 are allowed",)


@every_case("body", (GOLDEN / "misbehaviour.txt").read_text("utf-8").split("# and\n"))
def test_new_misbehaviour_is_refused(body):
    assert added(body)
    # what the file did before, it may do again
    assert verdict("pkg/code.py", OLD + body, OLD.replace("x - 1", "x + 1") + body) == ()


@every_case("body", (GOLDEN / "ordinary_additions.txt").read_text("utf-8").split("# and\n"))
def test_ordinary_additions_are_allowed(body):
    assert added(body) == ()


def test_a_local_name_is_not_the_builtin():
    old = "def walk(exit):\n    return 1\n"
    assert verdict("a.py", old, "def walk(exit):\n    return exit\n") == ()


def test_occurrences_count():
    old = "import sys\n\n\ndef f():\n    sys.exit(1)\n"
    assert verdict("a.py", old, old + "    sys.exit(2)\n")
    assert verdict("a.py", old, "import sys\n\n\ndef g():\n    sys.exit(1)\n") == ()


def test_assertions_in_code_may_be_replaced_but_not_dropped():
    assert verdict("a.py", OLD, OLD.replace("    assert x\n", "")) == ("a.py: an assertion was deleted",)
    assert verdict("a.py", OLD, OLD.replace("assert x", "assert True"))
    assert verdict("a.py", OLD, OLD.replace("assert x", "assert x > 0")) == ()
    assert verdict("a.py", OLD, OLD.replace("assert x", "if not x:\n        raise ValueError(x)")) == ()


def test_allowed_tests_keep_their_assertions_and_run():
    policy = Policy(allow=("test_*.py",))
    old = (
        "import pytest\ndef test_a():\n    assert f(1) == 2\ndef test_b(self):\n    self.assertEqual(1, 1)\n"
    )

    def judge(new):
        return verdict("test_a.py", old, new, policy=policy)

    assert judge(old.replace("== 2", "== 3")) == ()
    assert judge(old.replace("assert f(1) == 2", "f(1)"))
    assert judge(old.replace("self.assertEqual(1, 1)", "pass"))
    assert judge(old.replace("def test_b", "def _test_b"))
    for skip in ("skip", "xfail", "skipif(True)"):
        assert judge(old.replace("def test_a", f"@pytest.mark.{skip}\ndef test_a"))
    assert judge("from pytest import mark as m\n" + old.replace("def test_a", "@m.skip\ndef test_a"))
    assert judge(old.replace("self.assert", "self.skipTest('')\n    self.assert"))


@every_case(
    "text",
    [
        *(
            "def f(:\n",
            "a = '\0'\n",
            "x = " + "(" * 5000,
            "x = " + "-" * 200_000 + "1\n",
            "# coding: nonsense\na = 1\n",
        ),
        *("x = '\ud800'\n", "x = '\udcff'\n", "\ufeff\ufeff", "x = " + "9" * 5000 + "\n"),
    ],
)
def test_text_that_does_not_parse_is_a_one_line_reason(text):
    problem = syntax_problem("a.py", text)
    assert problem is not None
    assert problem.startswith("syntax error in a.py line ")
    assert "\n" not in problem
    assert verdict("a.py", "", text)


def test_text_with_a_coding_cookie_or_an_odd_escape_parses():
    assert syntax_problem("a.py", "# coding: latin-1\nx = '\udcff'\n") is None
    assert syntax_problem("a.py", "x = '\\d'\n") is None


def test_an_old_text_that_does_not_parse_counts_as_empty():
    assert verdict("a.py", "def f(:\n", "def f(): pass\n") == ()
    assert verdict("a.py", "def f(:\n    eval('1')\n", "def f():\n    eval('1')\n")


@every_case(
    "patch",
    [
        Patch(edits=()),
        Patch(edits=(SpanEdit(path="a.py", start=-1, end=99, replacement=""),)),
        Patch(
            edits=(
                SpanEdit(path="a.py", start=0, end=3, replacement=""),
                SpanEdit(path="a.py", start=1, end=2, replacement=""),
            )
        ),
        Patch(edits=(SpanEdit(path="a.py", start=0, end=0, replacement="\ud800"),)),
        Patch(edits=(SpanEdit(path="b.py", start=5, end=5, replacement="a"),)),
        Patch(edits=(SpanEdit(path="a.txt", start=0, end=0, replacement="\0"),)),
    ],
)
def test_broken_patches_are_reasons_not_exceptions(patch):
    assert check(patch, {"a.py": "a = 1\n", "a.txt": ""}, Policy())


def test_what_is_a_test():
    assert is_test_path("tests/x.py")
    assert is_test_path("a/Test_b.py")
    assert not is_test_path("pkg/code.py")
