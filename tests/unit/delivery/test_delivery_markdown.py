"""Numbers in prose: those of a sentence are words, those that begin a list are code."""

from every_case import every_case

from bot.delivery import markdown


@every_case(
    "text",
    ["3 tests fail (1 of them flaky)", "(1) is first", "1, then 2", "it is the 3) of five", "a share (5%)"],
)
def test_numbers_in_parentheses_are_words(text):
    assert markdown.prose(text) == text


@every_case("begin", ["1.", "1)", "1):", "12)."])
def test_what_would_begin_a_list_is_code(begin):
    assert markdown.prose(f"{begin} first") == f"`{begin}` first"


@every_case("char", ["\u2065", "\ufff0", "\U000e0080", "\ue000", "\u200b"])
def test_a_character_without_a_meaning_is_named(char):
    assert markdown.visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"
    assert not markdown.is_visible(char)
