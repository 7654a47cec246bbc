"""Pictures of runs, read from the texts that an SVG keeps beside its outlines."""

import re

from benchmark_rows import row, run
from every_case import every_case

from benchmarks.reports.plot import drawn, pictures

ROWS = [row(f"t/{number}", "$x$ & <b>", attempts=10**number, seconds=20.0**number) for number in range(4)]
SEARCHED = run(*({**one, "seconds": one["first"]["seconds"]} for one in ROWS))


@every_case("title", ["pass@1 by group", "pass@1 by attempts", "time to fix"])
def test_labels_are_numbers_and_words_and_nothing_is_read_as_mathematics(title):
    picture = drawn(pictures({"a $run$": SEARCHED})[title], {"a $run$": SEARCHED}, form="svg").decode()
    labels = re.findall(r"<!-- (.*?) -->", picture)
    assert "a $run$" in labels
    assert not any("mathdefault" in label for label in labels)
    assert not any(label.startswith(("-", "\N{MINUS SIGN}")) for label in labels)


def test_candidates_are_counted_in_tens():
    picture = drawn(pictures({"a": SEARCHED})["pass@1 by attempts"], {"a": SEARCHED}, form="svg").decode()
    assert {"0", "1", "10", "100", "1000"} <= set(re.findall(r"<!-- (.*?) -->", picture))
