"""Each rule by its example, and lines that look like one and are none."""

from cost import cost
from every_case import every_case

from bot.causes.log_rules import RULES
from bot.triage.model import CauseKind
from bot.triage.rules import findings
from bot.triage.weigh import ADVICE


def named(text: str) -> set[str]:
    return {f"{one.kind.value}/{one.subkind}" for one in findings(1, text)}


@every_case("rule", RULES)
def test_a_rule_knows_its_example_and_no_rule_before_it_takes_it(rule):
    own = [one for one in findings(7, rule.example) if one.kind is rule.kind]

    assert [(one.subkind, one.why, one.weight, one.log_line) for one in own] == [
        (rule.subkind, rule.why, rule.weight, 7)
    ]


@every_case(
    ("text", "name"),
    [
        ("E   ModuleNotFoundError: No module named 'yaml'", "dependency/missing_module"),
        ("/usr/bin/python3: No module named pytest", "dependency/missing_module"),
        (
            "Cannot install a==1, b==2 because these package versions have conflicting dependencies.",
            "dependency/resolution",
        ),
        ("  x No solution found when resolving dependencies:", "dependency/resolution"),
        ("bash: line 3: pytest: command not found", "configuration/command"),
        ("/bin/sh: 1: tox: not found", "configuration/command"),
        ("make: *** No rule to make target 'tests'.  Stop.", "configuration/command"),
        ("Process completed with exit code 5.", "configuration/no_tests"),
        ("Process completed with exit code 137.", "infrastructure/memory"),
        ("ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]", "configuration/test_runner"),
        ("error Command failed with exit code 1.", "not_python/javascript"),
        ("src/app.ts(3,7): error TS2304: Cannot find name 'x'.", "not_python/javascript"),
        ("pkg/core.py:10: error: Incompatible return value type  [return-value]", "lint/types"),
        ("./pkg/core.py:10:80: E501 line too long (99 > 79 characters)", "lint/style"),
        ("pkg/core.py:10:80: E501 Line too long (99 > 88)", "lint/style"),
        ("black....................................................................Failed", "lint/hooks"),
        ("All done! 1 file would be reformatted, 3 files would be left unchanged.", "lint/format"),
        (
            "psycopg2.OperationalError: could not connect to server: Connection refused",
            "infrastructure/service",
        ),
        ("curl: (6) Could not resolve host: files.example", "infrastructure/network"),
        ("tar: ./x: Cannot write: No space left on device", "infrastructure/disk"),
        ("ld: cannot find -lfoo\ncollect2: error: ld returned 1 exit status", "not_python/native"),
    ],
)
def test_other_lines_of_a_shape(text, name):
    assert name in named(text)


@every_case(
    "text",
    [
        "",
        "tests/test_network.py::test_connection PASSED [ 10%]",
        "Successfully installed requests-2.31.0 urllib3-2.0.7",
        "Requirement already satisfied: pip in /usr/lib/python3/site-packages (23.0)",
        "============================== 12 passed in 0.31s ==============================",
        "Process completed with exit code 1.",
        "All checks passed!",
        "4 files left unchanged.",
        "collected 12 items",
        "Found 0 errors in 12 files",
        "SKIPPED [1] tests/test_a.py:44: could not import 'widgets': No module named 'widgets'",
        "tests/test_errors.py::test_no_space_left_on_device PASSED",
    ],
)
def test_lines_that_say_nothing(text):
    assert named(text) == set()


def test_a_hostile_line_takes_no_time():
    hostile = [
        "a" * 100_000,
        "Connection " * 9_000,
        "cannot import name " + "' from '" * 9_000,
        "version " * 5_000 + "with arch " * 5_000,
        ("x/" * 40_000) + ".py:1:1: ",
    ]
    assert cost(lambda: [list(findings(1, text)) for text in hostile]) < 200


def test_a_finding_keeps_a_bounded_text():
    (found,) = findings(1, "No space left on device " + "x" * 10_000)
    assert len(found.text) == 300


def test_every_verdict_has_an_advice_of_one_sentence():
    for name, text in ADVICE.items():
        assert text.endswith("."), name
        assert text[0].isupper(), name
    kinds = {kind.value for kind in CauseKind}
    assert kinds <= set(ADVICE)
    assert {name.partition("/")[0] for name in ADVICE} == kinds
