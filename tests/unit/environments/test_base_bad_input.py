"""Repositories and diffs that are not as one would wish: a version all the same, or one sentence."""

import gc

import pytest
from dulwich import porcelain
from dulwich.objects import Blob, Commit, Tree
from git_support import AUTHOR, NEW, OLD, base_of

from bot.environments.versions.checkout import commit_time


@pytest.fixture
def repository(checkout):
    """A repository with two commits of ``m.py``."""
    for text in (OLD, NEW):
        checkout.commit({"m.py": text})
    return checkout.top, checkout.repository


def found(top, wanted="auto", head=NEW):
    version = base_of(top, wanted, {"m.py": head})
    assert "\n" not in version.problem
    return version


def objects(top):
    return [one for one in (top / ".git" / "objects").glob("??/*") if one.is_file()]


def test_a_shallow_clone(repository):
    top, git = repository
    head = git[git.head()]
    parent = head.parents[0].decode()
    (top / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    (top / ".git" / "shallow").write_text(f"{head.id.decode()}\n")
    version = found(top)
    assert version.problem
    assert version.tree.files == {}


def damage(top, git, change):
    """Put all objects into one pack, whose content is then what ``change`` makes of it."""
    porcelain.repack(git)
    pack = next((top / ".git" / "objects" / "pack").glob("*.pack"))
    for file in objects(top):
        file.unlink()
    git.close()
    pack.chmod(0o644)
    pack.write_bytes(change(pack.read_bytes()))


@pytest.mark.parametrize("keep", [0, 11, 40, 200])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cut_pack(repository, keep):
    damage(*repository, lambda content: content[:keep])
    version = found(repository[0])
    assert (version.sources, version.tree.files) == ({}, {})
    assert version.problem
    gc.collect()


@pytest.mark.parametrize("at", range(12, 300, 24))
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_pack_with_changed_bytes(repository, at):
    """Whatever the library makes of it: the old text, or a reason; and the commit's time costs no run."""
    damage(*repository, lambda content: content[:at] + b"\xff" * 8 + content[at + 8 :])
    version = found(repository[0])
    assert version.problem or version.sources in ({"m.py": OLD}, {})
    commit_time(repository[0])
    gc.collect()


def test_two_places_where_the_branches_meet(repository):
    """A criss-cross merge: one of the two is taken."""
    top, git = repository
    first = git.head()
    sides = [_child(git, [first], text) for text in ("a = 1\n", "b = 1\n")]
    heads = [_child(git, order, f"c = {n}\n") for n, order in enumerate((sides, sides[::-1]))]
    git.refs[b"refs/heads/main"] = heads[0]
    git.refs[b"refs/heads/topic"] = heads[1]
    git.refs.set_symbolic_ref(b"HEAD", b"refs/heads/topic")
    (top / "m.py").write_text("c = 1\n")
    version = found(top, head="c = 1\n")
    assert version.name.endswith("where the branch begins")
    assert version.sources["m.py"] in {"a = 1\n", "b = 1\n"}
    assert version.tree.files["m.py"] == version.sources["m.py"].encode()


def _child(git, parents, text):
    blob, tree, commit = Blob.from_string(text.encode()), Tree(), Commit()
    tree.add(b"m.py", 0o100644, blob.id)
    commit.tree, commit.parents, commit.message = tree.id, list(parents), b"m"
    commit.author = commit.committer = AUTHOR
    commit.author_time = commit.commit_time = 1_700_000_000
    commit.author_timezone = commit.commit_timezone = 0
    for one in (blob, tree, commit):
        git.object_store.add_object(one)
    return commit.id


@pytest.mark.parametrize("old", [b"x = '\0'\n", b"\xff\xfe" * 50, b"def broken(:\n"])
def test_a_base_that_is_no_python(checkout, repository, old):
    top, _ = repository
    checkout.commit({"m.py": old})
    version = found(top, "HEAD")
    assert version.sources == {"m.py": old.decode("utf-8", "surrogateescape")}
    assert version.tree.files == {"m.py": old}
