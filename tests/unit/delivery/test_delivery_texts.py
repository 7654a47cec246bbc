"""Texts that people read or paste: numbers in prose, and the command that applies a diff byte for byte."""

import subprocess

import pytest
from every_case import every_case

from bot.delivery import markdown
from bot.delivery.render import apply_script
from bot.patch.apply import from_sources
from bot.patch.diff import unified_diff
from bot.patch.text import decode

CASES = {
    "plain": (b"a = 1\n", b"a = 2\n"),
    "a shell's own characters": (b"a = '$HOME'\n", b'a = "`id` $(id) \\\\ ! \' "\n'),
    "the word that ends the input": (b"a = 1\n", b"REGREEN\nREGREEN_\n"),
    "carriage returns": (b"a = 1\r\nb = 2\r\n", b"a = 2\r\nb = 2\r\n"),
    "no line feed at the end": (b"a = 1", b"a = 2"),
    "bytes that are not UTF-8": (b"# \xe9\na = 1\n", b"# \xe9\na = 2\n"),
    "what cannot be seen": (b"a = 1\n", "a = '\u202e'\n".encode()),
    "a new file": (None, b"a = 1\n"),
    "tabs": (b"if x:\n\ta = 1\n", b"if x:\n\ta = 2\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_shell_makes_of_it(name, tmp_path):
    before, after = CASES[name]
    sources = {} if before is None else {"a file.py": decode(before)}
    diff = unified_diff(from_sources(sources, {"a file.py": decode(after)}), sources)
    if before is not None:
        (tmp_path / "a file.py").write_bytes(before)
    script = apply_script(diff)
    assert all(char.isprintable() or char in "\n\t" for char in script)
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True, env={"PATH": "/usr/bin:/bin"})
    assert (tmp_path / "a file.py").read_bytes() == after


@every_case(
    "text",
    ["3 tests fail (1 of them flaky)", "(1) is first", "1, then 2", "it is the 3) of five", "a share (5%)"],
)
def test_numbers_in_parentheses_are_words(text):
    assert markdown.prose(text) == text


@every_case("begin", ["1.", "1)", "1):", "12)."])
def test_what_would_begin_a_list_is_code(begin):
    assert markdown.prose(f"{begin} first") == f"`{begin}` first"


@every_case("char", ["\u2065", "\ufff0", "\U000e0080", "\ue000", "\u200b"])
def test_a_character_without_a_meaning_is_named(char):
    assert markdown.visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"
    assert not markdown.is_visible(char)
