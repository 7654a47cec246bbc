"""Repositories and diffs that are not as one would wish: a version all the same, or one sentence."""

import gc

import pytest
from dulwich import porcelain
from dulwich.objects import Blob, Commit, Tree
from dulwich.repo import Repo

from bot.environments.base_tree import base_tree
from bot.environments.base_version import base_version
from bot.environments.checkout import commit_time
from sandbox.snapshot import take

AUTHOR = b"A <a@example.org>"
OLD, NEW = "def f():\n    return 1\n", "def f():\n    return 2\n"


@pytest.fixture
def checkout(tmp_path):
    """A repository with two commits of ``m.py``."""
    with Repo.init(str(tmp_path), default_branch=b"main") as repository:
        for text in (OLD, NEW):
            (tmp_path / "m.py").write_text(text)
            porcelain.add(repository, [str(tmp_path / "m.py")])
            porcelain.commit(repository, message=b"m", author=AUTHOR, committer=AUTHOR)
        yield tmp_path, repository


def found(top, wanted="auto", head=NEW):
    version = base_version(top, wanted, {"m.py": head})
    tree = base_tree(top, version, take(top))
    assert "\n" not in version.problem
    return version, tree


def objects(top):
    return [one for one in (top / ".git" / "objects").glob("??/*") if one.is_file()]


def test_a_shallow_clone(checkout):
    top, repository = checkout
    head = repository[repository.head()]
    parent = head.parents[0].decode()
    (top / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    (top / ".git" / "shallow").write_text(f"{head.id.decode()}\n")
    version, tree = found(top)
    assert version.problem
    assert tree.files == {}


def packed(top, repository):
    """Put all objects into one pack; its file."""
    porcelain.repack(repository)
    return next((top / ".git" / "objects" / "pack").glob("*.pack"))


@pytest.mark.parametrize("keep", [0, 11, 40, 200])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cut_pack(checkout, keep):
    top, repository = checkout
    pack = packed(top, repository)
    for file in objects(top):
        file.unlink()
    content = pack.read_bytes()
    repository.close()
    pack.chmod(0o644)
    pack.write_bytes(content[:keep])
    version, tree = found(top)
    assert (version.sources, tree.files) == ({}, {})
    assert version.problem
    gc.collect()


@pytest.mark.parametrize("at", range(12, 300, 24))
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_pack_with_changed_bytes(checkout, at):
    """Whatever the library makes of it: the old text, or a reason; and the commit's time costs no run."""
    top, repository = checkout
    pack = packed(top, repository)
    for file in objects(top):
        file.unlink()
    content = bytearray(pack.read_bytes())
    repository.close()
    pack.chmod(0o644)
    content[at : at + 8] = b"\xff" * 8
    pack.write_bytes(bytes(content))
    version, _ = found(top)
    assert version.problem or version.sources in ({"m.py": OLD}, {})
    commit_time(top)
    gc.collect()


def test_a_missing_base(checkout):
    top, _ = checkout
    assert found(top, "v9.9")[0].problem
    assert found(top, str(top / "nowhere"))[0].problem


def test_two_places_where_the_branches_meet(checkout):
    """A criss-cross merge: one of the two is taken."""
    top, repository = checkout
    first = repository.head()
    sides = [_child(repository, [first], text) for text in ("a = 1\n", "b = 1\n")]
    heads = [_child(repository, order, f"c = {n}\n") for n, order in enumerate((sides, sides[::-1]))]
    repository.refs[b"refs/heads/main"] = heads[0]
    repository.refs[b"refs/heads/topic"] = heads[1]
    repository.refs.set_symbolic_ref(b"HEAD", b"refs/heads/topic")
    (top / "m.py").write_text("c = 1\n")
    version, tree = found(top, head="c = 1\n")
    assert version.name.endswith("where the branch begins")
    assert version.sources["m.py"] in {"a = 1\n", "b = 1\n"}
    assert tree.files["m.py"] == version.sources["m.py"].encode()


def _child(repository, parents, text):
    blob, tree, commit = Blob.from_string(text.encode()), Tree(), Commit()
    tree.add(b"m.py", 0o100644, blob.id)
    commit.tree, commit.parents, commit.message = tree.id, list(parents), b"m"
    commit.author = commit.committer = AUTHOR
    commit.author_time = commit.commit_time = 1_700_000_000
    commit.author_timezone = commit.commit_timezone = 0
    for one in (blob, tree, commit):
        repository.object_store.add_object(one)
    return commit.id


@pytest.mark.parametrize("old", [b"x = '\0'\n", b"\xff\xfe" * 50, b"def broken(:\n"])
def test_a_base_that_is_no_python(checkout, old):
    top, repository = checkout
    (top / "m.py").write_bytes(old)
    porcelain.add(repository, [str(top / "m.py")])
    porcelain.commit(repository, message=b"m", author=AUTHOR, committer=AUTHOR)
    (top / "m.py").write_text(NEW)
    version, tree = found(top, "HEAD")
    assert version.sources == {"m.py": old.decode("utf-8", "surrogateescape")}
    assert tree.files == {"m.py": old}
