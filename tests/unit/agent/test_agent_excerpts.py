"""Parts around suspicious lines: the functions that hold them, whole where they fit."""

from bot.agent.excerpts import EXCERPT_LINES, Excerpt, suspicious_excerpt
from bot.domain import Suspicion

CODE = (
    "import os\n\n\n"
    "@cached\ndef outer(a):\n    def inner(b):\n        return b\n    return inner(a)\n\n\n"
    "class Shop:\n    async def total(self):\n        return 1\n\n\n"
    "VALUE = 3\n"
)


def suspect(*lines, path="m.py"):
    return [Suspicion(path=path, line=line, score=1.0) for line in lines]


def span(sources, *lines):
    shown = suspicious_excerpt(sources, suspect(*lines))
    return shown.start, shown.end


def test_the_innermost_function_with_its_decorators():
    assert span({"m.py": CODE}, 8) == (4, 8)
    assert span({"m.py": CODE}, 7) == (6, 7)
    method = suspicious_excerpt({"m.py": CODE}, suspect(13))
    assert method.text == "    async def total(self):\n        return 1"


def test_a_line_outside_of_functions_comes_with_its_neighbourhood():
    assert span({"m.py": CODE}, 16) == (6, 17)
    assert span({"m.py": "def f(:\n    x\n"}, 1) == (1, 3)


def test_the_first_line_that_some_source_has_decides():
    lines = [*suspect(8, path="gone.py"), *suspect(13), *suspect(8)]
    assert suspicious_excerpt({"m.py": CODE}, lines).start == 12


def test_files_that_are_no_sources_are_left_out():
    assert suspicious_excerpt({}, suspect(1)) is None


def test_a_long_function_is_cut_around_the_line():
    text = "def f():\n" + "".join(f"    x = {n}\n" for n in range(500))
    excerpt = suspicious_excerpt({"m.py": text}, suspect(250))
    assert excerpt.end - excerpt.start + 1 == EXCERPT_LINES
    assert excerpt.start < 250 < excerpt.end
    assert "    x = 248" in excerpt.text.split("\n")


def test_numbers_are_those_of_the_file():
    assert Excerpt(path="m.py", start=9, end=10, text="a\r\nb").numbered == "9| a\n10| b"
