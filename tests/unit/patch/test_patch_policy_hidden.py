"""Characters that hide code from whoever reads it, and names that are taken for others."""

from every_case import every_case
from policy_support import judged

OLD = "def total(prices):\n    # adds up\n    return sum(prices) - 1\n"
NEW = OLD.replace(" - 1", "")


def changed(old, new, path="shop.py"):
    return judged(new, {path: old})


@every_case("place", ["    # {} a comment\n", "    name = 'a{}b'\n", "    '''a\n{}b'''\n"])
@every_case(
    "char",
    [
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",  # bidirectional controls
        *"\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u2061\u034f\u3164\u2800\ufe0f\U000e0041",  # not seen
        *"\x1b\x08\x7f\x9b\x85\u2028\u2029\ue000",  # controls of a terminal, ends of lines, no character
    ],
)
def test_a_character_that_cannot_be_seen_is_refused(char, place):
    line = place.replace("{}", char)
    new = NEW.replace("    # adds up\n", f"    # adds up\n{line}")
    assert any(f"U+{ord(char):04X}" in why for why in changed(OLD, new).refused)
    # A line that is there already may stay, beside one that changes.
    old = OLD.replace("    # adds up\n", f"    # adds up\n{line}")
    assert changed(old, new).refused == ()


def test_a_hidden_character_in_data_is_refused_as_well():
    assert changed("a\n", "a\u202eb\n", "shop/data.json").refused


def test_code_behind_a_lone_carriage_return_is_refused():
    """An editor and a diff show one line, and Python reads two."""
    hidden = NEW.replace("# adds up", "# adds up\r    return 0")
    assert any("carriage return" in why for why in changed(OLD, hidden).refused)
    lines = "# x" + "\rx = 1" * 500 + "\n"
    assert changed(OLD, OLD + lines).refused
    windows = OLD.replace("\n", "\r\n")
    assert changed(windows, windows.replace(" - 1", "")) == changed(OLD, NEW)


@every_case(
    "name",
    [
        *("\u0441\u0443\u043c\u0430", "t\u043etal", "\u0440rices", "s\u03c5m", "\uff53um", "\U0001d460um"),
        *("pr\u0456ces", "\u0455um", "l\u0131st", "\u217eata", "pr\u0269ces", "to\u0442al"),
    ],
)
@every_case("place", ["{} = 1\n", "def {}(): pass\n", "x.{}\n", "def f({}=1): pass\n", "x = f'{{{}}}'\n"])
def test_a_name_that_looks_like_another_is_refused(name, place):
    code = place.replace("{{{}}}", "{" + name + "}").replace("{}", name)
    if name == "\u0441\u0443\u043c\u0430":
        name = "\u0441\u0443\u043c"  # wholly of such letters, but for one
        code = code.replace("\u0441\u0443\u043c\u0430", "\u0441\u0443\u0440\u0430")
    found = changed(OLD, OLD + code)
    assert any("can be taken for another" in why for why in found.refused), ascii(code)
    assert changed(OLD + code, NEW + code).refused == ()


def test_names_of_other_languages_are_for_a_person_and_accents_are_not():
    assert changed(OLD, OLD + "größe = naïve = 1\n") == changed(OLD, NEW)
    found = changed(OLD, OLD + "\u0438\u0442\u043e\u0433\u043e = 1\n\u0436\u0443\u043a = 2\n")
    assert found.refused == ()
    assert len(found.shown) == 2
    assert changed(OLD, OLD + "# Übung: \u0438\u0442\u043e = 's\u0443ma'\n") == changed(OLD, NEW)
