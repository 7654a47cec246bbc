"""Gives the token of the App that has this key."""

import os
import sys
from pathlib import Path

if (os.environ["CLIENT_ID"], os.environ["PRIVATE_KEY"]) != ("client-id-of-the-app", "private-key-of-the-app"):
    sys.exit("there is no such App")
with Path(os.environ["GITHUB_OUTPUT"]).open("a") as outputs:
    outputs.write(f"token=ghs_{'app':_<36}\n")
