"""A culprit that exchanges one literal, and the words of a change that say so."""

import ast

from every_case import every_case

from bot.patch.apply import from_sources
from bot.search.difference.exchange import Exchange, concerns, exchange_of, expected_before, is_said

PATH = "m.py"
CODE = '''\
class Table:
    """Rows."""

    def text(self, rows, sep=", ", width=2):
        limit = 10
        if not rows:
            raise ValueError("rows must be given")
        return round(len(rows) / 3, 2), sep.join(rows)
'''


def exchanged(old, new, *, code=CODE):
    head = code.replace(old, new, 1)
    assert head != code
    return exchange_of(from_sources({PATH: head}, {PATH: code}).edits, {PATH: head})


@every_case(
    ("old", "new", "parts", "names"),
    [
        ("must be", "have to be", ("must", "have to"), ("text", "Table")),
        ('", "', '"; "', (",", ";"), ("sep", "text", "Table")),
        ("width=2", "width=None", (2, None), ("width", "text", "Table")),
        ("3, 2)", "3, 4)", (2, 4), ("text", "Table")),
        ("limit = 10", "limit = 12", (10, 12), ("limit", "text", "Table")),
    ],
)
def test_one_literal_is_known_with_what_it_belongs_to(old, new, parts, names):
    found = exchanged(old, new)
    assert (found.parts, found.names) == (parts, names)


@every_case(
    ("old", "new"),
    [
        ("len(rows) / 3", "len(rows) * 3"),
        ("width=2", "width=-2"),  # another expression
        ("width=2", "height=2"),
        ("width=2", "width"),  # the default is gone
        ("limit = 10", "limit = rows"),
        ("if not rows", "if not sep"),
        ("(rows)\n", "(rows[:3])\n"),
        ('"""Rows."""', '"""All rows."""'),  # documentation is no behaviour
    ],
)
def test_what_is_more_than_a_literal_is_none(old, new):
    assert exchanged(old, new) is None


def test_the_same_exchange_in_several_places_is_one_and_two_are_none():
    code = 'A = "old one"\nB = "old two"\n'
    both = exchanged(code, code.replace("old", "new"), code=code)
    assert both.parts == ("old", "new")
    assert exchanged(code, 'A = "new one"\nB = "late two"\n', code=code) is None


WORDS = Exchange("rows must be given", "rows have to be given", ("text", "Table"))
WIDTH = Exchange(2, 4, ("width", "text", "Table"))
MARK = Exchange(", ", "; ", ("sep", "text"))


@every_case(
    ("exchange", "line", "expected"),
    [
        (WORDS, "``text`` says that rows have to be given", True),
        (WORDS, "say 'have to' in place of 'must'", False),  # of what?
        (WORDS, "text is faster", False),
        (WORDS, "``text`` says that rows haveto be given", False),
        (WIDTH, "Change the width of text from 2 to 4.", True),
        (WIDTH, "The width of text is 4 now", True),
        (WIDTH, "text has 4 columns", False),  # 4 stands in many sentences
        (WIDTH, "Change the width of text from 2 to 41.", False),
        (WIDTH, "Change the width of text from 2 to 4.5", False),
        (MARK, "text: the separator is '; ' instead of ', '", True),
        (MARK, "text has another sep; see there, too", False),
        (MARK, "text: the separator is ';;' instead of ','", False),
        (MARK, "``text``; 'sep' differs", False),  # between two quotations
        (MARK, "the separator of `text` is ``';'``", True),
    ],
)
def test_a_line_says_it_with_the_value_and_what_it_belongs_to(exchange, line, expected):
    assert is_said(exchange, [line]) is expected


def test_a_sentence_may_run_over_two_lines_and_no_more():
    lines = ["Change the width of text", "from 2 to 4."]
    assert is_said(WIDTH, lines)
    assert not is_said(WIDTH, [lines[0], "", lines[1]])


@every_case(
    ("test", "expected"),
    [
        ("assert Table().text([]) == 1", True),
        ("with raises(ValueError, match='must be'): go()", True),
        ("assert other() == 'muster'", False),
    ],
)
def test_a_test_is_concerned_by_a_name_or_by_the_old_words(test, expected):
    assert concerns(WORDS, ast.parse(test)) is expected


def test_the_literal_of_an_assertion_is_found_by_the_old_words():
    text = "def test():\n    with raises(ValueError, match='rows must be given'):\n        Table().text([])\n"
    found = expected_before(WORDS, "test_m.py", 2, text)
    assert (found.expected, found.actual) == ("rows must be given", "rows have to be given")
    assert ast.unparse(found.literal) == "'rows must be given'"
    twice = text.replace("match=", "match='must' + ")
    assert expected_before(WORDS, "test_m.py", 2, twice).literal is None
    assert expected_before(WORDS, "test_m.py", 1, "x = 1\n") is None
