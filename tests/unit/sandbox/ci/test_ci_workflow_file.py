"""A workflow file as plain values: what is read as GitHub reads it, and what is refused."""

import pytest
import yaml
from case_rows import values
from cost import cost
from every_case import every_case

from sandbox.ci.workflows.workflow_file import MAX_DEPTH, MAX_FILE, is_workflow, load_workflow

RUNS_TESTS = b"jobs: {t: {steps: [{run: pytest}]}}"
# Each of the values is twice the one before it.
LAUGHS = (
    b"v0: &v0 [x]\nm0: &m0 {x: y}\n"
    + b"".join(
        b"v%d: &v%d [*v%d, *v%d]\nm%d: &m%d {<<: [*m%d, *m%d]}\n" % (n, n, n - 1, n - 1, n, n, n - 1, n - 1)
        for n in range(1, 31)
    )
    + b"%b\n"
)
HOSTILE = {
    "nothing": b"",
    "no text": b"\xff",
    "no end": b"[1, 2",
    "laughs in a list": LAUGHS % b"jobs: {t: {steps: [{run: pytest, with: *v30}]}}",
    "laughs in a merge": LAUGHS % b"jobs: {t: {steps: [{run: pytest, env: {<<: *m30}}]}}",
    "within itself": b"x: &x\n  y: *x\njobs: {t: {steps: [{run: pytest}]}}",
    "deep by aliases": b"x: [&a0 []"
    + b"".join(b", &a%d [*a%d]" % (n + 1, n) for n in range(60))
    + b"]\n"
    + RUNS_TESTS,
    "long by aliases": b"x: &x " + b"x" * 20_000 + b"\ny: [" + b"*x, " * 60 + b"]\n" + RUNS_TESTS,
    "unknown alias": b"jobs: {t: {steps: [{run: *nowhere}]}}",
    "deep": b"[" * 5_000,
    "deep mappings": b"{a: " * 5_000,
    "deep blocks": b"".join(b" " * n + b"a:\n" for n in range(500)),
    "an object": b"!!python/object/apply:os.system ['true']",
    "a tag": b"jobs: !!int ''",
    "a tag of truth": b"jobs: !!bool x",
    "a tag of time": b"jobs: !!timestamp x",
    "a time that is none": b"jobs: 2001-99-99",
    "a number of too many digits": b"jobs: " + b"1" * 5_000,
    "a fraction in the base of sixty": b"jobs: 1" + b":1" * 2_000 + b".5",
    "keys that are lists": b"? [a]\n: b\n? {a: b}\n: c",
    "two documents": b"a: 1\n---\nb: 2",
    "too long": RUNS_TESTS + b"\n" + b"#" * MAX_FILE,
    "a zero byte": b"jobs: \0",
}


@pytest.fixture(params=["C", "Python"])
def _loader(request, monkeypatch):
    """The two loaders that PyYAML may have."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.usefixtures("_loader")
@every_case("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_nothing(data):
    assert load_workflow(data) is None


@pytest.mark.usefixtures("_loader")
def test_a_file_is_read_as_plain_values():
    data = b"""\
on: [push]
env: &all {A: 1, B: yes}
jobs:
  one: {env: {<<: *all, B: 3.10}, name: '3.10', run: "a\\tb"}
  two: *all
"""
    assert load_workflow(data) == {
        True: ["push"],
        "env": {"A": 1, "B": True},
        "jobs": {
            "one": {"env": {"A": 1, "B": 3.1}, "name": "3.10", "run": "a\tb"},
            "two": {"A": 1, "B": True},
        },
    }


def test_as_deep_as_people_write_is_not_too_deep():
    data = b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1)
    assert load_workflow(data) is not None
    assert load_workflow(b"[" + data + b"]" * 2) is None


@every_case(("path", "expected"), values("ci/workflow_paths.txt"))
def test_what_github_takes_for_a_workflow(path, expected):
    assert is_workflow(path) is expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [
        b"x: " + b":1" * (MAX_FILE // 3),
        b"x: 0x" + b"f" * (MAX_FILE // 2),
        b"- a\n" * (MAX_FILE // 4),
        b"{a: b}" * (MAX_FILE // 6),
        b"x: '" + b"''" * (MAX_FILE // 3) + b"'",
        b"&a b: *a\n" * (MAX_FILE // 9),
        b"x: |\n" + b" a\n" * (MAX_FILE // 3),
        b"%TAG ! tag:" + b"a" * (MAX_FILE // 2),
    ],
    ids=lambda data: data[:8].decode(),
)
def test_a_long_file_is_read_within_bounds(data):
    assert cost(lambda: load_workflow(data)) < 400
