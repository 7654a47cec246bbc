"""A dataset by its name on the Hugging Face hub, or by a path."""

from pathlib import Path

from bot.errors import MachineError

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
