import json

from click.testing import CliRunner

from benchmarks.cilog import cilog, invented, repeated
from bot.cilog import read_log


def test_a_log_is_repeated_up_to_the_size_asked_for():
    whole = b"".join(repeated([b"one\n", b"two\n"], 10))

    assert whole == b"one\ntwo\non"


def test_the_invented_log_has_what_it_says():
    reading = read_log([invented()])

    assert (len(reading.failures), reading.passed, len(reading.sessions)) == (200, 30_000, 1)
    assert all(
        failure.frames[-1].line == 3 and failure.message == "assert 1 == 2" for failure in reading.failures
    )


def test_the_figures_are_a_line_of_json():
    figures = json.loads(CliRunner().invoke(cilog, ["--megabytes", "1"]).output)

    assert figures["megabytes"] == 1
    assert figures["lines"] > 5_000
    assert figures["megabytes_a_second"] > 0
