"""Files, commits and branches through the Git data API: no clone, no push, no force.

Trees are walked rather than paths asked for: the contents API follows symbolic links, and what a link shows
must be neither read nor changed in its target's stead.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from bot.errors import HeadMoved, NotFound, Unprocessable, quoted
from bot.github import convert, valid_names
from bot.github.connection import ClientPart, Connection
from bot.github.records import GitCommit

FILE, EXECUTABLE, DIRECTORY = "100644", "100755", "040000"
_PLAIN = frozenset({FILE, EXECUTABLE, "100664"})
READ, WRITE = "contents: read", "contents: write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """What a tree has under a name."""

    mode: str
    sha: str


class GitData(ClientPart):
    """The part of the client that speaks of files and branches."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._trees: dict[str, dict[str, Leaf]] = {}

    def file(self, path: str, *, ref: str) -> bytes | None:
        """A regular file's content at ``ref``; None if there is none: neither is a link nor a submodule."""
        with self._connection.asking(f"read {quoted(path)} at {quoted(ref)}", needs=READ):
            leaf = self._find(path, ref)
            if leaf is None or leaf.mode not in _PLAIN:
                return None
            blob = self._api.get_git_blob(leaf.sha)
            return base64.b64decode(blob.content) if blob.encoding == "base64" else blob.content.encode()

    def paths(self, *, ref: str) -> tuple[str, ...]:
        """The paths of all that is at ``ref`` but directories, by one request; of very many the first."""
        with self._connection.asking(f"list the files at {quoted(ref)}", needs=READ):
            answer = self._connection.get(f"/git/trees/{quote(ref)}", recursive="1")
            return tuple(convert.text(one["path"]) for one in answer["tree"] if one["mode"] != DIRECTORY)

    def branch_head(self, branch: str) -> str | None:
        """The sha that a branch points to; None if there is no such branch."""
        valid_names.branch(branch)
        try:
            with self._connection.asking(f"read the branch {quoted(branch)}", needs=READ):
                # GitHub answers with a list where the name is only a beginning; that has no object.
                answer = self._connection.get(f"/git/ref/heads/{quote(branch)}")
                return convert.text(answer["object"]["sha"])
        except NotFound:
            return None

    def read_commit(self, sha: str) -> GitCommit:
        """A commit with its message."""
        valid_names.sha(sha)
        with self._connection.asking(f"read the commit {sha}", needs=READ):
            return convert.git_commit(self._api.get_commit(sha))

    def changes_only(self, files: Mapping[str, bytes], *, sha: str, parent: str) -> bool:
        """Whether the tree of ``sha`` is that of ``parent`` but for ``files``, which have those contents.

        The mode of an existing file has to be kept.
        """
        with self._connection.asking(f"compare the commit {quoted(sha)}", needs=READ):
            old, new = Leaf(mode=DIRECTORY, sha=parent), Leaf(mode=DIRECTORY, sha=sha)
            if not self._is_same_but(frozenset(files), old, new):
                return False
        return all(self.file(path, ref=sha) == content for path, content in files.items())

    def commit(
        self,
        *,
        parent: str = "",
        files: Mapping[str, bytes],
        message: str,
        trailers: Mapping[str, str] | None = None,
    ) -> str:
        """A commit on ``parent`` with ``files``, made through the Git data API; no branch moves. Its sha.

        Without a parent it is the first of a history, and holds nothing else.

        The mode of an existing file is kept. A lost answer may leave an object that nothing points to; git
        sweeps it.

        Raises:
            Unprocessable: a changed path is a link, a directory or a submodule, or lies below what is no
            directory.
        """
        from github import InputGitTreeElement

        connection = self._connection
        if parent:
            valid_names.sha(parent)
        with connection.asking("make a commit", needs=WRITE):
            before = [self._api.get_git_commit(parent)] if parent else []
            elements = []
            for path, content in sorted(files.items()):
                leaf = self._find(path, parent) if parent else None
                if leaf and leaf.mode not in _PLAIN:
                    raise Unprocessable(f"not a plain file, so it is not changed: {quoted(path)}")
                if parent and leaf is None and self._is_below_a_file(path, parent):
                    # Git would put a directory into that one's place.
                    raise Unprocessable(f"below what is no directory, so it is not made: {quoted(path)}")
                mode = leaf.mode if leaf else FILE
                elements.append(InputGitTreeElement(path, mode, "blob", sha=self._blob(content)))
            if not elements:
                raise Unprocessable("a commit that changes nothing is not made")
            trees = [one.tree for one in before]
            tree = connection.once(lambda: self._api.create_git_tree(elements, *trees))
            text = _with_trailers(message, trailers)
            made = connection.once(lambda: self._api.create_git_commit(text, tree, before))
            return convert.text(made.sha)

    def create_branch(self, branch: str, sha: str) -> None:
        """A new branch at ``sha``.

        Raises:
            Unprocessable: there is one of that name.
        """
        ref = f"refs/heads/{valid_names.branch(branch)}"
        valid_names.sha(sha)
        with self._connection.asking(f"create the branch {quoted(branch)}", needs=WRITE):
            self._connection.once(
                lambda: convert.text(self._api.create_git_ref(ref, sha).object.sha),
                find=lambda: sha if self.branch_head(branch) == sha else None,
            )

    def move_branch(self, branch: str, sha: str, *, expected: str) -> None:
        """Fast-forward ``branch`` from ``expected`` to ``sha``; never by force.

        Raises:
            HeadMoved: it does not point to ``expected`` any more.
        """
        valid_names.sha(sha)
        head = self.branch_head(branch)
        if head == sha:
            return
        if head != valid_names.sha(expected):
            where = f"at {head}" if head else "gone"
            raise HeadMoved(
                f"the branch {quoted(branch)} is not at {expected} any more but {where}: run again on "
                "what is new"
            )
        try:
            with self._connection.asking(f"move the branch {quoted(branch)}", needs=WRITE):
                # PyGithub would send this to the address that refs are read at, which GitHub does not know.
                answer = self._connection.send("PATCH", _ref(branch), {"sha": sha, "force": False})
                convert.text(answer["object"]["sha"])
        except Unprocessable as error:
            # Someone may have pushed since: GitHub then says that this is no fast forward.
            if self.branch_head(branch) not in {expected, sha}:
                raise HeadMoved(
                    f"the branch {quoted(branch)} moved in this moment: run again on what is new"
                ) from error
            raise

    def delete_branch(self, branch: str) -> None:
        """Delete a branch; one that is gone already is no error."""
        valid_names.branch(branch)
        try:
            with self._connection.asking(f"delete the branch {quoted(branch)}", needs=WRITE):
                self._connection.send("DELETE", _ref(branch))
        except (NotFound, Unprocessable):
            if self.branch_head(branch) is not None:
                raise

    def _blob(self, content: bytes) -> str:
        text = base64.b64encode(content).decode("ascii")
        # The same content has the same name: to send it twice is to send it once.
        blob = self._connection.once(lambda: self._api.create_git_blob(text, "base64"))
        return convert.text(blob.sha)

    def _find(self, path: str, ref: str) -> Leaf | None:
        leaf = Leaf(mode=DIRECTORY, sha=ref)
        for name in path.split("/"):
            if leaf.mode != DIRECTORY:
                return None
            found = self._tree(leaf.sha).get(name)
            if found is None:
                return None
            leaf = found
        return leaf

    def _is_same_but(self, paths: frozenset[str], old: Leaf | None, new: Leaf | None, at: str = "") -> bool:
        """Whether ``new`` is ``old`` but for the files ``paths``; only their directories are read."""
        if old == new:
            return True
        if new is None or (old and old.mode != new.mode):
            return False
        if at in paths:
            return old is not None or new.mode == FILE
        if new.mode != DIRECTORY or not any(path.startswith(f"{at}/" if at else "") for path in paths):
            return False
        before, after = self._tree(old.sha) if old else {}, self._tree(new.sha)
        return all(
            self._is_same_but(paths, before.get(name), after.get(name), f"{at}/{name}" if at else name)
            for name in before.keys() | after.keys()
        )

    def _is_below_a_file(self, path: str, ref: str) -> bool:
        above = [path[:at] for at, letter in enumerate(path) if letter == "/"]
        return any(leaf.mode != DIRECTORY for one in above if (leaf := self._find(one, ref)))

    def _tree(self, sha: str) -> dict[str, Leaf]:
        """One level. What is asked for by a sha never changes; a branch's name is asked anew."""
        known = self._trees.get(sha)
        if known is None:
            tree = self._api.get_git_tree(sha)
            known = {one.path: Leaf(mode=one.mode, sha=one.sha) for one in tree.tree}
            if valid_names.is_sha(sha):
                self._trees[sha] = known
        return known


def _ref(branch: str) -> str:
    return f"/git/refs/heads/{quote(branch)}"


def _with_trailers(message: str, trailers: Mapping[str, str] | None) -> str:
    """``message`` with its trailers as a last paragraph; a value that has several lines becomes one."""
    lines = [f"{name}: {' '.join(value.split())}" for name, value in (trailers or {}).items()]
    return "\n\n".join((message.strip(), "\n".join(lines))) if lines else message
