"""Artifacts of a run of a workflow: what one job hands to the next, where a test can see it."""

import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fakes.listening import Handler, listening

TOKEN = "runtime-token-of-the-run"


@dataclass(slots=True)
class Store:
    """Archives by the names of artifacts."""

    url: str = ""
    artifacts: dict[str, bytes] = field(default_factory=dict)

    def put(self, name: str, content: bytes) -> int:
        """Keep ``content``; the status for it. A name is taken once."""
        if name in self.artifacts:
            return 409
        self.artifacts[name] = content
        return 201

    def extract(self, name: str, directory: Path) -> None:
        """What an artifact holds, into ``directory``."""
        with tarfile.open(fileobj=io.BytesIO(self.artifacts[name])) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
            archive.extractall(directory)


class _Handler(Handler):
    store: Store

    def respond(self) -> None:
        name = self.path.lstrip("/")
        names = json.dumps(sorted(self.store.artifacts)).encode()
        found = self.store.artifacts.get(name) if name else names
        if self.headers["authorization"] != f"Bearer {TOKEN}":
            self.answer(401)
        elif self.command == "PUT":
            self.answer(self.store.put(name, self.body()))
        elif found is None:
            self.answer(404)
        else:
            self.answer(200, found)


@contextmanager
def serve() -> Iterator[Store]:
    """A store on a free port."""
    store = Store()
    with listening(_Handler, store=store) as store.url:
        yield store
