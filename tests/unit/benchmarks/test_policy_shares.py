"""The share of real fixes that the policy holds, from a corpus of commit ids."""

import pytest
from click.testing import CliRunner
from git_history import bare_clone, commit

from benchmarks.__main__ import cli


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
