"""Why an item is not usable, by what its runs reported."""

from every_case import every_case

from benchmarks.libraries import causes
from benchmarks.libraries.verdicts import Ran, Verdict


def ran(messages=(), passed=0, problem="", output=""):
    """A run with a failing test for each of ``messages``."""
    names = {f"t{number}": message for number, message in enumerate(messages)}
    verdicts = {**dict.fromkeys(names, Verdict.FAILED), **{f"p{n}": Verdict.PASSED for n in range(passed)}}
    return Ran(verdicts=verdicts, messages=names, seconds=1.0, problem=problem, output=output)


MODULE = "ModuleNotFoundError: No module named 'trio'"
NETWORK = "socket.gaierror: [Errno -2] Name or service not known"


@every_case(
    ("inside", "outside", "kind", "detail"),
    [
        (ran([MODULE] * 3), ran([MODULE] * 3), causes.MODULE, "trio (3)"),
        (ran([NETWORK, NETWORK, "E"]), ran([NETWORK, NETWORK, "E"]), causes.NETWORK, "2 x socket.gaierror"),
        (ran(["E", "E"]), ran([], passed=2), causes.INSIDE_ONLY, "2 tests: 2 x E"),
        (ran(["fixture 'httpbin' not found"]), ran(["x"]), causes.MODULE, "httpbin (1)"),
        (ran(["E: 1", "E: 2"]), ran(["E: 1", "E: 2"]), causes.OTHER, "2 tests: 2 x E: 1"),
        (
            ran(output="error: unrecognized arguments: --cov\n"),
            ran(),
            causes.ARGUMENTS,
            "--cov",
        ),
        (ran(problem="it did not end within 5 s"), ran(), causes.TOO_LONG, "within 5 s"),
        (ran(passed=3, problem="it did not end within 5 s"), ran(passed=3), causes.TOO_LONG, "within 5 s"),
        (ran(problem="exit status 137"), ran(), causes.KILLED, "137"),
        (ran(problem="no tests were found"), ran(), causes.NO_TESTS, "no tests"),
        (ran(problem="no tests were found"), ran(passed=1), causes.INSIDE_ONLY, "no tests"),
        (ran(problem=f"failed: {MODULE}"), ran(), causes.MODULE, "trio"),
        (ran(["E"], passed=1), ran(problem="it did not end within 5 s"), causes.TOO_LONG, "outside"),
        (ran(passed=1), ran(passed=3), causes.INSIDE_ONLY, "2 tests missing inside, passed outside"),
    ],
)
def test_the_first_rule_that_holds_decides(inside, outside, kind, detail):
    found = causes.of_runs(inside, outside)
    assert found["kind"] == kind
    assert detail in found["detail"]


def test_an_environments_error_is_reported_without_the_command_and_paths():
    found = causes.of_environment(
        "it cannot be built: uv pip install --python /tmp/x failed: no /tmp/y\n here"
    )
    assert found == {"kind": causes.ENVIRONMENT, "detail": "no ... here"}


def test_another_python_is_its_own_cause():
    assert causes.of_environment("this project requires Python >=3.14")["kind"] == causes.PYTHON
