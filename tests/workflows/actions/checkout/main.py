"""Puts the files of a commit into the workspace."""

import io
import os
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

repository, ref = os.environ["REPOSITORY"], os.environ["REF"]
place = Path(os.environ["GITHUB_WORKSPACE"], os.environ["PLACE"])
request = urllib.request.Request(f"{os.environ['GITHUB_API_URL']}/repos/{repository}/tarball/{ref}")
# Not with a redirect: the storage refuses a token.
request.add_unredirected_header("Authorization", f"Bearer {os.environ['TOKEN']}")
try:
    with urllib.request.urlopen(request) as response:
        content = response.read()
except urllib.error.HTTPError as error:
    sys.exit(f"cannot check out {repository} at {ref!r}: {error}")
with tarfile.open(fileobj=io.BytesIO(content)) as archive:
    archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
    for member in archive:
        member.name = member.name.partition("/")[2]
        if member.name:
            archive.extract(member, place)
# As the real one leaves a repository: what a later step changes can be committed.
if not (place / ".git").exists():
    who = ("-c", "user.name=checkout", "-c", "user.email=checkout@example.org")
    for command in (
        ["init", "--quiet"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", "--message", ref],
    ):
        subprocess.run(["git", *who, *command], cwd=place, check=True)
