"""What a change exchanged elsewhere is exchanged on suspicious lines, and nothing else is."""

import pytest

from bot.domain import Suspicion
from bot.patch.apply import apply
from bot.search.difference.followed import MAX_FOLLOWED, followed
from bot.search.difference.mixtures import mixtures
from bot.search.difference.pieces import finer, hunks
from bot.search.difference.replaced_tokens import replaced_tokens

BASE = """\
def scale(factor, value):
    return factor * value


def grow(factor, value):
    return factor + value


def label(item):
    return item.title
"""
RENAMED = BASE.replace("factor", "ratio").replace("ratio + value", "factor + value")


def texts(base, head, *lines):
    """The versions that are suggested, with their explanations."""
    suspicions = [Suspicion(path="m.py", line=line, score=1.0) for line in lines]
    found = followed(replaced_tokens({"m.py": base}, {"m.py": head}), {"m.py": head}, suspicions)
    return [(apply(one.patch, {"m.py": head})["m.py"], one.explanation) for one in found]


def test_a_name_that_a_rename_missed_is_renamed():
    ((text, why),) = texts(BASE, RENAMED, 6)
    assert text == RENAMED.replace("factor +", "ratio +")
    assert why == "use `ratio` instead of `factor`, as the change does elsewhere (3 times)"


def test_lines_that_are_not_suspicious_suggest_nothing():
    assert texts(BASE, RENAMED, 10) == []
    assert texts(BASE, RENAMED) == []


@pytest.mark.parametrize(
    ("old", "new", "missed"),
    [
        ("x = box.width\n", "x = box.size\n", "y = box.width\n"),
        ("x = run(level=1)\n", "x = run(depth=1)\n", "y = run(level=2)\n"),
        ("def f(level): return 1\n", "def f(depth): return 1\n", "def g(level): return depth\n"),
        ("a = 80\nb = 80\n", "a = 100\nb = 100\n", "c = 80\n"),
        ("a = 'old'\nb = 'old'\n", "a = 'new'\nb = 'new'\n", "c = 'old'\n"),
    ],
)
def test_each_kind_of_token_is_followed(old, new, missed):
    found = texts(old + missed, new + missed, new.count("\n") + 1)
    exchanged = {"width": "size", "level": "depth", "80": "100", "'old'": "'new'"}
    (token,) = (token for token in exchanged if token in missed)
    assert found[0][0] == new + missed.replace(token, exchanged[token])


def test_a_literal_that_was_exchanged_once_stays_elsewhere():
    assert texts("a = 1\nb = 1\n", "a = 2\nb = 1\n", 2) == []


def test_words_of_the_language_are_no_names():
    assert texts("a = x is y\nb = p is q\n", "a = x in y\nb = p is q\n", 2) == []


def test_all_places_of_a_file_are_a_candidate_of_their_own():
    head = "def f(new):\n    return old\n\n\ndef g():\n    return old\n"
    base = "def f(old):\n    return old\n\n\ndef g():\n    return old\n"
    found = [text for text, _ in texts(base, head, 2)]
    assert found == [head.replace("return old", "return new", 1), head.replace("return old", "return new")]


def test_there_are_never_many():
    names = [f"name{number}" for number in range(40)]
    base = "".join(f"def {name}_f({name}):\n    return {name}\n" for name in names)
    head = "".join(f"def {name}_f(new_{name}):\n    return {name}\n" for name in names)
    assert len(texts(base, head, *range(1, 81))) == MAX_FOLLOWED


def test_what_does_not_parse_or_is_new_suggests_nothing():
    assert texts("def f(old): pass\n", "def f(new): (\n", 1) == []
    suspicion = Suspicion(path="new.py", line=1, score=1.0)
    head = {"m.py": RENAMED, "new.py": "factor = 1\n"}
    assert followed(replaced_tokens({"m.py": BASE}, head), {"m.py": RENAMED}, [suspicion]) == ()


def test_an_old_line_comes_back_with_the_new_names():
    guard = "    if factor < 0:\n        return value\n"
    base, head = (
        {"m.py": BASE.replace("    return factor +", guard + "    return factor +")},
        {"m.py": RENAMED},
    )
    head["m.py"] = RENAMED.replace("return factor +", "return ratio +")
    edits = [one for one in finer(hunks(base, head), head) if "if factor" in one.replacement]
    first = mixtures(edits, head, exchanges=replaced_tokens(base, head))[0]
    assert apply(first.patch, head)["m.py"] == base["m.py"].replace("factor", "ratio")
    assert first.explanation.startswith("use the old version with the new names: nothing -> `if ratio < 0:")
    assert "new names" not in mixtures(edits, head)[0].explanation
