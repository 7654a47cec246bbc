import itertools
import subprocess
import sys

import pytest
from cost import cost
from every_case import every_case
from search_support import PATH, applied, candidates_of, everywhere, texts
from sections import sections

from bot.domain import Suspicion
from bot.search import candidates
from bot.search.symptoms import ACCEPTED_BOOST
from sandbox.reports import Comparison, TestResult, TestStatus

FUNCTION = (
    "def rate(order, limit=10):\n"
    '    """Doc < string."""\n'
    "    if order.size > limit and not order.free:\n"
    "        return order.size * 2 + 1\n"
    "    total = [item for item in order.items if item.price >= 3]\n"
    "    return  sum( total )   # spaced  oddly\n"
)


def suspicion(line, score=1.0, path=PATH):
    return Suspicion(path=path, line=line, score=score)


@pytest.mark.slow
def test_the_stream_is_the_same_every_time():
    stream = list(candidates_of(FUNCTION))
    assert stream == list(candidates_of(FUNCTION))
    assert stream == list(candidates({PATH: FUNCTION}, everywhere(FUNCTION)[::-1]))
    assert stream[40:60] == list(itertools.islice(candidates_of(FUNCTION), 40, 60))


@pytest.mark.slow
def test_the_stream_does_not_depend_on_hash_randomisation():
    script = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "from search_support import texts\n"
        "import hashlib\n"
        "text = 'def f(a, b):\\n    if a in {1, 2, 3}:\\n        return b - 1\\n    return cuont\\n'\n"
        "print(hashlib.sha256('|'.join(texts(text)).encode('utf-8')).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script, ".", "tests/unit/search"],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_candidates_say_what_they_are_and_the_best_come_first():
    stream = list(candidates_of(FUNCTION))
    scores = [candidate.score for candidate in stream]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    for candidate in stream:
        assert candidate.origin
        assert candidate.explanation
        assert "\n" not in candidate.explanation
        assert '"""Doc < string."""' in applied(FUNCTION, candidate.patch), "the docstring is left alone"


def test_lines_outside_the_edit_keep_their_formatting():
    text = "def f( a,b ):\n    x=a+b   # sum\n\n\n    return(x)\n"
    for candidate in candidates({PATH: text}, [suspicion(2)]):
        assert applied(text, candidate.patch).startswith(("def f( a,b ):\n", "def f( a,b ):"))


def test_a_weak_candidate_on_the_best_line_does_not_starve_other_lines():
    text = (
        "def f(alpha, beta, gamma, delta):\n    x = g(alpha, beta, gamma, delta, 1, 2, 3)\n"
        "    return x < alpha\n"
    )
    found = list(candidates({PATH: text}, [suspicion(2, 1.0), suspicion(3, 0.7)]))
    first = next(
        index for index, candidate in enumerate(found) if candidate.explanation.startswith("compare with")
    )
    assert first < 40


def test_lines_that_did_not_run_come_late_but_come():
    text = "def f(a):\n    if a > 3:\n        return a - 1\n    return a\n"
    stream = list(candidates({PATH: text}, [suspicion(2), suspicion(4)]))
    found = [applied(text, candidate.patch) for candidate in stream]
    assert text.replace("a - 1", "a + 1") in found
    assert found.index(text.replace("a > 3", "a >= 3")) < found.index(text.replace("a - 1", "a + 1"))


def test_a_function_that_is_no_suspect_is_left_alone():
    text = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a * 2\n"
    for candidate in candidates({PATH: text}, [suspicion(2)]):
        assert "return a * 2" in applied(text, candidate.patch)


def test_a_module_constant_that_suspicious_code_reads_is_a_suspect():
    text = "LIMIT = 9\nOTHER = 5\n\n\ndef f(a):\n    return a < LIMIT\n"
    found = [applied(text, candidate.patch) for candidate in candidates({PATH: text}, [suspicion(6)])]
    assert text.replace("9", "10") in found
    assert all("OTHER = 5" in text for text in found)


def test_unknown_paths_and_broken_files_yield_nothing():
    assert list(candidates({PATH: "x = 1\n"}, [suspicion(1, path="no.py")])) == []
    assert list(candidates({PATH: "def f(:\n"}, [suspicion(1)])) == []
    assert list(candidates({PATH: "x = 1\n"}, [suspicion(99)])) == []
    assert list(candidates({}, [])) == []


def test_an_expression_that_is_nested_deeply_is_in_nobodys_way():
    text = f"LONG = {' + '.join(['1'] * 1_500)}\n\n\ndef f(a, b):\n    return a < b\n"
    first = next(candidates({PATH: text}, [suspicion(5)]))
    assert applied(text, first.patch).startswith("LONG = 1 + 1")


def test_max_lines_keeps_the_most_suspicious():
    text = "x = 1 < 2\ny = 3 < 4\n"
    found = [
        applied(text, p.patch) for p in candidates({PATH: text}, [suspicion(1, 0.2), suspicion(2)], (), 1)
    ]
    assert found
    assert all("x = 1 < 2\n" in changed + "\n" for changed in found)


def test_what_the_failure_shows_moves_operators_forward():
    text = "def f(xs):\n    total = 0\n    for x in xs:\n        total = total + x\n    print(total)\n"
    failed_result = TestResult(
        test="t",
        status=TestStatus.FAILED,
        comparison=Comparison(operator="==", left="None", right="6"),
    )
    fix = text.rstrip("\n") + "\n    return total\n"
    assert texts(text, [failed_result]).index(fix) < texts(text).index(fix)


STYLES = {
    **sections("styles.txt")[0].parts,
    "crlf": "def f(a, b):\r\n    if a > b:\r\n        return a\r\n    return b\r\n",
    "bom": "\ufeffdef f(a, b):\n    if a > b:\n        return a\n    return b\n",
    "surrogate": "# \udcff\ndef f(a, b):\n    s = '\udce9'; return a > b or s\n",
    "no newline at the end": "def f(a, b):\n    a += 1\n    return a > b",
    "form feed": "x = 1\n\x0c\ndef f(a):\n    return a > x\n",
    # It never becomes a generator that returns a value.
    "coroutine": "async def f(a, b):\n    return a\n    return b\n",
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_every_style_of_source_is_edited_soundly(style):
    text = STYLES[style]
    stream = list(candidates_of(text))
    found = [applied(text, candidate.patch) for candidate in stream]
    assert len(found) > 5
    assert len(found) == len(set(found))
    for candidate, changed in zip(stream, found, strict=True):
        assert all(0 <= edit.start <= edit.end <= len(text) for edit in candidate.patch.edits)
        readable = changed.removeprefix("\ufeff").encode("utf-8", "replace").decode()
        compile(readable, PATH, "exec", dont_inherit=True)
        if "\r\n" in text:
            assert "\n" not in changed.replace("\r\n", "")
        assert changed.startswith("\ufeff") == text.startswith("\ufeff")
    assert text.replace(" > ", " >= ", 1) in [*found, text], "the comparison is reached where there is one"


HUGE = "0x" + "f" * 3_600


@every_case(
    "text",
    [
        f"def f(a):\n    return a > {HUGE}\n",
        f"K = [1, {HUGE}]\n",
        f"def f(a):\n    if a > 1:\n        return {HUGE}\n    return 0\n",
        f"def f(a):\n    return f'{{a > 1:{'9' * 4_400}}}'\n",
    ],
)
def test_numbers_that_python_refuses_to_write_are_in_nobodys_way(text):
    assert len(list(candidates_of(text))) > 5


def test_a_table_of_texts_does_not_fill_the_memory(monkeypatch):
    # The package's name of that name is the function.
    monkeypatch.setattr(sys.modules["bot.search.candidates"], "_MAX_MUTATIONS", 20)
    text = f"TABLE = {[f'text {number}' for number in range(12)]}\n"
    found = [candidate.origin for candidate in candidates_of(text)]
    # Each of twelve texts could be any of the eleven others: 132 of them.
    assert 0 < found.count("text reuse") <= 20


def test_a_piece_of_an_f_string_is_no_text_of_its_own():
    text = "def f(n):\n    x = 'no items'\n    return f'total {n} items'\n"
    found = texts(text)
    assert text.replace("'no items'", "f'total {n} items'") in found
    # From Python 3.12 on, ast says where the piece stands, which has no quotes there.
    assert text.replace("'no items'", "total ") not in found


def big_module(functions):
    body = (
        "def step_{0}(order, limit, rate=3):\n    total = 0\n    for index in range(len(order)):\n"
        "        if order[index] > limit and rate:\n            total += order[index] * {0}\n"
        "        elif order[index] == 0:\n            continue\n    return total - limit\n\n\n"
    )
    return "".join(body.format(number) for number in range(functions))


def test_the_first_candidate_of_a_large_file_comes_at_once():
    text = big_module(100)
    assert len(text.splitlines()) >= 1000
    places = [suspicion(line) for line in range(401, 461)]
    found = []
    # Measured at about 5, once what is loaded with the first search is there.
    assert cost(lambda: found.append(next(candidates({PATH: text}, places)))) < 60
    assert found


@pytest.mark.slow
def test_candidates_come_fast_enough_to_feed_the_sandbox():
    text = big_module(30)
    places = [suspicion(line) for line in range(101, 161)]
    found = []
    spent = cost(lambda: found.extend(candidates({PATH: text}, places)))
    assert len(found) > 1_000
    # Some forty for one unit, which is several thousand a second.
    assert len(found) > 5 * spent


def test_accepted_operators_come_earlier_and_the_candidates_stay_the_same():
    def order(accepted=()):
        found = candidates({PATH: FUNCTION}, everywhere(FUNCTION), accepted=accepted)
        return [(one.origin, one.patch) for one in found]

    plain = order()
    name = plain[-1][0]
    preferred = order([name])
    assert set(preferred) == set(plain)

    def places(found):
        return [place for place, (origin, _) in enumerate(found) if origin == name]

    assert sum(places(preferred)) < sum(places(plain))
    assert [one for one in preferred if one[0] != name] == [one for one in plain if one[0] != name]
    assert order(["no such operator", "", "../x"]) == plain


def test_no_accepted_operator_is_likelier_than_the_bound():
    first, *_ = candidates({PATH: FUNCTION}, everywhere(FUNCTION))
    preferred, *_ = candidates({PATH: FUNCTION}, everywhere(FUNCTION), accepted=[first.origin])
    assert first.score < preferred.score <= min(1.0, ACCEPTED_BOOST * first.score)


def test_no_call_becomes_a_statement_that_only_reads():
    source = "def f(writer, row):\n    writer.write(row)\n    return row\n"
    found = texts(source)
    assert "def f(writer, row):\n    return row\n" in found
    assert not any(
        line.strip() in {"row", "writer", "writer.write"} for text in found for line in text.split("\n")
    )
    assert any("row.write(" in text or "write()" in text for text in found)
