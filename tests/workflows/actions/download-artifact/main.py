"""Takes artifacts of this run from the store."""

import fnmatch
import io
import json
import os
import tarfile
import urllib.request
from pathlib import Path


def get(name: str) -> bytes:
    headers = {"Authorization": f"Bearer {os.environ['ACTIONS_RUNTIME_TOKEN']}"}
    request = urllib.request.Request(f"{os.environ['ACTIONS_RUNTIME_URL']}/{name}", headers=headers)
    with urllib.request.urlopen(request) as response:
        return response.read()


place = Path(os.environ["GITHUB_WORKSPACE"], os.environ["PLACE"])
only = os.environ["NAME"]
for name in [only] if only else fnmatch.filter(json.loads(get("")), os.environ["PATTERN"]):
    with tarfile.open(fileobj=io.BytesIO(get(name))) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
        archive.extractall(place if only else place / name)
