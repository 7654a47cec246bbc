"""What the runner makes of what we write: read back as the runner reads it, whatever strangers put in."""

import io
import itertools
import re
import resource

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.errors import ConfigurationError
from bot.github.runner_files import (
    CUT,
    Annotation,
    RunnerLog,
    cut_markdown,
    new_token,
    write_outputs,
    write_summary,
)

_COMMAND = re.compile(r"^\s*::(?P<name>[^\s:]+)(?:\s+(?P<properties>.*?))?::(?P<message>.*)$")
_OLD_COMMAND = re.compile(r"##\[(?P<name>[^\]\s]+)[^\]]*\]")
# Lines end for the runner where they end for .NET's TextReader, and nowhere else that matters more.
_LINE = re.compile(r"\r\n|\n|\r")
HOSTILE = "::error::x\n::set-output name=a::b\r::add-mask::c\n##[group]d\n::stop-commands::e\n ::debug::f"
texts = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["::", "\n", "\r", "%0A", "%", "##[", "]", "error", ",", ":", "stop-commands", " ", "a=b", "<<"]
    ),
    max_size=30,
).map("".join)


def _commands(log: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands that a runner would carry out."""
    stopped = ""
    found = []
    for line in _LINE.split(log):
        match = _COMMAND.match(line)
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
        elif match and match["name"] == "stop-commands":
            stopped = match["message"]
        elif match:
            pairs = [one.split("=", 1) for one in (match["properties"] or "").split(",") if "=" in one]
            found.append(
                (match["name"], {key: _property(value) for key, value in pairs}, _message(match["message"]))
            )
        elif old := _OLD_COMMAND.search(line):
            found.append((old["name"], {}, ""))
    return found


def _message(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def _property(text: str) -> str:
    return _message(text.replace("%3A", ":").replace("%2C", ","))


def _log(act) -> str:
    stream = io.StringIO(newline="")
    act(RunnerLog(stream, token=_tokens().__next__))
    return stream.getvalue()


def _tokens():
    return (f"token-{number}" for number in itertools.count())


@settings(deadline=None)
@given(texts)
@example(HOSTILE)
@example("token-0\n::token-0::\n::error::out")
def test_no_text_smuggles_a_command(text):
    log = _log(lambda log: (log.untrusted(text), log.annotate(Annotation(level="notice", message="end"))))
    assert [name for name, _, _ in _commands(log)] == ["notice"]


@settings(deadline=None)
@given(texts, texts, texts)
@example(HOSTILE, HOSTILE, HOSTILE)
def test_an_annotation_says_what_it_was_given(message, title, path):
    annotation = Annotation(level="warning", message=message, title=title, path=path, line=3, end_line=4)
    log = _log(lambda log: log.annotate(annotation))
    ((name, properties, said),) = _commands(log)
    assert (name, said) == ("warning", message)
    assert properties.get("title", "") == title
    assert properties.get("file", "") == path
    assert (properties["line"], properties["endLine"]) == ("3", "4")


@settings(deadline=None)
@given(texts)
@example(HOSTILE)
def test_a_group_is_opened_and_closed(title):
    def act(log: RunnerLog) -> None:
        with log.group(title):
            log.untrusted(HOSTILE)

    assert _commands(_log(act)) == [("group", {}, title), ("endgroup", {}, "")]


def test_untrusted_text_is_shown_whole():
    assert _log(lambda log: log.untrusted("a\n::error::b")) == (
        "::stop-commands::token-0\na\n::error::b\n::token-0::\n"
    )


def test_a_secret_is_masked_line_by_line():
    log = _log(lambda log: (log.mask("one\ntwo%"), log.mask(""), log.mask(" ")))
    assert {message for name, _, message in _commands(log) if name == "add-mask"} == {
        "one\ntwo%",
        "one",
        "two%",
    }


def test_tokens_cannot_be_guessed():
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 32


def _outputs(text: str) -> dict[str, str]:
    """As the runner reads the file."""
    found = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if "<<" in line:
            name, delimiter = line.split("<<", 1)
            value = list(itertools.takewhile(lambda one, end=delimiter: one != end, lines))
            found[name] = "\n".join(value)
        elif "=" in line:
            found.update([line.split("=", 1)])
    return found


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=3))
@example(["a\nregreen-1\nevil=1", "evil<<x\n1\nx", ""])
def test_outputs_are_read_back_as_given(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("out") / "output"
    outputs = {f"name-{number}": value for number, value in enumerate(values)}
    write_outputs(path, outputs)
    with path.open(encoding="utf-8", newline="") as file:
        assert _outputs(file.read()) == {name: value.replace("\0", "") for name, value in outputs.items()}


def test_a_delimiter_that_was_guessed_is_not_taken_and_what_was_there_stays(tmp_path):
    path = tmp_path / "output"
    path.write_text("before=1\n", encoding="utf-8")
    write_outputs(path, {"patch": "token-0\nevil=1"}, token=_tokens().__next__)
    assert path.read_text(encoding="utf-8") == "before=1\npatch<<token-1\ntoken-0\nevil=1\ntoken-1\n"


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ConfigurationError, match="GITHUB_OUTPUT names"):
        write_outputs(tmp_path / "no" / "output", {"a": "b"})
    with pytest.raises(ConfigurationError, match="GITHUB_STEP_SUMMARY names"):
        write_summary(tmp_path / "no" / "summary", "text")


@pytest.fixture
def full_disk():
    """Let no file of this process grow beyond 1,000 bytes: a write that would is cut, the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_disk")
def test_outputs_that_do_not_fit_on_the_disk_leave_none(tmp_path):
    path = tmp_path / "output"
    path.write_text("before=1\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="File too large; it is as it was before"):
        write_outputs(path, {"outcome": "patched", "patch": "x" * 2_000})
    assert path.read_text(encoding="utf-8") == "before=1\n"


@settings(deadline=None)
@given(st.text(st.sampled_from("ab\n`~é🦊 "), max_size=400), st.integers(0, 500))
def test_a_cut_summary_fits_and_closes_its_fences(text, limit):
    cut = cut_markdown(text, limit)
    assert len(cut.encode()) <= limit
    if len(text.encode()) <= limit:
        assert cut == text
    elif cut:
        assert cut.endswith(CUT)
        assert text.startswith(cut.removesuffix(CUT).rpartition("\n")[0][:1] or "")


def test_a_fence_that_is_cut_is_closed():
    text = "````diff\n" + "+ line\n" * 100 + "````\n"
    cut = cut_markdown(text, 300)
    body = cut.removesuffix(CUT)
    assert body.startswith("````diff\n+ line\n")
    assert body.endswith("+ line\n````\n")
    assert len(cut.encode()) <= 300


def test_backticks_with_code_behind_them_open_no_fence():
    text = "``` a`b\n" + "line\n" * 100
    assert cut_markdown(text, 300).removesuffix(CUT).endswith("line\n")
    tildes = "~~~ a`b\n" + "line\n" * 100
    assert cut_markdown(tildes, 300).removesuffix(CUT).endswith("line\n~~~\n")


def test_the_summary_leaves_room_for_what_is_there(tmp_path):
    path = tmp_path / "summary"
    path.write_bytes(b"x" * 900)
    write_summary(path, "line\n" * 100, limit=1_000)
    assert 900 < path.stat().st_size <= 1_000
    write_summary(path, "more\n" * 100, limit=1_000)
    assert path.stat().st_size <= 1_000
