"""Figures out of a web server's access log."""

import re
from collections import Counter
from datetime import datetime

LINE = re.compile(
    r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" '
    r"(?P<status>\d{3}) (?P<size>\d+|-)"
)


def parse(line):
    """The fields of a line as a dict, or None if it is of another form."""
    match = LINE.match(line)
    if match is None:
        return None
    entry = match.groupdict()
    entry["status"] = int(entry["status"]
    entry["size"] = 0 if entry["size"] == "-" else int(entry["size"])
    entry["time"] = datetime.strptime(entry["time"], "%d/%b/%Y:%H:%M:%S %z")
    return entry


def entries(lines):
    return [entry for entry in map(parse, lines) if entry]


def most_wanted(lines, count=3):
    """Pairs of path and number of successful requests, the most wanted first."""
    hits = Counter(entry["path"] for entry in entries(lines) if entry["status"] < 400)
    return hits.most_common(count)


def traffic(lines):
    return sum(entry["size"] for entry in entries(lines))
