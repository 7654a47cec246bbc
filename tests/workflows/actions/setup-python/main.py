"""Puts the tests' own Python before all others."""

import os
from pathlib import Path

with Path(os.environ["GITHUB_PATH"]).open("a") as paths:
    paths.write(os.environ["SET_UP_PYTHON"] + "\n")
