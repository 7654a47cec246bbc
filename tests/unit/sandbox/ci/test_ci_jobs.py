"""The jobs of workflow files: combinations, conditions, variables, directories, calls of others, limits."""

from every_case import every_case
from sections import sections

from sandbox.ci.workflows.jobs import ActionStep, RunStep, read_jobs

CI = ".github/workflows/ci.yml"
WORKFLOW = sections("sources/ci_jobs.txt")[0].parts["WORKFLOW"]


def jobs(text, others=None):
    """The jobs of one workflow, with further files by path."""
    return read_jobs({CI: text.encode(), **{path: data.encode() for path, data in (others or {}).items()}})


def scripts(found):
    return [(job.key, step.script, step.directory) for job in found for step in job.scripts]


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


@every_case(
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


@every_case(
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
