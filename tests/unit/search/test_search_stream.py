"""The stream: single changes, second ones on top of those that made progress, the same in every run."""

from itertools import pairwise

from every_case import every_case
from search_support import PATH, applied, change, everywhere

from bot.domain import Attempt, Base, Verdict
from bot.patch.apply import apply
from bot.search import candidates
from bot.search.composition import guesses
from bot.search.stream import Stream

TEXT = "def f(a, b):\n    c = a - 1\n    return c < b\n\n\ndef g(n):\n    return n * 2\n"
SOURCES = {PATH: TEXT}


def base(old, new, *, progress=0.4, fixed=()):
    """The text with ``new`` in the place of ``old``, as a candidate that made progress."""
    candidate = change(TEXT, old, new)
    attempt = Attempt(candidate=candidate, verdict=Verdict.FAILING, progress=progress, fixed=fixed)
    text = apply(candidate.patch, SOURCES)[PATH]
    return Base(attempt=attempt, known_at=0, suspicions=tuple(everywhere(text, PATH)))


def stream():
    return Stream(SOURCES, everywhere(TEXT, PATH))


def learned(*bases):
    """A stream that knows of these candidates which made progress."""
    found = stream()
    found.learn(bases)
    return found


def drain(found):
    return list(iter(found.draw, None))


PLUS = base("a - 1", "a + 1")


def test_without_bases_it_is_the_stream_of_single_changes():
    assert drain(stream()) == list(candidates(SOURCES, everywhere(TEXT, PATH)))


def test_guesses_come_last_and_join_what_shows_no_progress_alone():
    text = "def both(a, b):\n    return a > 1 and b > 1\n"
    found = Stream({PATH: text}, everywhere(text, PATH), most_guesses=500)
    drawn = drain(found)
    orders = [candidate.order for candidate in drawn]
    singles = list(candidates({PATH: text}, everywhere(text, PATH)))
    assert drawn[: len(singles)] == singles
    assert set(orders[len(singles) :]) == {2}
    assert len(drawn) <= len(singles) + 500
    texts = [applied(text, candidate.patch) for candidate in drawn]
    assert len(set(texts)) == len(texts)
    wanted = text.replace("a > 1", "a >= 1").replace("b > 1", "b >= 1")
    assert wanted in texts[len(singles) : len(singles) + 50]
    scores = [candidate.score for candidate in drawn[len(singles) :]]
    assert scores == sorted(scores, reverse=True)


def test_there_is_nothing_to_guess_from_one_change():
    assert list(guesses([PLUS.attempt.candidate])) == []


def test_a_base_adds_pairs_and_takes_no_single_change_away():
    found = drain(learned(PLUS))
    singles = [candidate for candidate in found if candidate.order == 1]
    pairs = [candidate for candidate in found if candidate.order == 2]
    assert singles == drain(stream())
    assert pairs
    texts = [applied(TEXT, candidate.patch) for candidate in found]
    assert len(set(texts)) == len(texts)
    assert TEXT not in texts
    wanted = TEXT.replace("a - 1", "a + 1").replace("c < b", "c <= b")
    assert wanted in texts
    (one,) = [pair for pair in pairs if applied(TEXT, pair.patch) == wanted]
    assert one.origin == "mine + comparison"
    assert one.explanation.startswith("a - 1 to a + 1; ")


def test_single_changes_are_never_starved():
    found = learned(base("a - 1", "a + 1", progress=1.0), base("n * 2", "n * 3", progress=1.0))
    orders = [candidate.order for candidate in drain(found)]
    last = len(orders) - 1 - orders[::-1].index(1)
    assert all(1 in pair for pair in pairwise(orders[:last]))


def test_a_nearer_base_comes_first():
    near, far = base("n * 2", "n * 3", progress=0.9), base("a - 1", "a + 1", progress=0.1)
    pairs = [candidate for candidate in drain(learned(far, near)) if candidate.order == 2]
    assert pairs[0].explanation.startswith("n * 2 to n * 3; ")


def test_what_repairs_one_test_and_what_repairs_another_are_put_together_at_once():
    one = base("a - 1", "a + 1", progress=0.8, fixed=("t::a",))
    other = base("n * 2", "n * 3", progress=0.8, fixed=("t::b",))
    same = base("c < b", "c <= b", progress=0.8, fixed=("t::a",))
    found = learned(one)
    found.draw()
    found.learn([one, same, other])
    both = found.draw()
    assert applied(TEXT, both.patch) == TEXT.replace("a - 1", "a + 1").replace("n * 2", "n * 3")
    assert both.order == 2
    second = found.draw()
    assert applied(TEXT, second.patch) == TEXT.replace("c < b", "c <= b").replace("n * 2", "n * 3")


def test_changes_in_each_other_s_way_are_not_united():
    one = base("a - 1", "a + 1", fixed=("t::a",))
    other = base("c = a - 1", "c = a", fixed=("t::b",))
    found = learned(one, other)
    assert found.draw().score >= 0
    assert all(" to c = a" not in pair.explanation.partition(";")[2] for pair in drain(found))


@every_case("at", [0, 3, 40, 200])
def test_the_same_lessons_at_the_same_place_give_the_same_stream(at):
    def drawn():
        found = stream()
        first = [found.draw() for _ in range(at)]
        found.learn([PLUS])
        return first + drain(found)

    assert drawn() == drawn()


def test_a_stream_that_ran_dry_goes_on_when_more_is_learned():
    found = stream()
    drain(found)
    assert found.draw() is None
    found.learn([PLUS])
    assert found.draw().order == 2
