"""Repositories for the tests of this directory."""

from dulwich import porcelain
from dulwich.repo import Repo
from snapshots import snapshot

from bot.environments.versions import base_version as module
from bot.patch.apply import from_sources
from bot.patch.diff import unified_diff
from sandbox.snapshot import take

AUTHOR = b"A <a@example.org>"
OLD, NEW = "def f():\n    return 1\n", "def f():\n    return 2\n"


class Checkout:
    """A repository at ``top`` with commits of files by path, without those that are None."""

    def __init__(self, top):
        self.top, self.repository = top, Repo.init(str(top), default_branch=b"main")

    def commit(self, files, **more):
        for path, text in files.items():
            place = self.top / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                place.unlink()
                porcelain.remove(self.repository, [str(place)])
            else:
                place.write_bytes(
                    text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
                )
                porcelain.add(self.repository, [str(place)])
        more.setdefault("message", b"m")
        return porcelain.commit(self.repository, author=AUTHOR, committer=AUTHOR, **more)

    def commit_tree(self, tree):
        """A commit of ``tree`` as it is."""
        self.repository.object_store.add_object(tree)
        more = {"message": b"m", "author": AUTHOR, "committer": AUTHOR}
        return self.repository.get_worktree().commit(tree=tree.id, **more)

    @property
    def tree(self):
        return self.repository[self.repository[self.repository.head()].tree]


def base_of(project, wanted, files, **more):
    """The version to compare a project of these files with."""
    data = {path: text.encode("utf-8", "surrogateescape") for path, text in files.items()}
    return module.base_version(project, wanted, snapshot(data), **more)


def diff_between(old, new):
    return unified_diff(from_sources(old, new), old)


def tree_of(project, wanted="auto", diff=""):
    """All files of the version to compare ``project`` with, as it lies there."""
    return module.base_version(project, wanted, take(project), diff=diff).tree
