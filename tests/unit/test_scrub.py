"""No key is written down."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

from every_case import every_case

from bot.scrub import Scrubber, secrets_of_address


@every_case(
    "token",
    [
        "ghp_" + "a1B2" * 9,
        "ghs_" + "a1B2" * 9,
        "github_pat_" + "a1B2_" * 10,
        "sk-proj-" + "a1B2-_" * 6,
        "hf_" + "a1B2" * 9,
        "AKIA" + "A1B2" * 4,
        "xoxb-" + "1234-" * 4 + "a",
        "AIza" + "a" * 35,
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_token_is_masked(token):
    assert Scrubber()(f"before '{token}' after") == "before '***' after"


def test_known_secrets_are_masked_the_longer_first():
    assert Scrubber(["secret-1", "secret-12345"])("secret-12345 secret-1") == "*** ***"


def test_a_password_in_an_address_is_masked_and_the_host_stays():
    assert Scrubber()("http://user:hidden@host:80/v1") == "http://***@host:80/v1"


@every_case("text", ["", "plain", "task-list", "risk-averse-behaviour-of-code", "none", "hf_hub"])
def test_other_texts_stay(text):
    assert Scrubber(["none", ""])(text) == text


def test_values_are_scrubbed_at_any_depth():
    scrub = Scrubber(["hidden-key"])
    assert scrub.within({"a": ["hidden-key", 1, None], "hidden-key": ("x",)}) == {
        "a": ["***", 1, None],
        "***": ["x"],
    }


def test_a_giant_hostile_text_takes_no_time():
    text = "eyJ" * 200_000 + "-----BEGIN PRIVATE KEY-----" * 2_000
    assert len(Scrubber()(text)) <= len(text)


@every_case(
    "form",
    [
        str,
        lambda key: json.dumps({"k": key}),
        lambda key: json.dumps(key, ensure_ascii=False),
        repr,
        html.escape,
        quote,
        quote_plus,
        lambda key: base64.b64encode(key.encode()).decode(),
        lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    ],
)
def test_a_secret_is_masked_in_each_form_that_a_server_may_send_back(form):
    key = """ke"y'\\<&>/+ ü-1234?"""
    shown = Scrubber([key])(f"before {form(key)} after")
    assert "1234" not in shown
    assert "***" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")


def test_an_address_has_secrets_in_its_user_its_password_and_its_query():
    address = "https://user%40home:pass%2Fword@host:80/v1?key=abc%2Bdef&mode="
    found = secrets_of_address(address)
    assert found == ("abc+def", "abc%2Bdef", "pass%2Fword", "pass/word", "user@home:pass/word")
    header = base64.b64encode(b"user@home:pass/word").decode()
    scrub = Scrubber(found)
    assert scrub(f"Authorization: Basic {header}").startswith("Authorization: Basic ***")
    assert secrets_of_address("http://longtoken@host") == ("longtoken", "longtoken:")
    assert secrets_of_address("http://[broken") == ()
    assert secrets_of_address("http://host/v1") == ()


SECRET = "tok/en+Se&cret_99xyz"


@every_case("user", ["", "u:", "us:", "user:", "x-access-token:"])
@every_case("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_secret_behind_anything_is_masked_in_base64(user, encode):
    shown = Scrubber([SECRET])(encode(f"{user}{SECRET}@".encode()).decode())
    plain = base64.b64decode(encode(user.encode() + bytes(3)))[: len(user)]
    assert "***" in shown
    assert len(shown) <= 4 * (len(user) // 3 + 1) + 3 + 8, (shown, plain)


@every_case(
    "written",
    [
        SECRET.encode().hex(),
        SECRET.encode().hex().upper(),
        "tok%2fen%2bSe%26cret_99xyz",
        "tok%2Fen%2bSe%26cret_99xyz",
        quote(quote(SECRET, safe=""), safe=""),
        "tok\\/en+Se&cret_99xyz",
        "tok/en+Se\\u0026cret_99xyz",
        "tok\\u002fen\\u002bSe\\u0026cret_99xyz",
        base64.b64encode(base64.b64encode(SECRET.encode())).decode().rstrip("="),
    ],
)
def test_a_secret_in_another_notation_is_masked(written):
    assert Scrubber([SECRET])(f"<{written}>") == "<***>"


def test_each_line_of_a_secret_is_masked():
    lines = Scrubber(["first line of a key\nsecond line of a key\nend"])
    assert lines("  second line of a key") == "  ***"
    assert lines("the end") == "the end"
    assert Scrubber([f"{SECRET}\n"])(f"<{SECRET}>") == "<***>"
