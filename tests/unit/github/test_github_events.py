"""Events as GitHub sends them, and as nobody should."""

import json

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import GOLDEN

from bot.errors import ConfigurationError
from bot.github.events import KINDS, Trigger, parse_request, read_trigger, trigger_of

EVENTS = json.loads((GOLDEN / "github" / "events.json").read_text("utf-8"))
SHA = EVENTS["pull_request"]["pull_request"]["head"]["sha"]
PERSON = EVENTS["pull_request"]["sender"]


def test_what_is_read_of_each_event():
    assert {name: trigger_of(payload, name=name) for name, payload in EVENTS.items()} == {
        "workflow_run": Trigger(kind="workflow_run", action="completed", run_id=30433642),
        "issue_comment": Trigger(
            kind="issue_comment", action="created", pull=7, comment_id=99, command="fix"
        ),
        "pull_request": Trigger(kind="pull_request", action="synchronize", pull=7),
        "pull_request_review_comment": Trigger(
            kind="pull_request_review_comment",
            action="created",
            pull=7,
            comment_id=98,
            command="fix",
            test="tests/test_a.py::T::test_b[1-x]",
        ),
        "workflow_dispatch": Trigger(kind="workflow_dispatch"),
        "schedule": Trigger(kind="schedule"),
    }
    assert set(EVENTS) == set(KINDS)


@every_case(
    ("changed", "said"),
    [
        ({"action": "edited"}, "an edited comment"),
        ({"action": "deleted"}, "a deleted one"),
        ({"issue": {"number": 7}}, "no pull request"),
        ({"comment": {"id": 9, "body": "/regreen fix", "user": {"login": "x[bot]", "type": "Bot"}}}, "a bot"),
        ({"comment": {"id": 9, "body": None, "user": PERSON}}, "no text"),
        ({"comment": {"id": 9, "body": "/regreen fix", "user": None}}, "nobody"),
    ],
)
def test_what_asks_for_nothing(changed, said):
    trigger = trigger_of({**EVENTS["issue_comment"], **changed}, name="issue_comment")
    assert trigger.command == "", said


@every_case(
    ("action", "label", "labelled"),
    [("labeled", "regreen", True), ("labeled", "bug", False), ("synchronize", "regreen", False)],
)
def test_the_label_is_a_request(action, label, labelled):
    payload = {**EVENTS["pull_request"], "action": action, "label": {"name": label}}
    trigger = trigger_of(payload, name="pull_request")
    assert (trigger.labelled, trigger.is_asked) == (labelled, labelled)


@every_case("test", ["test_a.py", "a/b-c/test_a.py::test", "t.py::T::test_x[a=1,b:c+d/e]"])
def test_a_command_may_name_a_test(test):
    assert parse_request(f"/regreen fix {test}") == ("fix", test)
    assert parse_request(f"/Regreen FIX  {test} \nplease") == ("fix", test)
    assert parse_request(f"/regreen apply {test}") == ("", "")


@every_case(
    "test",
    [
        *("--collect-only", "-p=x.py", "/etc/x.py", "../x.py", "a/../../x.py", "a/./x.py", "it", "x.py::"),
        *("x.py::a;b", "x.py::$(id)", "x.py::`id`", "x.py::a b", "\u0445.py::a", "x.py::a\x00", "x.pyc"),
        "a" * 300 + ".py",
    ],
)
def test_what_is_no_test_is_no_command(test):
    assert parse_request(f"/regreen fix {test}") == ("", "")


@every_case("word", ["fix", "apply", "dismiss", "explain"])
@every_case("form", ["/regreen {}", "/regreen\t{} ", "/Regreen   {}\nplease", "/regreen {}\r\n\r\n> x"])
def test_a_command_is_the_first_line(form, word):
    assert parse_request(form.format(word))[0] == word
    assert parse_request(form.format(word.upper()))[0] == word


@every_case(
    "body",
    [
        *("", "fix", "/regreen", "/regreenfix", "/regreen fix it", "/regreen fix apply", "/regreen delete"),
        "/regreen di\u017fmi\u017f\u017f",
        *(" /regreen fix", "    /regreen fix", "\n/regreen fix", "> /regreen fix", "`/regreen fix`"),
        *("```\n/regreen fix\n```", "Say /regreen fix", "hello\n/regreen fix", "<!-- -->/regreen fix"),
        *("/regreen\u00a0fix", "/regreen\nfix", "/regreen fix\u2028", "\ufeff/regreen fix", "/regreen ﬁx"),
        *(
            "/regreen fix\x00",
            "/regreen fix\u200b",
            "- /regreen fix",
            "@bot /regreen fix",
            "/regreen fix\x0bmore",
        ),
    ],
)
def test_nothing_else_is_a_command(body):
    assert parse_request(body)[0] == ""


@given(st.text())
def test_no_text_is_a_command_unless_its_first_line_is(text):
    first = text.replace("\r\n", "\n").partition("\n")[0]
    if parse_request(text)[0]:
        words = first.lower().split()
        assert words[:2] in [["/regreen", word] for word in ("fix", "apply", "dismiss", "explain")]
        assert len(words) == (3 if parse_request(text)[1] else 2)


@every_case(
    ("name", "payload", "said"),
    [
        ("push", {}, "'push' is none that Regreen answers"),
        ("pull_request_target", EVENTS["pull_request"], "none that Regreen answers"),
        ("x\n::error::y", {}, "none that Regreen answers"),
        ("workflow_run", {}, "workflow_run: field required"),
        ("workflow_run", {"workflow_run": {"id": "1", "head_sha": SHA}}, "workflow_run.id"),
        ("workflow_run", {"workflow_run": {"id": 2**63}}, "workflow_run.id"),
        ("pull_request", {"pull_request": {"number": -1, "head": {"sha": SHA}}}, "number"),
        ("pull_request", {"pull_request": {"number": 1.5, "head": {"sha": SHA}}}, "number"),
        ("issue_comment", {"issue": {"number": 1}, "comment": {"id": True}}, "comment.id"),
        ("schedule", [], "no schedule event"),
        ("schedule", None, "no schedule event"),
    ],
)
def test_what_is_no_event_is_said(name, payload, said):
    with pytest.raises(ConfigurationError) as caught:
        trigger_of(payload, name=name)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["workflow_run", "issue", "comment", "pull_request", "id", "number", "sender", "head"]
            ),
            inner,
            max_size=4,
        )
    ),
)


@given(_JSON, st.sampled_from(KINDS))
def test_any_payload_is_a_trigger_or_an_error(payload, name):
    try:
        assert trigger_of(payload, name=name).kind == name
    except ConfigurationError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either is right


@every_case("content", [b"", b"{", b"\xff", b"[" * 100_000, b"[" * 5_000 + b"]" * 5_000])
def test_the_file_is_read_and_one_that_is_no_event_or_not_there_is_said(tmp_path, content):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENTS["schedule"]), encoding="utf-8")
    assert read_trigger(path, name="schedule").kind == "schedule"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="event"):
        read_trigger(path, name="schedule")
    with pytest.raises(ConfigurationError, match="GITHUB_EVENT_PATH names it"):
        read_trigger(tmp_path / "none.json", name="schedule")
