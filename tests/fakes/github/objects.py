"""Blobs, trees and commits under the names that git itself would give them."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

FILE, EXECUTABLE, LINK, DIRECTORY, SUBMODULE = "100644", "100755", "120000", "040000", "160000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """What stands at a path: a blob (or a submodule's commit), and its mode."""

    mode: str
    sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    name: str
    email: str
    when: datetime

    def line(self) -> str:
        return f"{self.name} <{self.email}> {int(self.when.timestamp())} +0000"

    def document(self) -> dict[str, str]:
        return {"name": self.name, "email": self.email, "date": stamp(self.when)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


def stamp(when: datetime) -> str:
    """As GitHub writes times."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha_of(kind: str, body: bytes) -> str:
    return hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(body), body)).hexdigest()


class Objects:
    """The object store of a repository and of all its forks."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.trees: dict[str, dict[str, Leaf]] = {}
        self.commits: dict[str, Commit] = {}

    def blob(self, content: bytes) -> str:
        sha = sha_of("blob", content)
        self.blobs[sha] = content
        return sha

    def tree(self, entries: Mapping[str, Leaf]) -> str:
        """One level; ``entries`` by name."""
        ordered = sorted(entries.items(), key=lambda item: _git_order(*item))
        body = b"".join(
            b"%s %s\0%s"
            % (
                leaf.mode.lstrip("0").encode(),
                name.encode("utf-8", "surrogateescape"),
                bytes.fromhex(leaf.sha),
            )
            for name, leaf in ordered
        )
        sha = sha_of("tree", body)
        self.trees[sha] = dict(ordered)
        return sha

    def tree_of(self, files: Mapping[str, Leaf]) -> str:
        """All levels; ``files`` by path."""
        here: dict[str, Leaf] = {}
        below: dict[str, dict[str, Leaf]] = {}
        for path, leaf in files.items():
            name, slash, rest = path.partition("/")
            if slash:
                below.setdefault(name, {})[rest] = leaf
            else:
                here[name] = leaf
        for name, inner in below.items():
            here[name] = Leaf(mode=DIRECTORY, sha=self.tree_of(inner))
        return self.tree(here)

    def files(self, tree: str, prefix: str = "") -> Iterator[tuple[str, Leaf]]:
        """Everything below ``tree`` that is no directory, by path."""
        for name, leaf in self.trees[tree].items():
            if leaf.mode == DIRECTORY:
                yield from self.files(leaf.sha, f"{prefix}{name}/")
            else:
                yield f"{prefix}{name}", leaf

    def commit(
        self,
        *,
        tree: str,
        parents: Iterable[str],
        message: str,
        author: Person,
        committer: Person | None = None,
    ) -> str:
        committer = committer or author
        parents = tuple(parents)
        lines = [f"tree {tree}", *(f"parent {one}" for one in parents)]
        lines += [f"author {author.line()}", f"committer {committer.line()}", "", message]
        sha = sha_of("commit", "\n".join(lines).encode("utf-8", "surrogateescape"))
        self.commits[sha] = Commit(
            sha=sha, tree=tree, parents=parents, author=author, committer=committer, message=message
        )
        return sha

    def ancestors(self, sha: str) -> list[str]:
        """``sha`` and all before it, nearest first."""
        seen: dict[str, None] = {}
        queue = [sha]
        while queue:
            one = queue.pop(0)
            if one not in seen:
                seen[one] = None
                queue += self.commits[one].parents
        return list(seen)

    def merge_base(self, one: str, other: str) -> str | None:
        known = set(self.ancestors(other))
        return next((sha for sha in self.ancestors(one) if sha in known), None)

    def at(self, sha: str) -> dict[str, Leaf]:
        """The files of a commit by path."""
        return dict(self.files(self.commits[sha].tree))


def _git_order(name: str, leaf: Leaf) -> bytes:
    return (name + ("/" if leaf.mode == DIRECTORY else "")).encode("utf-8", "surrogateescape")
