"""A dataset, by its name on the Hugging Face hub or by a path: JSON lines, gzipped or not, or Parquet."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError, MachineError

GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
DATASET = "bigcode/humanevalpack"
FILE = "python/test-00000-of-00001.parquet"
# A commit: what a branch names may change between two runs, or between two parts of one.
REVISION = "9a41762f73a8cb23bb5811b73d5aab164efcf378"


def dataset_file(name: str, revision: str) -> Path:
    """The file called ``name`` if there is one, otherwise the tasks of the dataset ``name``, downloaded once.

    Raises:
        MachineError: it cannot be had.
    """
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix or path.is_absolute() or name.count("/") != 1:
        raise MachineError(f"no dataset {name}: neither a file here nor a name on the hub such as {DATASET}")
    import httpx2
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(hf_hub_download(name, FILE, repo_type="dataset", revision=revision))
    except (HfHubHTTPError, LocalEntryNotFoundError, httpx2.HTTPError, OSError, ValueError) as error:
        why = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise MachineError(
            f"the hub does not give {name} at {revision} ({why}): pass --dataset with a file"
        ) from error


def records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of the file at ``path``, known by its first bytes, not by its name.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is neither, or pyarrow is missing.
    """
    with path.open("rb") as stream:
        magic = stream.read(4)
    yield from _parquet(path) if magic == PARQUET else _json_lines(path, zipped=magic[:2] == GZIP)


def _json_lines(path: Path, *, zipped: bool) -> Iterator[Mapping[str, Any]]:
    number = 0
    try:
        with gzip.open(path, "rb") if zipped else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ConfigurationError(f"{path}, line {number}: not a JSON object")
                yield row
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise ConfigurationError(f"{path}, line {number}: not JSON lines: {error}") from error


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        from pyarrow import ArrowException  # type: ignore[import-untyped]
        from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]
    except ImportError as error:
        raise ConfigurationError(f"{path} is Parquet: pip install 'regreen[bench]' to read it") from error
    try:
        with ParquetFile(path) as file:
            for batch in file.iter_batches():
                yield from batch.to_pylist()
    except ArrowException as error:
        raise ConfigurationError(f"{path} is no Parquet file that can be read: {error}") from error
