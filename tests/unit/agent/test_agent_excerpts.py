"""Parts around suspicious lines: the functions that hold them, whole where they fit."""

from every_case import every_case

from bot.agent.model.excerpts import Excerpt, suspicious_excerpt
from bot.domain import Suspicion

CODE = (
    "import os\n\n\n"
    "@cached\ndef outer(a):\n    def inner(b):\n        return b\n    return inner(a)\n\n\n"
    "class Shop:\n    async def total(self):\n        return 1\n\n\n"
    "VALUE = 3\n"
)
LONG = "def f():\n" + "".join(f"    x = {n}\n" for n in range(500))


def suspect(*lines, path="m.py"):
    return [Suspicion(path=path, line=line, score=1.0) for line in lines]


@every_case(
    ("text", "line", "lines"),
    [
        (CODE, 8, (4, 8)),  # a function with its decorators
        (CODE, 7, (6, 7)),  # the innermost one
        (CODE, 13, (12, 13)),
        (CODE, 16, (6, 17)),  # outside of functions, the neighbourhood
        ("def f(:\n    x\n", 1, (1, 3)),
        (LONG, 250, (210, 289)),  # cut around the line
    ],
)
def test_what_is_shown_around_a_line(text, line, lines):
    excerpt = suspicious_excerpt({"m.py": text}, suspect(line))
    assert excerpt.start == lines[0]
    assert excerpt.text.split("\n") == text.split("\n")[lines[0] - 1 : lines[1]]


def test_the_first_line_that_some_source_has_decides():
    lines = [*suspect(8, path="gone.py"), *suspect(13), *suspect(8)]
    assert suspicious_excerpt({"m.py": CODE}, lines).start == 12
    assert suspicious_excerpt({}, lines) is None


def test_numbers_are_those_of_the_file():
    assert Excerpt(path="m.py", start=9, text="a\r\nb").numbered == "9| a\n10| b"
