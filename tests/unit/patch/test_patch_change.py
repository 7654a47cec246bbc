"""A change between two versions as a patch, or the reason why no patch can express it."""

import pytest
from every_case import every_case

from bot.errors import EmptyPatch, InexpressibleChange, PatchError
from bot.patch.apply import apply
from bot.patch.change import FileChange, file_change, patch_in, patch_of

FILES = {"shop.py": b"a = 1\nb = 2\n", "README.md": b"# Shop\n"}
HEAD = "diff --git a/shop.py b/shop.py\n"
HUNK = "--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n-a = 1\n+a = 3\n b = 2\n"
NEW = (
    "diff --git a/link.py b/link.py\nnew file mode 120000\n--- /dev/null\n+++ b/link.py\n@@ -0,0 +1 @@\n+x\n"
)


def changed(path, before, after, *, modes=frozenset({1}), plain=True):
    return file_change(path, before, after, modes=modes, plain=plain)


def test_changed_and_new_files_become_a_patch():
    changes = [
        changed("shop.py", FILES["shop.py"], b"a = 3\nb = 2\n"),
        changed("README.md", FILES["README.md"], b"# The shop\n"),
        changed("more.py", None, b"c = 3\n"),
    ]
    sources = {path: data.decode() for path, data in FILES.items()}
    patched = apply(patch_of(changes, FILES), sources)
    assert patched == {"shop.py": "a = 3\nb = 2\n", "README.md": "# The shop\n", "more.py": "c = 3\n"}


@every_case(
    ("change", "said"),
    [
        (changed("shop.py", FILES["shop.py"], None), "shop.py is deleted"),
        (changed("shop.py", b"", b"", modes=frozenset({1, 2})), "shop.py gets another mode"),
        (changed("shop.py", b"", b"x", plain=False), "shop.py is or was a link or a submodule"),
        (FileChange(path="x\n.py", before=None, after=None, problem="is odd"), "x .py is odd"),
    ],
)
def test_what_no_patch_can_express_is_named(change, said):
    with pytest.raises(InexpressibleChange, match=said):
        patch_of([change], FILES)


def test_a_change_of_another_file_does_not_fit():
    with pytest.raises(PatchError, match=r"shop.py is another file than the one that it changes"):
        patch_of([changed("shop.py", b"other\n", b"x\n")], FILES)


def test_no_change_is_no_patch():
    with pytest.raises(EmptyPatch):
        patch_of([], FILES)


def test_a_diff_is_read_although_json_stands_in_it():
    other = '{"edits": [{"op": "delete", "path": "shop.py", "start": 1, "end": 2}]}'
    patch = patch_in(f"```json\n{other}\n```\n{HEAD}{HUNK}", FILES)
    assert apply(patch, {"shop.py": "a = 1\nb = 2\n"}) == {"shop.py": "a = 3\nb = 2\n"}


def test_a_name_that_git_quotes_is_found():
    diff = 'diff --git "a/\\303\\251.md" "b/\\303\\251.md"\n--- "a/\\303\\251.md"\n+++ "b/\\303\\251.md"\n'
    assert patch_in(f"{diff}@@ -1 +1 @@\n-a\n+b\n", {"\u00e9.md": b"a\n"}).paths == ("\u00e9.md",)


def test_the_end_of_a_mail_is_no_removed_line():
    mail = f"From 1 Mon Sep 17\nSubject: [PATCH] Fix\n\n---\n shop.py | 2 +-\n\n{HEAD}{HUNK}-- \n2.39.5\n\n"
    assert apply(patch_in(mail, FILES), {"shop.py": "a = 1\nb = 2\n"}) == {"shop.py": "a = 3\nb = 2\n"}


@every_case(
    "diff",
    [
        f"{HEAD}old mode 100644\nnew mode 100755\n{HUNK}",
        f"{HEAD}{HUNK}diff --git a/x.bin b/x.bin\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIc\n",
        f"{HEAD}{HUNK}diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n",
        f"{HEAD}{HUNK}diff --git a/b.py b/c.py\nsimilarity index 100%\ncopy from b.py\ncopy to c.py\n",
        f"{HEAD}{HUNK}diff --git a/b.py b/c.py\nsimilarity index 100%\nrename from b.py\nrename to c.py\n",
        f"{HEAD}{HUNK}diff --git a/b.py b/b.py\ndeleted file mode 100644\n--- a/b.py\n+++ /dev/null\n",
        f"{HEAD}{HUNK}{NEW}",
    ],
)
def test_nothing_in_a_diff_is_passed_over(diff):
    with pytest.raises(InexpressibleChange):
        patch_in(diff, FILES)


def test_paths_of_the_repository_are_read_below_the_project():
    diff = f"{HEAD}{HUNK}".replace("/shop.py", "/service/shop.py")
    sources = {"shop.py": "a = 1\nb = 2\n"}
    for text in (diff, f"{HEAD}{HUNK}"):
        assert apply(patch_in(text, FILES, above="service/"), sources) == {"shop.py": "a = 3\nb = 2\n"}
    new = "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x = 1\n"
    with pytest.raises(InexpressibleChange, match=r"n.py lies outside of the project"):
        patch_in(diff + new, FILES, above="service/")


@every_case(
    ("diff", "said"), [("please", "it holds no patch"), (HEAD + HUNK.replace("+a = 3", "+a = 1"), "nothing")]
)
def test_what_is_no_patch_is_said(diff, said):
    with pytest.raises(PatchError, match=said):
        patch_in(diff, FILES)
