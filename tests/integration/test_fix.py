"""``regreen fix`` as a user runs it: a process, a real sandbox, real projects."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from ci_logs import failing_job
from providers import ISOLATED, LEAN


def contents(root):
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


EXAMPLES_REPAIRED = [
    ("discount", "discount.py", "    if total >= THRESHOLD:"),
    ("invoice", "invoicing/tax.py", "    if rest >= 50:"),
    ("parking", "parking.py", "    if minutes <= FREE_MINUTES:"),
]


# One sandbox each: the contracts of testbeds say that they are alike.
@pytest.mark.parametrize(
    ("example", "path", "fixed_line", "sandbox"),
    [
        pytest.param(*example, *sandbox.values, id=f"{example[0]}-{sandbox.id}", marks=sandbox.marks)
        for example, sandbox in zip(EXAMPLES_REPAIRED, itertools.cycle(ISOLATED), strict=False)
    ],
)
def test_the_examples_are_repaired(
    example, path, fixed_line, sandbox, make_provider, project, environment, fix
):
    make_provider(sandbox)
    root = project(example)
    before = contents(root)
    done = fix(root, sandbox=sandbox)
    assert done.returncode == 0, done.stderr.decode()
    assert contents(root) == before, "the working tree is not touched without --apply"
    assert f"+{fixed_line}\n".encode() in done.stdout
    assert b"Verified" in done.stderr
    subprocess.run(["git", "apply", "-"], input=done.stdout, cwd=root, check=True)
    assert fixed_line in (root / path).read_text().splitlines()
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    subprocess.run(tests, cwd=root, check=True, capture_output=True, env={**environment, **LEAN})


@pytest.mark.slow
def test_apply_writes_the_patch_and_json_tells_of_it(project, fix):
    root = project("discount")
    done = fix(root, "--apply", "--json", first=True)
    result = json.loads(done.stdout)
    assert done.returncode == result["exit_status"] == 0
    assert result["outcome"] == "patched"
    assert result["failing_before"] == ["test_discount.py::test_the_threshold_itself_gets_ten_percent"]
    assert result["evidence"]["pass_to_pass"] == 4
    assert "total >= THRESHOLD:" in (root / "discount.py").read_text()
    assert not [name for name in contents(root) if "regreen" in name]


@pytest.mark.slow
def test_inside_a_larger_repository_git_applies_the_diff_from_its_top(project, fix):
    root = project("discount")
    subprocess.run(["git", "init", "-q", root.parent], check=True)
    done = fix(root, first=True)
    assert done.stdout.startswith(b"diff --git a/project/discount.py b/project/discount.py\n")
    subprocess.run(["git", "apply", "-"], input=done.stdout, cwd=root.parent, check=True)
    assert "total >= THRESHOLD:" in (root / "discount.py").read_text()


@pytest.mark.slow
def test_source_with_crlf_and_odd_bytes_survives(project, fix):
    root = project({"test_name.py": "from name import size\n\ndef test_size():\n    assert size([1]) == 1\n"})
    (root / "name.py").write_bytes(
        b"# -*- coding: latin-1 -*-\r\n# caf\xe9\r\ndef size(x):\r\n    return len(x) + 1\r\n"
    )
    done = fix(root, "--apply", first=True)
    assert done.returncode == 0, done.stderr.decode()
    fixed = (root / "name.py").read_bytes()
    assert fixed.startswith(b"# -*- coding: latin-1 -*-\r\n# caf\xe9\r\ndef size(x):\r\n")
    assert fixed.count(b"\r\n") == 4


FAILING = {"test_a.py": "def test_a():\n    assert 0\n"}
BAD = [
    pytest.param("/no/such/directory", [], 2, "not a repository", id="not-a-repository"),
    pytest.param({}, [], 2, "no .py file", id="empty-directory"),
    pytest.param({"a.py": "x = 1\n"}, [], 2, "no tests were found", id="no-tests"),
    pytest.param({"test_a.py": "def test_a():\n    pass\n"}, [], 1, "pass already", id="green"),
    pytest.param(FAILING, ["--log", "/no/log"], 2, "cannot read the log", id="log-missing"),
    pytest.param(FAILING, ["--log", "/dev/null"], 1, "no failing test", id="log-empty"),
    pytest.param(FAILING, ["--test-command", "pytest 'x"], 2, "--test-command", id="bad-command"),
    pytest.param(FAILING, ["--strategy", "react"], 4, "--model", id="no-model"),
    pytest.param(FAILING, ["--python", "/no/python"], 6, "/no/python", id="no-python"),
    pytest.param(FAILING, ["--resume"], 2, "nothing to resume", id="no-checkpoint"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("files", "options", "status", "words"), BAD)
def test_bad_input_is_one_clear_line(files, options, status, words, project, fix):
    root = Path(files) if isinstance(files, str) else project(files)
    before = contents(root) if root.exists() else {}
    done = fix(root, *options)
    lines = done.stderr.decode().strip().splitlines()
    assert done.returncode == status, lines
    assert len(lines) == 1, lines
    assert words in lines[0]
    assert done.stdout == b""
    assert (contents(root) if root.exists() else {}) == before


@pytest.mark.slow
def test_a_model_cannot_touch_a_file_outside_the_tree(project, environment, model_server, fix):
    edit = {"op": "insert", "path": "../escape.py", "after": 0, "lines": ["x = 1"]}
    reply = json.dumps({"explanation": "escape", "edits": [edit]})
    environment["OPENAI_BASE_URL"] = model_server(["plan", reply])
    root = project("discount")
    done = fix(root, "--strategy", "react", "--model", "m", "--max-attempts", "1", "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (1, "budget_exhausted")
    assert not (root.parent / "escape.py").exists()


@pytest.mark.slow
def test_react_repairs_through_an_openai_compatible_server(project, environment, model_server, fix):
    edit = {
        "op": "substitute",
        "path": "discount.py",
        "find": "if total > THRESHOLD:",
        "replace": "if total >= THRESHOLD:",
    }
    good = json.dumps({"explanation": "100 itself counts", "edits": [edit]})
    drafts = ["The comparison is strict."] * 4
    environment["OPENAI_BASE_URL"] = model_server([*drafts, "Use >=.", good])
    done = fix(project("discount"), "--strategy", "react", "--model", "m", "--json")
    result = json.loads(done.stdout)
    assert result["outcome"] == "patched", result["reason"]
    assert result["attempts"] == 5
    usage = result["usage"]
    assert (usage["calls"], usage["prompt_tokens"], usage["completion_tokens"]) == (6, 66, 42)


# It passes only with the limit that was chosen; test_config.py has the places where it can be.
LIMITED = """\
import resource


def test_limits():
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == 3 * 2**30
"""


@pytest.mark.slow
def test_an_option_reaches_the_sandbox(project, fix):
    done = fix(project({"test_limits.py": LIMITED}), "--max-attempts", "1", "--sandbox-memory", "3g")
    assert b"pass already" in done.stderr


@pytest.mark.slow
def test_an_option_of_the_logs_command_that_only_ci_knows_does_not_stand_in_the_way(project, fix, tmp_path):
    test = "from shop import total\n\n\ndef test_total():\n    assert total(2, 3) == 5\n"
    root = project({"shop.py": "def total(a, b):\n    return a - b\n", "tests/test_shop.py": test})
    log = tmp_path / "job.log"
    log.write_text(failing_job("python -m pytest --only-in-ci tests"))
    done = fix(root, "--log", log, "--json", "-v")
    result, said = json.loads(done.stdout), done.stderr.decode()
    assert result["outcome"] == "patched", said
    assert "once more, with pytest itself" in " ".join(said.split())
    assert result["evidence"]["fail_to_pass"] == ["tests/test_shop.py::test_total"]
