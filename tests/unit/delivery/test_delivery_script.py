"""The command that applies a diff: pasted into a shell, it gives the patched file, byte for byte."""

import subprocess

import pytest

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
