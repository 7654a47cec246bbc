"""The rows of a dataset's file: JSON lines, gzipped or not, or Parquet."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.errors import ConfigurationError

GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"


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
