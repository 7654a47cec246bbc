"""The stand-in's Git objects, merges and diffs are those that git itself makes."""

import subprocess

import pytest
from fakes.github import Executable, Link, serve
from fakes.github.merges import merge_sha
from fakes.github.patches import diff, hunks
from fakes.github.routes_repository import resolve
from fakes.github.routing import Refused


def test_a_merge_is_the_one_that_git_makes(tmp_path):
    with serve() as github:
        world = github.world
        repository = world.repository("octo/app", {"a.py": b"1\n", "b.py": b"1\n", "gone.py": b"1\n"})
        world.push(repository, "feature", {"a.py": b"2\n", "new/c.py": b"3\n"})
        pull = world.pull(repository, "feature")
        base = world.push(repository, "main", {"b.py": b"4\n", "gone.py": None})
        objects = repository.objects
        sha = merge_sha(repository, pull)
        commit = objects.commits[sha]
    assert commit.parents == (base, pull.pull.head_sha)
    git = _git(tmp_path)
    start = objects.merge_base(base, pull.pull.head_sha)
    trees = []
    for side in (start, base, pull.pull.head_sha):
        git("read-tree", "--empty")
        for path, leaf in objects.at(side).items():
            git("hash-object", "-w", "--stdin", given=objects.blobs[leaf.sha])
            git("update-index", "--add", "--cacheinfo", f"{leaf.mode},{leaf.sha},{path}")
        trees.append(git("write-tree"))
    git("read-tree", trees[1])
    git("read-tree", "-i", "-m", "--aggressive", *trees)
    assert git("write-tree") == commit.tree


def test_the_merge_of_a_pull_request_has_a_ref_of_its_own():
    with serve() as github:
        repository = github.world.repository("octo/app", {"a.py": b"1\n"})
        github.world.push(repository, "feature", {"a.py": b"2\n"})
        pull = github.world.pull(repository, "feature")
        assert resolve(repository, "refs/pull/1/merge") == merge_sha(repository, pull)
        assert resolve(repository, "refs/pull/1/head") == pull.pull.head_sha
        github.world.push(repository, "main", {"a.py": b"3\n"})
        with pytest.raises(Refused):
            resolve(repository, "refs/pull/1/merge")


def test_objects_have_the_names_that_git_gives(tmp_path):
    with serve() as github:
        repository = github.world.repository(
            "octo/app",
            {
                "a.py": b"x\n",
                "a/b.py": b"sorted after a.py, as a directory\n",
                "run.sh": Executable(b"#!/bin/sh\n"),
                "link": Link("a.py"),
                "é.txt": b"\xff",
            },
        )
        sha = repository.refs["refs/heads/main"]
        commit = repository.objects.commits[sha]
    git = _git(tmp_path)
    for blob, content in repository.objects.blobs.items():
        assert git("hash-object", "-w", "--stdin", given=content) == blob
    for path, leaf in repository.objects.at(sha).items():
        git("update-index", "--add", "--cacheinfo", f"{leaf.mode},{leaf.sha},{path}")
    assert git("write-tree") == commit.tree
    who = commit.author
    text = f"tree {commit.tree}\nauthor {who.line()}\ncommitter {who.line()}\n\n{commit.message}"
    assert git("hash-object", "-t", "commit", "--stdin", given=text.encode()) == sha


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb", b"a\nb\n"),
        (b"a\n", b""),
        (
            b"".join(b"%d\n" % n for n in range(40)),
            b"".join(b"%d\n" % n for n in range(40) if n not in {3, 30}),
        ),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (b"form\x0cfeed\x1dline\n", b"form\x0cfeed\x1dother\n"),
    ],
)
def test_patches_are_those_of_git(tmp_path, old, new):
    with serve() as github:
        repository = github.world.repository("octo/app", {"f": old, "g": b"same\n"})
        base = repository.refs["refs/heads/main"]
        head = github.world.push(repository, "main", {"f": new})
        (found,) = diff(repository.objects, base, head)
    (tmp_path / "old").write_bytes(old)
    (tmp_path / "new").write_bytes(new)
    git = _git(tmp_path)
    shown = git("diff", "--no-index", "--no-color", "old", "new", codes={1}).partition("\n@@")[2]
    lines = f"@@{shown}".split("\n")
    # GitHub and git add a line's text to a hunk's head, which nobody reads.
    lines = [f"{line.rpartition(' @@')[0]} @@" if line.startswith("@@ ") else line for line in lines]
    assert (found.patch or "").split("\n") == lines


def test_hunks_show_their_context():
    assert list(hunks("@@ -1,2 +1,3 @@ def f():\n a\n+b\n c\n@@ -9 +10,0 @@\n-x")) == [
        range(1, 4),
        range(10, 10),
    ]


def _git(directory):
    def git(*words: str, given: bytes = b"", codes: set[int] = frozenset({0})) -> str:
        environment = {"GIT_DIR": str(directory / ".git"), "PATH": "/usr/bin:/bin", "HOME": str(directory)}
        environment |= {"GIT_INDEX_FILE": str(directory / "index"), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *words], input=given, cwd=directory, env=environment, capture_output=True, check=False
        )
        assert done.returncode in codes, done.stderr
        return done.stdout.decode().removesuffix("\n")

    git("init", "-q")
    return git
