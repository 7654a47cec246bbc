"""Hostile workflows are read within limits."""

from cost import cost
from every_case import every_case
from test_ci_jobs import CI, WORKFLOW

from sandbox.ci.expand import commands_of
from sandbox.ci.workflows.jobs import MAX_JOBS, MAX_KEPT, MAX_STEPS, read_jobs


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


@every_case("files", HOSTILE.values())
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


@every_case("name", ["run", "command"])
def test_a_script_that_an_action_runs_is_read(name):
    wrapped = f"on: push\njobs: {{t: {{steps: [{{uses: a/retry@v1, with: {{{name}: pytest -x}}}}]}}}}"
    (job,) = read_jobs({".github/workflows/ci.yml": wrapped.encode()})
    assert [command.words for command in commands_of(job.steps, {}, python="3.12")] == [("pytest", "-x")]
