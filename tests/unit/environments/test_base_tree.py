"""All files of the base: from a commit, a directory or a diff; what cannot be read is not made up."""

import hashlib

import pytest
from dulwich.objects import Blob, Tree
from git_support import NEW, OLD, diff_between, tree_of

from bot.environments.versions import base_tree as module
from sandbox.snapshot import Entry, Snapshot, take


def test_of_a_commit_all_files_are_known(checkout):
    checkout.commit({"m.py": OLD, "gone.py": "g\n", "data.json": "1\n", "same.txt": "s\n", "bin": b"\0\xff"})
    checkout.commit({"m.py": NEW, "gone.py": None, "data.json": "2\n", "new.py": "n\n", "bin": b"\0\xfe"})
    (checkout.top / "made.py").write_text("made by a build\n")
    found = tree_of(checkout.top)
    assert found.whole
    assert found.files == {
        "m.py": OLD.encode(),
        "gone.py": b"g\n",
        "data.json": b"1\n",
        "bin": b"\0\xff",
        "new.py": None,
    }
    assert found.lacks == {"new.py"}
    over = found.laid_over(take(checkout.top)).files
    assert (over["m.py"], over["made.py"]) == (OLD.encode(), b"made by a build\n")
    assert "new.py" not in over


def test_a_project_below_the_top_has_its_own_files_only(checkout):
    checkout.commit({"sub/deep/m.py": OLD, "other/m.py": OLD, "sub/x.py": "x\n"})
    checkout.commit({"sub/deep/m.py": NEW, "other/m.py": NEW})
    assert tree_of(checkout.top / "sub").files == {"deep/m.py": OLD.encode()}


def test_a_renamed_file_is_there_by_its_old_name(checkout):
    checkout.commit({"old.py": OLD, "use.py": "import old\n"})
    checkout.commit({"old.py": None, "new.py": OLD, "use.py": "import new\n"})
    found = tree_of(checkout.top)
    assert found.files == {"old.py": OLD.encode(), "new.py": None, "use.py": b"import old\n"}
    assert found.renamed({"new.py": NEW, "use.py": "import new\n"}) == {"new.py": OLD}
    assert found.renamed({"new.py": "something else\n"}) == {}


def pointer(content):
    digest = hashlib.sha256(content).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 3\n".encode()


def test_pointers_to_large_files_stand_for_their_contents(checkout):
    checkout.commit({"m.py": OLD, "big.bin": pointer(b"big"), "other.bin": pointer(b"one")})
    checkout.commit({"m.py": NEW})
    (checkout.top / "big.bin").write_bytes(b"big")
    found = tree_of(checkout.top)
    assert (found.whole, found.files) == (True, {"m.py": OLD.encode()})
    (checkout.top / "other.bin").write_bytes(b"another one")
    found = tree_of(checkout.top)
    assert (found.whole, found.files) == (False, {"m.py": OLD.encode()})


def test_submodules_links_and_names_that_lead_elsewhere_are_left_out(checkout):
    checkout.commit({"m.py": OLD})
    blob, inner, tree = Blob.from_string(b"x\n"), Tree(), checkout.tree
    inner.add(b"x.py", 0o100644, blob.id)
    tree[b"sub"] = (0o160000, b"1" * 40)
    tree[b"link"] = (0o120000, tree[b"m.py"][1])
    tree[b".."] = (0o040000, inner.id)
    for one in (blob, inner):
        checkout.repository.object_store.add_object(one)
    checkout.commit_tree(tree)
    (checkout.top / "m.py").write_text(NEW)
    found = tree_of(checkout.top)
    assert (found.whole, found.files) == (True, {"m.py": OLD.encode()})


@pytest.mark.parametrize("why", ["it is missing", "it is large"])
def test_an_object_that_is_not_read_leaves_the_other_files(checkout, monkeypatch, why):
    """As in a partial clone, or a damaged one."""
    data = "1" * 101
    checkout.commit({"m.py": OLD, "data.txt": data})
    checkout.commit({"m.py": NEW, "data.txt": "2\n"})
    if why == "it is missing":
        blob = Blob.from_string(data.encode()).id.decode()
        (checkout.top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    else:
        monkeypatch.setattr(module, "MAX_BYTES", 100)
    found = tree_of(checkout.top)
    assert (found.whole, found.files) == (False, {"m.py": OLD.encode()})


def test_of_a_directory(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for place, text in ((old, OLD), (new, NEW)):
        place.mkdir()
        (place / "m.py").write_text(text)
    (old / "gone.py").write_text("g\n")
    (new / "made.py").write_text("n\n")
    found = tree_of(new, str(old))
    assert (found.whole, found.files) == (True, {"m.py": OLD.encode(), "gone.py": b"g\n"})
    assert found.lacks == {"made.py"}
    assert "made.py" in found.laid_over(take(new)).files


def test_of_a_diff_as_far_as_it_applies(tmp_path):
    old = {"m.py": OLD, "gone.py": "g\n", "notes.md": "a\n"}
    new = {"m.py": NEW, "new.py": "n\n", "notes.md": "a\nb\n"}
    for path, text in new.items():
        (tmp_path / path).write_text(text)
    gone = "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
    diff = gone + diff_between({path: text for path, text in old.items() if path != "gone.py"}, new)
    found = tree_of(tmp_path, diff=diff)
    assert found.whole
    assert found.files == {"m.py": OLD.encode(), "gone.py": b"g\n", "new.py": None, "notes.md": b"a\n"}
    assert found.documents(take(tmp_path)) == ("b",)
    (tmp_path / "notes.md").write_text("otherwise\n")
    assert not tree_of(tmp_path, diff=diff).whole


@pytest.mark.parametrize(
    "more", ["Binary files a/x and b/x differ\n", "GIT binary patch\nliteral 3\nKcmZ\n\nliteral 0\nHcmV\n\n"]
)
def test_a_diff_with_binary_files_is_not_whole(tmp_path, more):
    (tmp_path / "m.py").write_text(NEW)
    head = "diff --git a/x b/x\nindex 1..2 100644\n"
    diff = head + more + diff_between({"m.py": OLD}, {"m.py": NEW})
    found = tree_of(tmp_path, diff=diff)
    assert (found.whole, found.files) == (False, {"m.py": OLD.encode()})


def test_a_diff_that_names_places_outside_gives_nothing_of_them(tmp_path):
    (tmp_path / "m.py").write_text(NEW)
    diff = "--- a/m.py\n+++ b/m.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n"
    diff += "--- a/../../etc/passwd\n+++ /dev/null\n@@ -1 +0,0 @@\n-root\n"
    assert set(tree_of(tmp_path, diff=diff).files) == {"m.py"}


def test_without_a_base_there_is_no_tree(tmp_path):
    (tmp_path / "m.py").write_text(NEW)
    assert tree_of(tmp_path, "none").files == {}


def test_a_link_gives_way_to_a_file_of_the_base():
    snapshot = Snapshot(entries=(Entry(path="m.py", link="other.py"),))
    over = module.BaseTree(files={"m.py": b"x"}).laid_over(snapshot)
    assert over.files == {"m.py": b"x"}
