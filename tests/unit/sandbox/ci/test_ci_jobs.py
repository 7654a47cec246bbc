"""The jobs of workflow files: combinations, conditions, variables, directories, calls of others, limits."""

import pytest
from cost import cost

from sandbox.ci.expand import commands_of
from sandbox.ci.jobs import MAX_JOBS, MAX_KEPT, MAX_STEPS, ActionStep, RunStep, read_jobs

CI = ".github/workflows/ci.yml"


def jobs(text, others=None):
    """The jobs of one workflow, with further files by path."""
    return read_jobs({CI: text.encode(), **{path: data.encode() for path, data in (others or {}).items()}})


def scripts(found):
    return [(job.key, step.script, step.directory) for job in found for step in job.scripts]


WORKFLOW = """\
name: Tests
on: [push, pull_request]
env: {TOP: yes}
defaults: {run: {working-directory: backend}}
jobs:
  test:
    name: Python ${{ matrix.python }} on ${{ matrix.suite }}
    runs-on: ${{ matrix.os || 'ubuntu-latest' }}
    strategy:
      matrix:
        python: ['3.11', '3.12']
        suite: [unit, integration]
        exclude: [{python: '3.11', suite: integration}]
    env: {MODE: fast}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "${{ matrix.python }}", cache: pip}
      - run: pip install -e .
      - run: pytest tests/${{ matrix.suite }} --mode=${{ env.MODE }}
        env: {SUITE: "${{ matrix.suite }}"}
      - run: pytest docs
        working-directory: ${{ github.workspace }}
      - if: failure()
        run: cat log
      - if: github.event_name == 'schedule'
        run: pytest slow
"""


def test_a_job_for_each_combination():
    found = jobs(WORKFLOW)
    assert [job.title for job in found] == [
        "test (3.11, unit)",
        "test (3.12, unit)",
        "test (3.12, integration)",
    ]
    last = found[-1]
    assert (last.file, last.workflow, last.key) == (CI, "Tests", "test")
    assert last.name == "Python 3.12 on integration"
    assert last.events == {"push", "pull_request"}
    assert (last.runs_on, last.container, last.needs_services) == ("ubuntu-latest", "", False)
    assert scripts([last]) == [
        ("test", "pip install -e .", "backend"),
        ("test", "pytest tests/integration --mode=fast", "backend"),
        ("test", "pytest docs", "$GITHUB_WORKSPACE"),
    ]
    assert dict(last.scripts[1].environment) == {"TOP": "true", "MODE": "fast", "SUITE": "integration"}
    setup = last.steps[1]
    assert isinstance(setup, ActionStep)
    assert (setup.action, setup.inputs) == (
        "actions/setup-python",
        {"python-version": "3.12", "cache": "pip"},
    )


def test_only_workflow_files_are_read():
    assert read_jobs({"docs/workflow.yml": WORKFLOW.encode(), "tests/x.py": b""}) == ()


@pytest.mark.parametrize(
    ("job", "field", "value"),
    [
        ("{runs-on: [self-hosted, linux], steps: []}", "runs_on", "self-hosted linux"),
        ("{runs-on: {group: big, labels: [ubuntu, x]}, steps: []}", "runs_on", "ubuntu x"),
        ("{runs-on: {group: big}, steps: []}", "runs_on", ""),
        ("{steps: []}", "runs_on", ""),
        ("{container: 'python:3.12', steps: []}", "container", "python:3.12"),
        ("{container: {image: 'python:3.12-slim'}, steps: []}", "container", "python:3.12-slim"),
        ("{services: {db: {image: postgres}}, steps: []}", "needs_services", True),
        ("{name: 3, steps: []}", "name", "3"),
        ("{steps: 3}", "steps", ()),
        ("{steps: [3, {name: x}, {run: [x]}, {uses: 3}]}", "steps", ()),
        ("{strategy: [1], defaults: x, env: 3, steps: []}", "combination", {}),
    ],
)
def test_a_field_of_a_job(job, field, value):
    (found,) = jobs(f"on: push\njobs: {{t: {job}}}")
    assert getattr(found, field) == value


@pytest.mark.parametrize(
    ("on", "events"),
    [
        ("push", {"push"}),
        ("[push, 3]", {"push"}),
        ("{push: {branches: [main]}, pull_request: }", {"push", "pull_request"}),
        ("3", set()),
    ],
)
def test_what_starts_a_workflow(on, events):
    (found,) = jobs(f"on: {on}\njobs: {{t: {{steps: []}}}}")
    assert found.events == events


def test_a_job_that_never_runs_for_a_push_is_left_out():
    found = jobs("""\
jobs:
  release: {if: "github.event_name == 'release'", steps: [{run: a}]}
  never: {if: false, steps: [{run: b}]}
  perhaps: {if: "needs.changes.outputs.code == 'true'", steps: [{run: c}]}
  odd: 3
""")
    assert scripts(found) == [("perhaps", "c", "")]


def test_the_directory_of_a_step_comes_before_that_of_its_job_and_its_workflow():
    found = jobs("""\
defaults: {run: {working-directory: top}}
jobs:
  a: {steps: [{run: x}]}
  b:
    defaults: {run: {working-directory: "own/${{ 'x' }}"}}
    steps: [{run: x}, {run: x, working-directory: ./step}]
""")
    assert [place for _, _, place in scripts(found)] == ["top", "own/x", "./step"]


def test_anchors_say_what_is_written_twice():
    found = jobs("""\
env: &settings {MODE: fast}
jobs:
  test:
    env: *settings
    steps: &steps
      - &install {run: pip install -e .}
      - run: pytest tests
        env:
          <<: *settings
          LEVEL: 3
  again: {steps: *steps}
  last: {steps: [*install]}
""")
    assert [(job.key, one.script, dict(one.environment)) for job in found for one in job.scripts] == [
        ("test", "pip install -e .", {"MODE": "fast"}),
        ("test", "pytest tests", {"MODE": "fast", "LEVEL": "3"}),
        ("again", "pip install -e .", {"MODE": "fast"}),
        ("again", "pytest tests", {"MODE": "fast", "LEVEL": "3"}),
        ("last", "pip install -e .", {"MODE": "fast"}),
    ]


REUSABLE = """\
on:
  workflow_call:
    inputs:
      python: {type: string, default: '3.10'}
      extras: {type: string, default: test}
      versions: {type: string, default: '["3.9"]'}
jobs:
  run:
    strategy: {matrix: {v: "${{ fromJSON(inputs.versions) }}"}}
    steps:
      - run: echo ${{ inputs.python }} ${{ matrix.v }}
      - run: pip install .[${{ inputs.extras }}]
"""


def test_a_reusable_workflow_gets_its_inputs():
    calls = """\
on: push
jobs:
  a:
    strategy: {matrix: {p: ['3.11', '3.12']}}
    uses: ./.github/workflows/run.yml
    with: {python: "${{ matrix.p }}", versions: '["1", "2"]'}
  b: {uses: ./.github/workflows/gone.yml}
  c: {uses: other/repository/.github/workflows/run.yml@v1}
"""
    found = jobs(calls, {".github/workflows/run.yml": REUSABLE})
    called = [job for job in found if job.events == {"push"}]
    assert [job.scripts[0].script for job in called] == [
        "echo 3.11 1",
        "echo 3.11 2",
        "echo 3.12 1",
        "echo 3.12 2",
    ]
    assert {job.file for job in called} == {".github/workflows/run.yml"}
    assert {job.scripts[1].script for job in called} == {"pip install .[test]"}
    (alone,) = (job for job in found if job not in called)
    assert (alone.scripts[0].script, alone.events) == ("echo 3.10 3.9", {"workflow_call"})


COMPOSITE = """\
inputs:
  groups: {default: dev}
runs:
  using: composite
  steps:
    - uses: actions/setup-python@v5
      with: {python-version: "${{ inputs.python }}"}
    - run: uv sync --group ${{ inputs.groups }}
      shell: bash
    - if: inputs.groups == 'never'
      run: no
"""


def test_a_composite_action_of_the_repository_is_followed():
    steps = """\
jobs:
  t:
    env: {A: 1}
    defaults: {run: {working-directory: sub}}
    steps:
      - uses: ./.github/actions/setup/
        with: {python: '3.12', groups: test}
      - run: pytest
      - uses: ./gone
      - uses: ./../outside
"""
    (found,) = jobs(steps, {".github/actions/setup/action.yml": COMPOSITE})
    setup, sync, test = found.steps
    assert setup.inputs == {"python-version": "3.12"}
    assert sync == RunStep(
        script="uv sync --group test", directory="", environment=(("A", "1"),), shell="bash"
    )
    assert (test.script, test.directory) == ("pytest", "sub")


def test_an_action_may_be_called_yaml():
    (found,) = jobs("jobs: {t: {steps: [{uses: ./a}]}}", {"a/action.yaml": COMPOSITE})
    assert len(found.steps) == 2


# limits


def workflow(name):
    return f".github/workflows/{name}.yml"


def circle(*, leaf):
    """Workflows each of which calls the next one many times."""
    many = "{matrix: {a: [" + ",".join(map(str, range(256))) + "]}}"
    return {
        workflow(name): f"jobs: {{t: {{strategy: {many}, uses: ./{workflow(other)}}}}}".encode()
        for name, other in zip("abc", "bcd", strict=True)
    } | {workflow("d"): leaf}


ACTION = "{runs: {steps: [%s]}}"
ACTIONS = {
    f"{name}/action.yml": (ACTION % ", ".join([f"{{uses: ./{other}}}"] * 1_000)).encode()
    for name, other in zip("abcd", "bcda", strict=True)
}
MANY = ", ".join(str(n) for n in range(256))
HOSTILE = {
    "workflows that call each other": {
        workflow("a"): f"jobs: {{t: {{uses: ./{workflow('b')}}}}}".encode(),
        workflow("b"): f"jobs: {{t: {{uses: ./{workflow('a')}}}}}".encode(),
    },
    "calls without a job": circle(leaf=b"jobs: {}"),
    "calls with jobs": circle(leaf=b"jobs: {t: {steps: [{run: x}]}}"),
    "an action that calls itself": {
        CI: b"jobs: {t: {steps: [{uses: ./a}]}}",
        "a/action.yml": (ACTION % ", ".join(["{uses: ./a}"] * 1_000)).encode(),
    },
    "actions without a step": {
        CI: f"jobs: {{t: {{strategy: {{matrix: {{a: [{MANY}]}}}}, steps: [{{uses: ./a}}]}}}}".encode(),
        **ACTIONS,
    },
    "many variables": {
        CI: (
            "env: {" + ", ".join(f"a{n}: b" for n in range(9_000)) + "}\n"
            f"jobs: {{t: {{strategy: {{matrix: {{a: [{MANY}]}}}}, "
            f"steps: [{', '.join(['{run: x}'] * 200)}]}}}}"
        ).encode()
    },
    "long scripts": {
        workflow(name): (
            f"x: &x {'y ' * 2_000}\njobs: {{t: {{strategy: {{matrix: {{a: [{MANY}]}}}}, "
            f"steps: [{', '.join(['{run: *x}'] * 150)}]}}}}"
        ).encode()
        for name in "abcdefgh"
    },
    "scripts that grow": {
        workflow(f"{name}"): (
            f"on: {{workflow_call: {{inputs: {{a: {{default: xx}}}}}}}}\n"
            f'jobs: {{t: {{uses: ./{workflow(other)}, with: {{a: "{"${{ inputs.a }}" * 300}"}}}}, '
            f"u: {{steps: [{{run: '${{{{ inputs.a }}}}'}}]}}}}"
        ).encode()
        for name, other in zip("abcd", "bcda", strict=True)
    },
    "many files": {workflow(f"w{n}"): WORKFLOW.encode() + b"#" * 300_000 for n in range(100)},
    "many jobs": {CI: b"jobs: {" + b", ".join(b"j%d: {}" % n for n in range(9_000)) + b"}"},
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_hostile_workflows_are_read_within_bounds(files):
    found = []
    assert cost(lambda: found.extend(read_jobs(files))) < 400
    assert len(found) <= MAX_JOBS
    assert all(len(job.steps) <= MAX_STEPS for job in found)
    kept = sum(len(step.script) for job in found for step in job.scripts)
    assert kept <= 2 * MAX_KEPT


def test_what_is_read_does_not_depend_on_the_order_of_the_files():
    files = {**HOSTILE["calls with jobs"], CI: WORKFLOW.encode()}
    assert read_jobs(files) == read_jobs(dict(reversed(files.items())))


@pytest.mark.parametrize("name", ["run", "command"])
def test_a_script_that_an_action_runs_is_read(name):
    wrapped = f"on: push\njobs: {{t: {{steps: [{{uses: a/retry@v1, with: {{{name}: pytest -x}}}}]}}}}"
    (job,) = read_jobs({".github/workflows/ci.yml": wrapped.encode()})
    assert [command.words for command in commands_of(job, {}, python="3.12")] == [("pytest", "-x")]
