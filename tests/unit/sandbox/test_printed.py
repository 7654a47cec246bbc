"""What a program printed shows where it failed, however much of it there is."""

from cost import cost
from every_case import every_case

from sandbox.reports import Frame, TestResult, TestStatus
from sandbox.shell_testbed import as_printed

FAILED = TestResult(test="make test", status=TestStatus.FAILED)
OUTPUT = """\
Traceback (most recent call last):
  File "/workspace/check.py", line 3, in <module>
    total()
  File "/usr/lib/python3/json/__init__.py", line 1, in loads
  File "shop/cart.py", line 7, in total
ValueError: not a number
"""


def test_the_last_exception_and_the_frames_of_the_project_are_read():
    found = as_printed(FAILED, f"OSError: first\n{OUTPUT}")
    assert (found.exception, found.message) == ("ValueError", "not a number")
    assert found.frames == (
        Frame(path="check.py", line=3, function="<module>"),
        Frame(path="shop/cart.py", line=7, function="total"),
    )


@every_case("noise", ["\n", " ", "  \n", "a", 'File "', "a.", "x: "])
def test_noise_takes_no_time_and_shows_nothing(noise):
    text = noise * (20_000 // len(noise))
    assert as_printed(FAILED, text) is FAILED
    assert cost(lambda: as_printed(FAILED, text)) < 100
