"""A model's file from the Hugging Face hub: which one, downloaded once, and the one that the hub names.

The library downloads into the hub's own cache, goes on after a lost connection, and asks each time whether
the file is still current; a revision that is a commit is never asked about again. Here the file's hash is
compared with the one by which the hub names it, since the library compares sizes only.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError, ModelUnavailable, quoted
from bot.patch.text import one_line

_NAME = r"[A-Za-z0-9][\w.-]{0,95}"
_ID = re.compile(rf"(?P<repo>{_NAME}/{_NAME})(?:/(?P<file>[^\0]+\.gguf))?")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
# What to take of several files that the hub has of a model: small, and hardly worse than the original.
_PREFERRED = "q4_k_m"
MIB = 1 << 20
STEP_PERCENT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of a model on the hub; ``file`` is empty to take the one GGUF file there is.

    Where ``sha256`` is given, the file must have it, whatever the hub says.
    """

    repo: str
    file: str = ""
    revision: str = ""
    sha256: str = ""


def parse(text: str, *, revision: str = "") -> HubFile | None:
    """``owner/repo`` or ``owner/repo/file.gguf`` as what it names; None where it is neither."""
    match = _ID.fullmatch(text)
    if match is None or ".." in text:
        return None
    return HubFile(repo=match["repo"], file=match["file"] or "", revision=revision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """How to get files: ``directory`` is the cache (None: the hub's own), ``checked`` holds what is sound."""

    checked: Path
    token: str = ""
    endpoint: str = ""
    directory: Path | None = None

    def fetch(self, wanted: HubFile, notify: Callable[[str], None]) -> Path:
        """The path of ``wanted`` here, downloaded where it is not yet.

        Raises:
            ModelUnavailable: it cannot be had, or is not the file that the hub names.
            ConfigurationError: there are several files and none is named.
        """
        from huggingface_hub import hf_hub_download
        from huggingface_hub.utils import logging

        logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # errors are reported here
        with _said(wanted):
            name = wanted.file or self._only_file(wanted)
            path = Path(
                hf_hub_download(
                    wanted.repo,
                    name,
                    revision=wanted.revision or None,
                    token=self.token or False,
                    endpoint=self.endpoint or None,
                    cache_dir=self.directory,
                    tqdm_class=_progress(name, notify),
                )
            )
            self._check(path, wanted.sha256, notify)
        commit = path.parts[-1 - len(Path(name).parts)]
        is_pinned = wanted.sha256 or _COMMIT.fullmatch(wanted.revision)
        pinned = "" if is_pinned else "; model-revision pins it"
        notify(f"{wanted.repo}/{name} at {commit}{pinned}")
        return path

    def _only_file(self, wanted: HubFile) -> str:
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.endpoint or None, token=self.token or False)
        listed = api.list_repo_files(wanted.repo, revision=wanted.revision or None)
        found = sorted(name for name in listed if name.lower().endswith(".gguf"))
        preferred = [name for name in found if _PREFERRED in name.lower()]
        if len(found) == 1 or len(preferred) == 1:
            return (preferred or found)[0]
        if not found:
            raise ModelUnavailable(
                f"{wanted.repo} holds no GGUF file, and llama.cpp reads no other: look for one whose name "
                "ends in -GGUF"
            )
        names = ", ".join(found[:8])
        raise ConfigurationError(
            f"{wanted.repo} holds several GGUF files: name one as {wanted.repo}/FILE ({names})"
        )

    def _check(self, path: Path, pinned: str, notify: Callable[[str], None]) -> None:
        """Compare the file with the hash by which the hub names it, once; small files are named otherwise."""
        blob = path.resolve()
        if pinned and blob.name != pinned:
            raise ModelUnavailable(
                f"{path.name} is another file on the hub than the one that was measured: its SHA-256 should "
                f"be {pinned[:12]}..., the hub says {blob.name[:12]}...; pass the path of a GGUF file"
            )
        if not _SHA256.fullmatch(blob.name):
            return
        status = blob.stat()
        seen, now = self.checked / f"{blob.name}.ok", f"{status.st_size} {status.st_mtime_ns}"
        if seen.is_file() and seen.read_text(encoding="ascii", errors="replace") == now:
            return
        notify(f"checking {path.name}")
        with blob.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != blob.name:
            path.unlink(missing_ok=True)
            blob.unlink(missing_ok=True)
            raise ModelUnavailable(
                f"{path.name} came damaged: its SHA-256 is {found[:12]}..., the hub says "
                f"{blob.name[:12]}...; it was removed, so run again"
            )
        self.checked.mkdir(parents=True, exist_ok=True)
        seen.write_text(now, encoding="ascii")


@contextmanager
def _said(wanted: HubFile) -> Iterator[None]:
    """The library's errors as ours, in a line that says what to do."""
    import httpx2
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

    try:
        yield
    except (EntryNotFoundError, HfHubHTTPError, httpx2.HTTPError, OSError, ValueError) as error:
        raise ModelUnavailable(_words(error, wanted)) from error


def _words(error: Exception, wanted: HubFile) -> str:
    import httpx2
    from huggingface_hub import errors

    repo, what = wanted.repo, f"{wanted.repo}/{wanted.file}" if wanted.file else wanted.repo
    said = one_line(" ".join(str(error).split()))
    if isinstance(error, errors.GatedRepoError):
        return f"{repo} is open to those only who accepted its terms on the hub: do so, and set HF_TOKEN"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{repo} has no revision {quoted(wanted.revision)}: check model-revision"
    if isinstance(error, errors.LocalEntryNotFoundError):
        network = "check the network, or pass the path of a GGUF file"
        return f"{what} is not here yet, and the hub cannot be reached: {network}"
    if isinstance(error, errors.EntryNotFoundError):
        return f"{repo} holds no file {quoted(wanted.file)}: check the name"
    if isinstance(error, errors.RepositoryNotFoundError):
        return f"the hub shows no {quoted(repo)}: check the name; a private one needs HF_TOKEN"
    if isinstance(error, errors.HfHubHTTPError | httpx2.HTTPError | OSError):
        return f"{what} could not be downloaded: {said or type(error).__name__}; run again"
    return f"{what} cannot be had: {said}"


def _progress(name: str, notify: Callable[[str], None]) -> Any:  # noqa: ANN401 - a class made at run time
    """A progress bar for the library that calls ``notify`` every few per cent, and draws nothing."""
    from huggingface_hub.utils.tqdm import tqdm

    class Said(tqdm):
        said = 0

        def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - passed through
            # Disabled, so that it writes nothing; it does not count then either.
            super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]
            self.come = int(options.get("initial") or 0)
            self.size = int(options.get("total") or 0)

        def update(self, n: float | None = 1) -> bool | None:
            """See ``tqdm.update``."""
            self.come += int(n or 0)
            percent = 100 * self.come // self.size if self.size else 0
            if percent >= self.said + STEP_PERCENT:
                self.said = percent
                notify(f"downloading {name}: {percent} % of {self.size / MIB:.0f} MiB")
            return None

    return Said
