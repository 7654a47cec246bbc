"""Read what a pytest session says of itself before the first test: root, versions, seed, workers, items."""

import re

from bot.cilog.session import PytestSession
from bot.cilog.summary import MAX_HEADER

HEADER = (
    "rootdir: ",
    "collected ",
    "collecting ",
    "platform ",
    "Using --random",
    "random seed: ",
    "created: ",
)

_COLLECTED = re.compile(
    r"(?:collecting \.\.\. ?)?collected (\d{1,9}) items?|\d+ workers? \[(\d{1,9}) items?\]"
    r"|gw\d+ \[(\d{1,9})\](?: / gw\d+ \[\d+\])*"
)
_WORKERS = re.compile(r"(\d{1,4}) workers? \[|created: (\d{1,4})/")
_PLATFORM = re.compile(r"platform \S+ -- Python (?P<python>[\w.+]+).*?, pytest-(?P<version>[\w.]+)")
_SEED = re.compile(r"(?:Using --randomly-seed=|Using --random-order-seed=|random seed: )(?P<seed>\S+)")
_ROOT = re.compile(r"rootdir: (?P<root>.+?)(?:, (?:inifile|configfile|testpaths|plugins).*)?")


def read_header(line: str, session: PytestSession) -> None:
    """Take what the line says into the session; a value once known stays, for a test may print another."""
    if len(line) > MAX_HEADER:
        return
    if line.startswith("rootdir: "):
        found = _ROOT.fullmatch(line.rstrip())
        if found and not session.roots:
            session.roots = [found["root"].strip()]
        return
    if session.collected is None and (found := _COLLECTED.match(line)):
        session.collected = int(found[1] or found[2] or found[3])
        if found[3]:
            session.workers = session.workers or line.count("gw")
    if session.workers is None and (found := _WORKERS.match(line)):
        session.workers = int(found[1] or found[2])
    if not session.version and (found := _PLATFORM.match(line)):
        session.python, session.version = found["python"], found["version"]
    if not session.seed and (found := _SEED.match(line)):
        session.seed = found["seed"]
