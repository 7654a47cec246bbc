"""The configuration file: a flat mapping, read as hostile input."""

import os

import pytest

from bot.config.options.file import SIZE_LIMIT_BYTES, OptionEntry, read
from bot.errors import ConfigurationError


@pytest.fixture
def file(tmp_path):
    """Writes the file; returns its path."""

    def write(content):
        path = tmp_path / "regreen.yml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def entries(path):
    return [(entry.name, entry.text) for entry in read(path)]


def test_a_file_as_one_writes_it(file):
    text = (
        "# how we repair\n"
        "sandbox: docker   # always\n"
        "'time-budget': \"10m\"\n"
        "\n"
        "setup-command: >-\n"
        "  pip install\n"
        "  -r requirements.txt\n"
    )
    assert read(file(text)) == (
        OptionEntry(name="sandbox", text="docker", line=2),
        OptionEntry(name="time-budget", text="10m", line=3),
        OptionEntry(name="setup-command", text="pip install -r requirements.txt", line=5),
    )


@pytest.mark.parametrize(
    "text", ["3.10", "010", "0x10", "1:30", "yes", "1e3", "2020-01-01", "!x", "*x", "null"]
)
def test_a_value_is_the_text_that_was_written(file, text):
    assert entries(file(f"model: '{text}'\n")) == [("model", text)]
    if text[0] not in "!*n":
        assert entries(file(f"model: {text}\n")) == [("model", text)]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "~\n", "\ufeff"])
def test_a_file_that_sets_nothing(file, text):
    assert read(file(text)) == ()


@pytest.mark.parametrize("value", ["", "~", "null", "''"])
def test_an_option_without_a_value_is_not_set(file, value):
    assert read(file(f"model: {value}\nworkers: 2\n")) == (OptionEntry(name="workers", text="2", line=2),)


BOMB = "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n"
HOSTILE = [
    pytest.param(BOMB, ":1: anchors and aliases are not allowed", id="alias-bomb"),
    pytest.param("a: *b\n", ":1: anchors and aliases are not allowed", id="alias"),
    pytest.param("a: 1\n<<: &x 2\n", ":2: anchors and aliases", id="merge"),
    pytest.param("a: !!python/object/apply:os.system [id]\n", ":1: tags such as", id="python-tag"),
    pytest.param("a: !!binary aGk=\n", ":1: tags such as", id="binary-tag"),
    pytest.param("!!map {a: b}\n", ":1: tags such as", id="tagged-mapping"),
    pytest.param("- a\n- b\n", ":1: expected lines of the form 'option: value', found a list", id="list"),
    pytest.param("just words\n", "found a lone text", id="words"),
    pytest.param(
        "a:\n  b: c\n", ":2: expected lines of the form 'option: value', found a nested", id="nested"
    ),
    pytest.param("a: [1, 2]\n", "found a list", id="list-value"),
    pytest.param("? [a]\n: b\n", "found a list", id="list-key"),
    pytest.param("a: 1\na: 2\n", ":2: 'a' is set in line 1 already", id="twice"),
    pytest.param("a: 1\n'a': 2\n", ":2: 'a' is set in line 1 already", id="twice-quoted"),
    pytest.param("a: 1\n---\nb: 2\n", ":2: a second document", id="documents"),
    pytest.param("a: 'open\n", "not YAML: ", id="unclosed"),
    pytest.param("a:\tb: c\n", "not YAML: ", id="tab"),
    pytest.param("\ta: b\n", "not YAML: ", id="tab-indent"),
    pytest.param("a: b\0c\n", "no YAML file may", id="nul"),
    pytest.param("a: \x1b[31mred\n", "no YAML file may", id="escape"),
    pytest.param(b"a: \xff\n", "not UTF-8: byte 3", id="bytes"),
    pytest.param("[" * 60_000, "found a list", id="deep-list"),
    pytest.param("{" * 60_000, "found a nested", id="deep-mapping"),
    pytest.param("a: " + "x" * SIZE_LIMIT_BYTES, "larger than 64 KiB", id="huge"),
    pytest.param("%YAML 9.9\n---\na: b\n", "not YAML: ", id="version"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE)
def test_anything_but_a_flat_mapping_is_one_clear_line(file, text, words):
    path = file(text)
    with pytest.raises(ConfigurationError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert words in message
    assert message.isprintable()


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigurationError, match=r"cannot read the configuration .*: No such file"):
        read(tmp_path / "absent.yml")
    with pytest.raises(ConfigurationError, match="not a plain file"):
        read(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigurationError, match="not a plain file"):
        read(tmp_path / "pipe")
