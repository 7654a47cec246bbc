"""Where bubblewrap does not work, its reason is told in a line with what to do."""

import pytest

from sandbox.bubblewrap import BubblewrapProvider
from sandbox.errors import SandboxUnavailable


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("bwrap: No permissions for a new namespace. See <https://x> or <file:///y>.", "namespace. Use"),
        ("loading\nbwrap: Can't mount proc on /newroot/proc: Operation not permitted", "not permitted. Use"),
        ("", "here: no reason given. Use"),
    ],
)
def test_a_refusal_is_told_with_what_to_do(tmp_path, monkeypatch, said, told):
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n/bin/cat >&2 <<'END'\n{said}\nEND\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable) as caught:
        BubblewrapProvider().check()
    message = str(caught.value)
    assert told in message
    assert "docs/troubleshooting.md" in message
    assert "\n" not in message
    assert "<" not in message


def test_a_version_that_is_not_told_ends_in_a_line(tmp_path, monkeypatch):
    program = tmp_path / "bwrap"
    program.write_text('#!/bin/sh\n[ "$1" != --version ] || exec /bin/sleep 60\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sandbox.bubblewrap.CHECK_TIMEOUT_S", 0.5)
    with pytest.raises(SandboxUnavailable, match="bwrap --version does not answer"):
        BubblewrapProvider().describe()


def test_a_program_that_works_is_tried_once_and_another_one_anew(tmp_path, monkeypatch):
    program, tried = tmp_path / "bwrap", tmp_path / "tried"
    program.write_text(f"#!/bin/sh\necho once >> {tried}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for _again in range(2):
        BubblewrapProvider().check()
    assert tried.read_text() == "once\n"
    program.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(SandboxUnavailable):
        BubblewrapProvider().check()
