"""Whatever a repository's CI files hold, reading them ends, in time, with an answer."""

import json

from cost import cost
from every_case import every_case
from hypothesis import example, given
from hypothesis import strategies as st
from snapshots import snapshot

from sandbox.ci.job_choice import choose_job
from sandbox.ci.managers import read_installs
from sandbox.ci.shell import simple_commands
from sandbox.ci.workflows.expressions import interpolate, value_of
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.environment.plans.python_version import KNOWN_VERSIONS

WORDS = (
    "pip install -r requirements.txt -e .[test] pytest tox -e py nox -s tests hatch run test:cov make check "
    "&& || ; | ( ) { } if then fi for in do done $( ) ` ' \" \\ \n ${{ matrix.python }} ${{ ${X:-y} $1 << "
    "EOF uv sync poetry conda env update -f environment.yml cd .. python3.11 -m coverage run # \0 é"
)
SCRIPTS = st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join)
PIECES = "${{ }} matrix . * [ ] ( ) ! == && || 'a' 1 0x1f fromJSON format contains , env"
EXPRESSIONS = st.lists(st.sampled_from(PIECES.split()), max_size=25).map(" ".join) | st.text(max_size=60)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | SCRIPTS | EXPRESSIONS
NAMES = (
    "on jobs test runs-on steps run uses with env strategy matrix include exclude python-version needs if "
    "defaults working-directory container services name"
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES.split()) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=25,
)
CI_FILES = ("tox.ini", "noxfile.py", "Makefile", "setup.cfg", "pyproject.toml", "environment.yml", "setup.py")


def workflow(job):
    return json.dumps({"on": "push", "jobs": {"test": job}}).encode()


@given(SCRIPTS | st.text(max_size=60))
@example("a\x85b\xa0\u2003c\x1c")  # blanks that a shell knows as letters
def test_every_script_is_read(script):
    assert all(command.words for command in simple_commands(script))


@given(EXPRESSIONS)
def test_every_expression_has_a_value(text):
    assert isinstance(interpolate(text, {"matrix": {"python": "3.12"}}), str)
    value_of(text, {"env": {}})


@given(DOCUMENTS, st.sampled_from(CI_FILES), st.binary(max_size=200) | SCRIPTS.map(str.encode))
def test_every_workflow_is_read(job, path, held):
    files = {".github/workflows/ci.yml": workflow(job), path: held}
    found = choose_job(files, available=KNOWN_VERSIONS)
    if found:
        read_installs(found.commands, files)


@given(SCRIPTS, st.sampled_from(CI_FILES), st.binary(max_size=300))
def test_every_checkout_has_a_plan(script, path, held):
    job = {"runs-on": "ubuntu-latest", "steps": [{"run": script}, {"run": "pytest"}]}
    files = {".github/workflows/ci.yml": workflow(job), path: held, "test_it.py": b""}
    plans = candidate_plans(snapshot(files), available=KNOWN_VERSIONS, as_of="2021-01-01T00:00:00Z").plans
    assert plans
    assert all(plan.explain() for plan in plans)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)
)
MATRIX = {f"k{n}": list(range(50)) for n in range(12)}
TRAPS = {
    "aliases": BOMB + "jobs: {test: {steps: *u}}\n",
    "depth": "jobs: " + "[" * 5_000 + "]" * 5_000,
    "jobs": "jobs:\n" + "".join(f"  j{n}: {{runs-on: x, steps: [{{run: pytest}}]}}\n" for n in range(10_000)),
    "matrix": f"jobs: {{t: {{strategy: {{matrix: {MATRIX}}}, steps: [{{run: pytest}}]}}}}",
    "calls itself": "jobs: {t: {uses: ./.github/workflows/ci.yml}}",
}


@every_case("trap", TRAPS)
def test_a_trap_is_left(trap):
    files = {
        ".github/workflows/ci.yml": TRAPS[trap].encode(),
        "tox.ini": b"[testenv]\ncommands = tox -e py\n",
    }
    assert cost(lambda: choose_job(files, available=KNOWN_VERSIONS)) < 400
