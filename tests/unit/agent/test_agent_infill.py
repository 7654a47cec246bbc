"""What a model writes into gaps: where it is asked, what is taken of it, and how much that counts."""

from agent_support import FILES, OTHER, PATH, PROJECTS, SOURCE, attempt, runtime, state, swap
from every_case import every_case
from fakes.progress import FakeClock
from scripted_model import REPAIRED, Model, Recorded, run

from bot.agent.strategies.gap_places import GapPlace, around, places
from bot.agent.strategies.infill import infill
from bot.domain import Suspicion
from bot.errors import ModelUnavailable
from bot.patch.apply import apply
from bot.request import Budget, SearchOptions
from bot.result import Outcome

WRONG_LINE = Suspicion(path=PATH, line=2, score=1.0)
ONE_LINE = "    return a - b\n"


def asked_of(model, *plausible, source=SOURCE, suspicions=(WRONG_LINE,), **more):
    """The patched sources that ``model`` brings, and the update."""
    at = runtime(files={**FILES, PATH: source}, backends=(model,), **more)
    update = infill(state(plausible=plausible, suspicions=suspicions), at)
    return [apply(one.patch, {PATH: source})[PATH] for one in update["candidates"]], update


def hidden(place, source=SOURCE):
    return source[place.start : place.end]


def test_a_suspicious_statement_is_hidden_and_asked_for_before_and_behind_it():
    found = list(places((), [WRONG_LINE, WRONG_LINE], {PATH: SOURCE}))
    assert [hidden(place) for place in found] == [ONE_LINE, "", ""]
    assert [place.start for place in found[1:]] == [
        SOURCE.index(ONE_LINE),
        SOURCE.index(ONE_LINE) + len(ONE_LINE),
    ]
    assert {place.samples for place in found} == {1}


def test_a_head_is_hidden_without_its_block_and_a_definition_is_not():
    source = "def f(a):\n    if a:\n        return a\n    return 0\n"
    lines = [Suspicion(path=PATH, line=number, score=1.0) for number in (1, 2)]
    assert [hidden(place, source) for place in places((), lines, {PATH: source})] == ["    if a:\n", "", ""]


def test_where_a_patch_passes_the_expression_and_its_statement_are_asked_for_several_times():
    patches = [attempt(swap("- b", "+ b")), attempt(OTHER)]
    found = list(places(patches, (), {PATH: SOURCE}))
    assert [hidden(place) for place in found] == ["a - b", ONE_LINE, "    return a / 2\n"]
    assert {place.samples for place in found} == {4}


def test_files_that_do_not_parse_or_are_not_there_have_no_gaps():
    assert not list(places((), [WRONG_LINE, Suspicion(path="no.py", line=1, score=1.0)], {PATH: "def f(:"}))


def test_what_stands_before_begins_at_the_same_line_for_gaps_near_each_other():
    source = "".join(f"line {number}\n" for number in range(1_000, 1_400))
    starts = [source.index("line 1300"), source.index("line 1302")]
    shown = [
        around(GapPlace(path=PATH, start=start, end=start), source, most_before=400, most_after=30)
        for start in starts
    ]
    assert shown[1][0].startswith(shown[0][0])
    assert all(
        before.startswith("line 1") and len(before) <= 400 and len(after) == 30 for before, after in shown
    )


def test_of_a_line_without_end_a_part_is_shown():
    place = GapPlace(path=PATH, start=900, end=900)
    assert around(place, "x" * 1_000, most_before=400, most_after=30) == ("x" * 300, "x" * 30)


@every_case(
    ("reply", "line"),
    [
        ("    return a + b\n", "    return a + b\n"),
        ("```python\n    return a + b\n```", "    return a + b\n"),
        ("    return a + b\n\n\ndef half(a):\n    return 1", "    return a + b\n"),
        ("    return a + b\ndef other():\n    pass", "    return a + b\n"),
        ("    return a + b\r\n", "    return a + b\n"),
    ],
    ids=["bare", "fenced", "goes on", "leaves the function", "another newline"],
)
def test_of_a_reply_is_taken_what_belongs_into_the_gap(reply, line):
    model = Model(
        [], fills=lambda request: reply if request.after.lstrip("\n").startswith("def half") else ""
    )
    patched, update = asked_of(model)
    assert SOURCE.replace(ONE_LINE, line) in patched
    assert update["filled"]
    assert update["usage"].calls == len(model.gaps) == 3
    assert {request.temperature for request in model.gaps} == {0.0}


def test_of_a_reply_that_goes_on_its_first_lines_are_tried_too():
    model = Model([], fills=lambda _: "    if a:\n        return a + b\n    return b\n")
    patched, update = asked_of(model)
    assert SOURCE.replace(ONE_LINE, "    if a:\n        return a + b\n    return b\n") in patched
    assert SOURCE.replace(ONE_LINE, "    if a:\n        return a + b\n") in patched
    shares = {one.gap for one in update["candidates"]}
    assert max(shares) == 0.5
    assert min(shares) < 0.1


@every_case("reply", [ONE_LINE, "", "    return a -\n", "no code at all:"])
def test_what_changes_nothing_or_does_not_parse_is_no_candidate(reply):
    patched, _ = asked_of(Model([], fills=lambda _: reply))
    assert all(text == SOURCE.replace(ONE_LINE, "") or text.count(ONE_LINE) != 1 for text in patched)


def test_a_reply_given_often_counts_for_more():
    replies = iter(["a + b", "a + b", "b + a", "a + b"])
    model = Model([], fills=lambda request: next(replies, "") if request.before.endswith("return ") else "")
    _, update = asked_of(model, attempt(swap("- b", "+ b")), suspicions=())
    by_text = {one.patch.edits[0].replacement: one.gap for one in update["candidates"]}
    assert by_text["a + b"] == 3 / 5
    assert by_text["b + a"] == 1 / 5
    assert [request.temperature for request in model.gaps[:2]] == [0.0, 0.8]
    assert len({request.seed for request in model.gaps[:4]}) == 4


def test_where_the_likeliest_reply_is_what_stands_there_no_other_is_asked_for():
    model = Model(
        [], fills=lambda request: "a - b" if request.before.endswith("return ") else "    return b\n"
    )
    _, update = asked_of(model, attempt(swap("- b", "+ b")), suspicions=())
    assert [request.before.endswith("return ") for request in model.gaps] == [True, *[False] * 4]
    assert update["candidates"]


def test_newlines_are_those_of_the_file():
    source = SOURCE.replace("\n", "\r\n")
    patched, _ = asked_of(Model([], fills=lambda _: "    return a + b\n"), source=source)
    assert source.replace("a - b", "a + b") in patched


@every_case("answer", [None, ModelUnavailable("gone")], ids=["no such endpoint", "lost"])
def test_a_server_that_cannot_be_asked_costs_nothing(answer):
    model = Model([], fills=None if answer is None else lambda _: answer)
    patched, update = asked_of(model)
    assert (patched, update["filled"]) == ([], True)
    assert len(model.gaps) <= 1


def test_the_questions_end_with_the_tokens():
    model = Model([], fills=lambda _: "")
    asked_of(model, budget=Budget(tokens=100))
    assert len(model.gaps) == 3  # 45 tokens each
    assert model.gaps[-1].max_tokens <= 16


HOPELESS = {"files": PROJECTS["hopeless for the search"], "search": SearchOptions(order=1, progress=False)}


def test_without_a_patch_of_the_search_the_gaps_come_before_the_turns_and_are_in_the_trajectory():
    events = Recorded()
    model = Model([ModelUnavailable("none")], fills=lambda _: "    return [points, (limit, bonus)]\n")
    result = run("hybrid", model, trajectory=events, **HOPELESS)
    assert (result.outcome, result.operator, result.turns) == (Outcome.PATCHED, "", 0)
    assert result.explanation.startswith("what a model writes at line ")
    assert {event["stage"] for event in events.of("prompt")} == {"infill"}
    assert not model.requests


def test_where_the_search_found_a_patch_the_model_is_asked_there_before_one_is_chosen():
    model = Model([], fills=lambda request: "a + b" if request.before.endswith("return ") else "")
    result = run("hybrid", model, files=FILES, clock=FakeClock(step=0.01), budget=Budget(seconds=60.0))
    assert (result.outcome, apply(result.patch, FILES)) == (Outcome.PATCHED, REPAIRED)
    assert model.gaps
    assert not model.requests


def test_where_the_text_of_the_version_before_passes_no_model_is_asked():
    model = Model([], fills=lambda _: "")
    result = run("hybrid", model, files=FILES, base={PATH: REPAIRED[PATH]}, clock=FakeClock(step=0.01))
    assert (result.outcome, result.operator) == (Outcome.PATCHED, "base")
    assert not model.gaps


def test_other_strategies_fill_no_gaps():
    model = Model([], fills=lambda _: "")
    assert run("search", model).outcome is Outcome.PATCHED
    assert not model.gaps
