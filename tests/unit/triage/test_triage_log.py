"""From a log file to an answer: the verdict, the tests as the checkout names them, the command."""

import gzip
import io
import json

import pytest
from ci_logs import failing_job
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bot import cli
from bot.errors import ConfigurationError
from bot.triage.log import ask, is_for_repair, top_level_names
from bot.triage.report import plain_data, show
from examples import examples

FAILING = failing_job("cd backend", "pytest -q tests")
FILES = {"backend/tests/test_shop.py": b"", "backend/shop.py": b"", "setup.py": b""}
OFFLINE = "curl: (6) Could not resolve host: files.example\n##[error]Process completed with exit code 6.\n"


@pytest.fixture
def written(tmp_path):
    def write(text, name="job.log"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def shown(answer):
    out = io.StringIO()
    show(Console(file=out, width=200, force_terminal=False), answer)
    return out.getvalue()


def test_the_tests_and_the_command_are_the_checkouts_also_of_a_compressed_log(written):
    answer = ask(written(FAILING), FILES)

    assert is_for_repair(answer)
    assert answer.tests == ("backend/tests/test_shop.py::test_total",)
    assert answer.test_command() == "pytest backend/tests --rootdir=."
    assert answer.command is not None
    assert answer.command.directory == "backend"
    compressed = ask(written(gzip.compress(FAILING.encode())), FILES)
    assert (compressed.tests, compressed.command) == (answer.tests, answer.command)


def test_the_reason_of_what_is_not_for_a_repair_is_one_line(written):
    answer = ask(written(OFFLINE), {})

    assert not is_for_repair(answer)
    assert answer.reason == (
        "infrastructure/network (85%): a host's name could not be resolved, line 1: curl: (6) Could not "
        "resolve host: files.example. Run the job again; if it keeps failing, look at the server "
        "that is named."
    )


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ("pytest tests", "pytest tests"),
        ("python -m unittest", "python -m unittest"),
        ("python setup.py test", ""),  # pytest runs the same tests, one by one
        ("python runtests.py", ""),
    ],
)
def test_a_repair_is_told_the_command_that_tells_most(written, script, command):
    assert ask(written(failing_job(script)), {}).test_command() == command


def test_a_program_is_not_run_on_a_logs_word_alone_where_nothing_isolates_it(written):
    text = (
        "##[group]Run ./runtests.py\n\x1b[36;1m./runtests.py\x1b[0m\n"
        "shell: /usr/bin/bash -e {0}\n##[endgroup]\n"
        "Traceback (most recent call last):\n"
        '  File "/home/runner/work/a/a/shop.py", line 3, in f\n'
        "ValueError: x\n##[error]Process completed with exit code 1.\n"
    )
    answer = ask(written(text), {})

    assert answer.test_command() == "./runtests.py"
    assert answer.test_command(isolated=False) == ""
    assert ask(written(FAILING), FILES).test_command(isolated=False) == "pytest backend/tests --rootdir=."


def test_a_log_that_is_not_there(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot read the log"):
        ask(tmp_path / "gone.log", {})


def test_the_names_that_a_checkout_defines():
    modules = ["src/shop/__init__.py", "src/shop/cart.py", "lib/old.py", "tools/run.py", "setup.py"]
    assert top_level_names([*modules, "README.md"]) == {"shop", "old", "tools", "setup"}


def test_the_report_as_data_and_for_people(written):
    answer = ask(written(FAILING), FILES)
    data, text = json.loads(json.dumps(plain_data(answer))), shown(answer)

    assert (data["version"], data["kind"], data["subkind"]) == (1, "code", "tests")
    assert data["tests"] == ["backend/tests/test_shop.py::test_total"]
    assert data["command"]["text"] == "pytest backend/tests --rootdir=."
    assert data["evidence"][0]["line"] > 0
    assert "code/tests, 95% sure" in text
    assert "tests to repair: backend/tests/test_shop.py::test_total" in text


def test_the_logs_texts_are_shown_as_text(written):
    hostile = "[bold]\x1b[2J ERROR: No matching distribution found for [link=http://x]w[/link]"
    text = shown(ask(written(f"{hostile}\n"), {}))

    assert "[link=http://x]w[/link]" in text
    assert "\x1b" not in text


def test_the_command_line(written, capfdbinary):
    assert cli.run(["triage", str(written(OFFLINE)), "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["kind"] == "infrastructure"
    assert cli.run(["triage", "/no/log"]) == 2
    assert cli.run(["triage", str(written(OFFLINE)), "--project", "/no/directory"]) == 2


PIECES = st.sampled_from(
    [
        *FAILING.splitlines(),
        *OFFLINE.splitlines(),
        "##[group]Run pytest",
        "Traceback (most recent call last):",
        '  File "/home/runner/work/a/a/b.py", line 3, in f',
        "ValueError: x",
        "+ cd /tmp/x && pytest 'a",
        "py311: commands[0]> pytest {posargs}",
        "test_x.py::test_a Fatal Python error: Aborted",
        "FAILED (errors=1)",
        "Found 3 errors.",
        "env:",
        "  PYTHONPATH: $(x):/home/runner/work/a/a/src",
    ]
)


@examples(60)
@given(st.lists(st.one_of(PIECES, st.text(max_size=40)), max_size=30), st.binary(max_size=200))
def test_any_log_has_a_verdict(tmp_path_factory, some, rest):
    path = tmp_path_factory.mktemp("any") / "job.log"
    # An empty line first: what begins as an archive is read as one.
    path.write_bytes("\n".join(["", *some]).encode("utf-8", "surrogatepass") + rest)
    answer = ask(path, FILES)

    assert 0 <= answer.verdict.confidence <= 0.99
    assert answer.verdict.evidence
    assert answer.reason
    json.dumps(plain_data(answer)).encode("ascii")
