"""Real fixes: what counts as one, whether a candidate is it, and what the policy says of them."""

import ast

import pytest
from click.testing import CliRunner
from every_case import every_case
from git_history import bare_clone, commit

from benchmarks.__main__ import cli
from benchmarks.fixes import corpus as corpora
from benchmarks.fixes.express import MAX_NODES, difference, express
from benchmarks.fixes.mine import Fix, is_test, mine, versions
from benchmarks.fixes.repair import as_log
from benchmarks.runs import pins, runfile
from bot.errors import ConfigurationError, MachineError
from bot.triage.log import scan

BEFORE = """class Shelf:
    def holds(self, count):
        if count < self.room:
            return True
        return False
"""
AFTER = BEFORE.replace("<", "<=")


@pytest.fixture
def clones(tmp_path):
    place = tmp_path / "work"
    commit(place, {"shelf.py": BEFORE, "tests/test_shelf.py": "", "other.py": "x = 1\n"}, "Start")
    commit(place, {"shelf.py": AFTER, "tests/test_shelf.py": "x = 1\n"}, "Fix a full shelf")
    commit(place, {"other.py": "x = 2\n"}, "Fix without a test")
    commit(place, {"other.py": "x = 3\n", "tests/test_shelf.py": "x = 2\n"}, "Add a feature")
    long = "".join(f"y{number} = 1\n" for number in range(20))
    commit(place, {"other.py": long, "tests/test_shelf.py": "x = 3\n"}, "Fix too much")
    commit(place, {"build.c": "int x;\n", "shelf.py": BEFORE, "tests/test_shelf.py": ""}, "Fix the build")
    bare_clone(place, tmp_path / "clones", "someone/shelf")
    return tmp_path / "clones"


def test_a_small_change_with_a_test_is_a_fix(clones):
    clone = clones / "someone+shelf" / "repo"
    (found,) = mine(clone, "someone/shelf")
    assert (found.path, found.added, found.removed) == ("shelf.py", 1, 1)
    assert versions(clone, found) == (BEFORE, AFTER)
    assert versions(clone, Fix("someone/shelf", found.commit, "missing.py", 1, 1)) is None


def test_what_judges_and_what_is_no_repository_is_not_mined(clones, tmp_path):
    with pytest.raises(ConfigurationError, match="kept apart"):
        list(mine(clones / "someone+shelf" / "repo", "pallets/Black"))
    with pytest.raises(MachineError, match="git: "):
        list(mine(tmp_path, "someone/shelf"))


@every_case(
    ("path", "expected"),
    [
        ("tests/data.py", True),
        ("src/test_a.py", True),
        ("a/b_test.py", True),
        ("conftest.py", True),
        ("src/contest.py", False),
        ("latest/a.py", False),
    ],
)
def test_tests_are_known_by_their_names(path, expected):
    assert is_test(path) is expected


@every_case(
    ("before", "after", "expected"),
    [
        ("a < 1", "a < 2", ("Constant int.value", 1)),
        ("a < 1", "a <= 1", ("Lt -> LtE", 1)),
        ("f(a)", "f(a, b)", ("Call.args: nothing -> Name", 1)),
        ("x = a", "x = a\nx += 1", ("Module.body: nothing -> AugAssign", 4)),
        ("x = a.b", "x = a.c", ("Attribute.attr", 1)),
        ("f(a)", "f(b, c=1)", ("Call: args, keywords", 3)),
    ],
)
def test_the_smallest_parts_that_differ_are_named(before, after, expected):
    assert difference(ast.parse(before), ast.parse(after)) == expected


LARGE = "[f(a, b, c) for a in range(9) for b in c if a if b(a, c, f, a + b - c)]"


@every_case(
    ("before", "after", "origin"),
    [
        (BEFORE, AFTER, "comparison"),
        ("LIMIT = 7\nprint(LIMIT)\n", "LIMIT = 8\nprint(LIMIT)\n", "number"),
        (BEFORE, BEFORE.replace("return False", "return self.other_shelf.ask(7)"), ""),  # by no operator
        (BEFORE, BEFORE.replace("False", LARGE), ""),  # too large to be looked for
    ],
)
def test_a_fix_is_found_where_an_operator_makes_it(before, after, origin):
    found = express("shelf.py", before, after)
    assert (found.origin, found.rank > 0) == (origin, bool(origin))
    assert (found.size > MAX_NODES) is (LARGE in after)


def test_a_class_that_has_a_docstring_alone_may_be_what_changes():
    before = 'class Empty(Exception):\n    """Nothing here."""\n'
    assert express("shelf.py", before, before.replace("Exception", "ValueError")).kind == "Name.id"


@every_case("after", [BEFORE + "# more\n", "def ("])
def test_what_changes_no_code_is_no_fix(after):
    assert express("shelf.py", BEFORE, after) is None


def test_the_log_of_a_fix_names_its_failing_tests(tmp_path):
    tests = ["tests/test_a.py::test_one[x-1]", "tests/test_b.py::TestB::test_two"]
    (tmp_path / "ci.log").write_text(as_log(tests), "utf-8")
    assert sorted(one.test for one in scan(tmp_path / "ci.log").failures) == tests


def test_the_commands_work_together(clones, tmp_path, monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    corpus, lines = tmp_path / "corpus.csv", tmp_path / "lines.jsonl"

    def run(*words):
        done = CliRunner().invoke(cli, ["fixes", *map(str, words)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    assert "1 commits of 1 repositories" in run("mine", clones, "--output", corpus)
    for _ in range(2):  # the second goes on, and finds all done
        run("express", clones, "--corpus", corpus, "--output", lines)
    assert len(runfile.read(lines).rows) == 1
    report = run("report", lines)
    assert "expressed: 1/1" in report
    assert "| Lt -> LtE | 1 | 1 |" in report
    assert "median place of these fixes:" in report


def test_fixes_are_drawn_of_chosen_repositories(clones, tmp_path):
    corpus = tmp_path / "corpus.csv"
    corpora.write(corpus, mine(clones / "someone+shelf" / "repo", "someone/shelf"))
    assert [task.group for task in corpora.drawn(corpus, clones, sample=3, seed=1)] == ["someone/shelf"]
    assert corpora.drawn(corpus, clones, sample=3, seed=1, of=lambda name: name == "a/b") == []


@pytest.fixture
def measured(tmp_path):
    """What is said of a harmless fix, one that opens a file and one that runs a command."""
    rows = []
    for number, line in enumerate(("x - 1", "x + 1", "open(x, 'w')", "__import__('os').system(x)")):
        files = {"shop.py": f"def f(x):\n    return {line}\n", "setup.py": f"{number}\n"}
        rows.append(f"someone/shop,{commit(tmp_path / 'work', files)[:12]},shop.py,1,1\n")
    rows += [
        rows[1].replace("shop.py", "setup.py").replace(rows[1][13:25], rows[0][13:25]),
        "a/b,0,x.py,1,1\n",
    ]
    bare_clone(tmp_path / "work", tmp_path / "clones", "someone/shop")
    (tmp_path / "corpus.csv").write_text("repository,commit,path,added,removed\n" + "".join(rows))
    return lambda *more: CliRunner().invoke(
        cli, ["policy", str(tmp_path / "clones"), "--corpus", str(tmp_path / "corpus.csv"), *more]
    )


def test_each_kind_is_counted_with_its_reasons(measured):
    output = measured().output
    assert "allowed: 1/3" in output
    assert "shown: 1/3" in output
    assert "refused: 1/3" in output
    assert "| shown: a new use of open that may write | 1 |" in output


def test_a_part_of_the_corpus_is_enough(measured):
    assert "allowed: 0/1" in measured("--every", "3").output


def test_a_corpus_without_its_clones_is_an_error(measured, tmp_path):
    found = CliRunner().invoke(cli, ["policy", str(tmp_path / "work")])
    assert "no commit of" in str(found.exception)
