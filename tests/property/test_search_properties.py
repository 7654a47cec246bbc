import itertools
import random
import warnings

from hypothesis import given
from hypothesis import strategies as st

from bot.domain import Suspicion
from bot.search import candidates, suspicious_lines
from examples import examples
from sandbox.reports import Frame, TestResult, TestStatus

PATH = "m.py"
NAMES = st.sampled_from(["a", "b", "größe", "xs"])
LEAVES = NAMES | st.integers(-3, 99).map(str) | st.sampled_from(["'ü'", '"Yes"', "None", "xs[0]", "xs[1:-1]"])


def combined(inner):
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "<", "==", "and", "or", "in"]), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        inner.map(lambda part: f"len({part})"),
        inner.map(lambda part: f"(not {part})"),
        st.tuples(inner, inner).map(lambda parts: f"[{parts[0]} for a in [{parts[1]}] if a]"),
        st.tuples(inner, inner).map(lambda parts: f"max({parts[0]}, {parts[1]}, key=lambda b: -b)"),
        inner.map(lambda part: f"f'{{{part}}}'" if "'" not in part else part),
    )


EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=6)
SIMPLE = st.one_of(
    st.tuples(NAMES, st.sampled_from(["=", "+=", "-="]), EXPRESSIONS).map(" ".join),
    EXPRESSIONS.map(lambda part: f"return {part}"),
    EXPRESSIONS.map(lambda part: f"xs.append({part})  # é"),
    st.just("pass"),
)


@st.composite
def blocks(draw, depth=0):
    """Lines of a block, indented by one unit."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind = (
            draw(st.sampled_from(["simple", "simple", "if", "for", "while", "try"]))
            if depth < 2
            else "simple"
        )
        if kind == "simple":
            lines.append(draw(SIMPLE))
            continue
        heads = {
            "if": f"if {draw(EXPRESSIONS)}:",
            "for": f"for a in [{draw(EXPRESSIONS)}]:",
            "while": f"while {draw(EXPRESSIONS)}:",
            "try": "try:",
        }
        lines += [heads[kind], *draw(blocks(depth=depth + 1))]
        if kind == "try":
            lines += ["except ValueError:", *draw(blocks(depth=depth + 1))]
        elif kind == "if" and draw(st.booleans()):
            lines += [draw(st.sampled_from(["else:", "elif a:"])), *draw(blocks(depth=depth + 1))]
    return ["\0" + line for line in lines]


@st.composite
def programs(draw):
    unit = draw(st.sampled_from(["    ", "\t", "  "]))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    head = draw(
        st.sampled_from(
            ["def f(a, b=2, *xs):", "async def f(a, b, größe=[]):", "class K:\n\0def f(self, a):"]
        )
    )
    body = draw(blocks())
    if head.startswith("class"):
        body = ["\0" + line for line in body]
    text = "\n".join([*head.split("\n"), *body]) + draw(st.sampled_from(["", "\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\0", unit).replace("\n", newline)


@given(programs(), st.randoms(use_true_random=False))
@examples(30)
def test_every_candidate_is_in_bounds_new_and_compiles(text: str, chance: random.Random) -> None:
    count = len(text.splitlines())
    suspicions = [Suspicion(path=PATH, line=line, score=chance.random()) for line in range(1, count + 1)]
    seen = {text}
    scores = []
    for candidate in itertools.islice(candidates({PATH: text}, suspicions), 100):
        edits = sorted(candidate.patch.edits, key=lambda edit: edit.start)
        assert all(0 <= edit.start <= edit.end <= len(text) for edit in edits)
        assert all(left.end <= right.start for left, right in itertools.pairwise(edits))
        changed = text
        for edit in reversed(edits):
            changed = changed[: edit.start] + edit.replacement + changed[edit.end :]
        assert changed not in seen
        seen.add(changed)
        scores.append(candidate.score)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(changed.removeprefix("\ufeff"), PATH, "exec", dont_inherit=True)
    assert scores == sorted(scores, reverse=True)


LINES = st.dictionaries(
    st.sampled_from(["m.py", "n.py", "test_m.py"]), st.lists(st.integers(1, 30), max_size=6).map(tuple)
)
FRAMES = st.lists(
    st.builds(
        Frame, path=st.sampled_from(["m.py", "test_m.py"]), line=st.integers(1, 30), function=st.just("f")
    ),
    max_size=4,
)
RESULTS = st.lists(
    st.builds(
        TestResult,
        test=st.just("t"),
        status=st.just(TestStatus.FAILED),
        lines=LINES,
        frames=FRAMES.map(tuple),
    ),
    max_size=4,
)


@given(RESULTS, RESULTS)
def test_localisation_is_ranked_normalised_and_stays_in_the_source(failing, passing) -> None:
    found = suspicious_lines(failing, passing, lambda path: not path.startswith("test"))
    scores = [suspicion.score for suspicion in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert not found or scores[0] == 1
    assert all(not suspicion.path.startswith("test") for suspicion in found)
    assert len({(suspicion.path, suspicion.line) for suspicion in found}) == len(found)
