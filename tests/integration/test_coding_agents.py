"""``--strategy agent``: a program changes a copy, and Regreen proves or refuses what it changed."""

import json
import sys

import pytest

SHOP = "def price(n):\n    return 2 + n\n"
TESTS = "import shop\n\n\ndef test_price():\n    assert shop.price(3) == 6\n"
RIGHT = "Path('shop.py').write_text(Path('shop.py').read_text().replace('2 + n', '2 * n'))"


@pytest.fixture
def fix(project, run_regreen, tmp_path):
    """Runs ``regreen fix`` with an agent that runs ``program``."""

    def run(program, *options, tests=TESTS, **more):
        script = tmp_path / "program" / "agent"
        script.parent.mkdir()
        script.write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n{program}\n")
        script.chmod(0o755)
        root = project({"shop.py": SHOP, "test_shop.py": tests})
        done = run_regreen("fix", root, "--strategy", "agent", "--agent", script, "--json", *options, **more)
        assert (root / "shop.py").read_text() == SHOP, "the project itself is not touched"
        return done, json.loads(done.stdout) if done.stdout else {}

    return run


@pytest.mark.bubblewrap
def test_a_right_change_is_verified_and_made_small(fix):
    program = RIGHT + "\nPath('shop.py').write_text('# of an agent\\n' + Path('shop.py').read_text())"
    done, result = fix(program, sandbox="bubblewrap")
    assert (done.returncode, result["outcome"]) == (0, "patched"), result
    assert "+    return 2 * n" in result["diff"]
    assert "of an agent" not in result["diff"]
    assert result["explanation"] == "a change by agent"


def test_with_plain_processes_it_has_the_callers_rights_and_that_is_said(fix):
    done, result = fix(RIGHT, "-v")
    assert result["outcome"] == "patched"
    assert "agent runs with your rights: --sandbox process isolates nothing" in done.stderr.decode()


def test_a_refusal_is_the_task_of_the_next_turn(fix):
    program = (
        "task = sys.stdin.read()\n"
        "if 'turned down' not in task:\n"
        "    Path('test_shop.py').write_text('def test_price(): pass\\n')\n"
        "elif 'test_shop.py is protected' in task:\n"
        f"    Path('test_shop.py').write_text({TESTS!r})\n"
        "    Path('shop.py').write_text('def price(n):\\n    return 3 * n\\n')\n"
        "elif 'assert 9 == 6' in task:\n"
        f"    Path('shop.py').write_text({SHOP.replace('+', '*')!r})\n"
    )
    _done, result = fix(program)
    assert (result["outcome"], result["attempts"]) == ("patched", 3), result


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("Path('test_shop.py').write_text('def test_price(): pass\\n')", "test_shop.py is protected"),
        ("Path('test_shop.py').unlink()", "it removed test_shop.py"),
        ("Path('pytest.ini').write_text('[pytest]')", "it changed pytest.ini: only Python files"),
        ("Path('conftest.py').write_text('collect_ignore = []\\n')", "conftest.py is protected"),
        ("Path('shop.py').write_text('def price(n):\\n    return (')", "'(' was never closed"),
        ("Path('shop.py').write_text('def price(n):\\n    return 7\\n')", "assert 7 == 6"),
        ("print('::set-output name=x::y')", "it changed no file (it ended with status 0)"),
        ("sys.exit('no key')", "agent: it changed no file (it ended with status 1: no key)"),
    ],
)
def test_what_is_no_repair_is_refused_with_the_reason(fix, program, reason):
    done, result = fix(program)
    assert (done.returncode, result["outcome"]) in {(1, "no_patch"), (1, "budget_exhausted")}
    assert reason in result["reason"]
    assert b"::set-output" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("tests", "confidence", "doubt"),
    [
        (TESTS, "low", "other changes of the same lines pass the tests as well"),
        (TESTS + "    assert shop.price(5) == 10\n    assert shop.price(0) == 0\n", "high", ""),
    ],
    ids=["one-example", "three-examples"],
)
def test_what_else_passes_the_tests_makes_it_a_hint(fix, tests, confidence, doubt):
    _done, result = fix(RIGHT, tests=tests)
    evidence = result["evidence"]
    assert (result["outcome"], evidence["confidence"]) == ("patched", confidence), evidence
    assert doubt in " ".join(evidence["doubts"])
    assert (result["attempts"], result["alternatives"]) == (1, 0)


def test_an_answer_for_the_test_alone_is_for_a_person_to_read(fix):
    done, result = fix("Path('shop.py').write_text('def price(n):\\n    return 6 if n == 3 else n\\n')")
    assert done.returncode == 7
    assert "one small number is answered with another" in result["warnings"][0]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("", "--strategy agent needs --agent: aider"),
        ("no-such-agent --fast", "the agent no-such-agent is not installed"),
        ("missing.yaml", "the agent's profile missing.yaml cannot be read"),
    ],
)
def test_an_agent_has_to_be_named_and_to_be_there(run_regreen, project, agent, said):
    root = project({"shop.py": SHOP, "test_shop.py": TESTS})
    done = run_regreen("fix", root, "--strategy", "agent", "--agent", agent)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert b"running the tests" not in done.stderr
