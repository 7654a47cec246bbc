"""The written diff, byte for byte; that git takes it is stated as a property elsewhere."""

import shutil
import subprocess

import pytest

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import from_sources
from bot.patch.diff import changed_lines, quote_path, unified_diff
from bot.patch.text import encode


def diff(old, new):
    return unified_diff(from_sources(old, new), old)


def test_near_changes_share_a_hunk_and_far_ones_do_not():
    lines = [f"{number}\n" for number in range(30)]
    near, far = lines.copy(), lines.copy()
    near[3] = near[10] = far[3] = far[11] = "x\n"
    assert diff({"a": "".join(lines)}, {"a": "".join(near)}).count("@@ -") == 1
    assert diff({"a": "".join(lines)}, {"a": "".join(far)}).count("@@ -") == 2


def test_new_files_and_emptied_files():
    assert diff({}, {"a": "1\n"}) == (
        "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n"
    )
    assert diff({}, {"a": ""}) == "diff --git a/a b/a\nnew file mode 100644\n"
    assert "@@ -1,2 +0,0 @@" in diff({"a": "1\n2\n"}, {"a": ""})
    assert diff({"a": "1\n"}, {"a": "1\n"}) == ""


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        ("a b", "a b"),
        ("a\tb", '"a\\tb"'),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("é", '"\\303\\251"'),
        ("\x01\x7f\udcff", '"\\001\\177\\377"'),
        ("\a\b\n\v\f\r", '"\\a\\b\\n\\v\\f\\r"'),
    ],
)
def test_names_are_quoted_as_git_does(path, quoted, tmp_path):
    assert quote_path(path) == quoted
    if not shutil.which("git"):
        pytest.skip("needs git")
    (tmp_path / path).write_text("x")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    listed = subprocess.run(["git", "ls-files", "-o"], cwd=tmp_path, check=True, capture_output=True).stdout
    assert listed == f"{quoted}\n".encode()


def test_a_diff_equals_gits_own_but_for_the_index_line(tmp_path):
    old = "".join(f"line {number}\r\n" for number in range(40)) + "end"
    new = old.replace("line 3\r\n", "").replace("line 20\r\n", "line 20\r\nmore\x0c\r\n") + "\n"
    (tmp_path / "sp ace.py").write_bytes(encode(old))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "sp ace.py").write_bytes(encode(new))
    theirs = subprocess.run(
        [*git, "diff", "--no-color"], cwd=tmp_path, check=True, capture_output=True
    ).stdout
    ours = encode(diff({"sp ace.py": old}, {"sp ace.py": new}))

    def comparable(text):
        return [
            line.partition(b" @@")[0] if line.startswith(b"@@") else line
            for line in text.split(b"\n")
            if not line.startswith(b"index ")
        ]

    assert comparable(ours) == comparable(theirs)


def test_changed_lines_counts_added_and_removed():
    old = {"a": "1\n2\n3\n", "b": "x\n"}
    assert changed_lines(from_sources(old, {"a": "1\nII\n3\n4\n", "c": "n\n"}), old) == 4
    assert changed_lines(Patch(edits=()), old) == 0
    with pytest.raises(PatchError):
        changed_lines(Patch(edits=(SpanEdit(path="a", start=0, end=99, replacement=""),)), old)
