"""The README and the pages of docs/: links lead somewhere, commands and messages are those of the code."""

import ast
import json
import re
import shlex
from dataclasses import asdict
from functools import cache
from pathlib import Path

import click
import pytest
import yaml
from every_case import every_case

from bot import errors
from bot.cli import ENDING_SIGNALS, INTERNAL_ERROR, INTERRUPTED, cli, run
from bot.commands.doctor import diagnosis
from bot.config.options import BY_NAME
from bot.delivery.json_report import FOR_A_PERSON, FORMAT_VERSION, plain_data
from bot.ending import SIGNALLED
from bot.result import Outcome, RepairResult
from bot.trajectory import reading
from bot.trajectory.reading import Recording

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
ROOT_PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md")]
PAGES = sorted([*ROOT_PAGES, *DOCS.rglob("*.md")])
EXIT_STATUS = (DOCS / "exit-status.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def blocks(page, language=""):
    """The fenced blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def anchors(page):
    """The anchors that GitHub gives to a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_case("page", PAGES)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"""(?:\]\(|<img src=")([^)"\s]+)[)"]""", page.read_text("utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_the_index_knows_every_page():
    index = (DOCS / "README.md").read_text("utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index, page.name


# Of all pages in docs/ together.
MAX_WORDS = 18_000
# Pages in which one looks up a line.
LOOK_UP = {"configuration.md": 2_000, "troubleshooting.md": 1_300}


@every_case("page", sorted(DOCS.glob("*.md")))
def test_a_page_is_short(page):
    assert len(page.read_text("utf-8").split()) <= LOOK_UP.get(page.name, 1_000)


def test_all_pages_together_are_short():
    assert sum(len(page.read_text("utf-8").split()) for page in DOCS.rglob("*.md")) <= MAX_WORDS


def test_decisions_are_short_numbered_and_dated():
    records = sorted((DOCS / "decisions").iterdir())
    for number, record in enumerate(records, 1):
        text = record.read_text("utf-8")
        assert record.name.startswith(f"{number:04}-")
        assert re.match(rf"# {number}\. .+\n\n20\d\d-\d\d-\d\d\n\n\*\*Context\.\*\* ", text), record.name
        assert all(f"\n**{part}.** " in text for part in ("Decision", "Consequences")), record.name
        assert len(text.split()) <= 150, record.name


def called(text):
    """The calls of ``regreen`` in a block of shell commands, as words."""
    for line in text.replace("\\\n", " ").splitlines():
        for found in re.finditer(r"(?:^|[\s/(\"'])regreen ((?:[a-z][a-z-]+)(?: [^#>|;)&]*)?)", line):
            try:
                yield shlex.split(found[1])
            except ValueError:  # a quote that ends behind the call
                yield shlex.split(found[1].replace("'", "").replace('"', ""))


def calls():
    for page in [*PAGES, ROOT / "action.yml"]:
        for text in blocks(page) + blocks(page, "sh"):
            yield from ((page.name, words) for words in called(text))
        if page.suffix == ".md":
            for text in re.findall(r"`(regreen [^`]+)`", page.read_text("utf-8")):
                yield from ((page.name, words) for words in called(text))


def test_every_command_and_option_in_the_pages_exists():
    seen = set()
    for page, (name, *words) in calls():
        command = cli.commands.get(name)
        assert command, (page, name)
        seen.add(name)
        if name == "bench":
            continue
        options = {flag for parameter in command.params for flag in parameter.opts} | {"--help"}
        for word in words:
            if word.startswith("--"):
                assert word.partition("=")[0] in options, (page, name, word)
    assert seen == set(cli.commands), "a command that no page shows"


def test_the_readmes_options_have_the_defaults_of_the_table():
    rows = dict(re.findall(r"^\| `--([a-z-]+)[ `].*\| ([^|]+) \|$", README, re.MULTILINE))
    assert set(rows) >= {"test-command", "time-budget", "strategy", "sandbox"}
    for name, shown in rows.items():
        option = BY_NAME.get(name)
        if option and option.default not in {None, ""}:
            assert option.show(option.default) in shown.replace("`", ""), name


def test_the_readmes_workflow_is_the_one_of_the_example():
    (text,) = blocks(ROOT / "README.md", "yaml")
    ours = yaml.safe_load(text)
    example = yaml.safe_load((ROOT / "examples/workflows/suggest-on-red.yml").read_text())
    assert ours[True] == example[True]
    assert ours["permissions"] == example["permissions"]
    job = dict(example["jobs"]["regreen"])
    del job["name"]
    assert ours["jobs"]["regreen"] == job
    assert len(text.splitlines()) <= 10


# exit statuses and JSON


def statuses():
    rows = re.findall(r"^\| ([0-9, ]+) \| ([^|]+) \|", EXIT_STATUS, re.MULTILINE)
    return {int(number): meaning for numbers, meaning in rows for number in numbers.split(",")}


def test_the_page_has_every_exit_status_and_no_other():
    kinds = [errors.RegreenError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    signals = {SIGNALLED + number for number in ENDING_SIGNALS}
    assert set(statuses()) == {0, FOR_A_PERSON, INTERNAL_ERROR, INTERRUPTED, *signals} | {
        kind.exit_code for kind in kinds
    }


def test_the_help_says_the_same_statuses():
    said = {int(number) for number in re.findall(r"\b(\d) ", cli.help.partition("Exit status:")[2])}
    assert said <= set(statuses())


def test_the_page_has_every_field_and_outcome_of_the_json():
    section = EXIT_STATUS.partition("## `regreen fix --json`")[2].partition("\n## ")[0]
    fields = [
        name for names in re.findall(r"^- (`[^:]+`): ", section, re.MULTILINE) for name in names.split(", ")
    ]
    result = plain_data(RepairResult(outcome=Outcome.NO_PATCH, reason="so"))
    assert [name.strip("`") for name in fields] == list(result)
    assert f"`version` is {FORMAT_VERSION}" in section
    assert all(f"`{outcome.value}`" in section for outcome in Outcome)
    assert json.dumps(result)


def test_the_page_has_every_field_of_the_other_commands(tmp_path, capfdbinary):
    section = EXIT_STATUS.partition("## The other commands\n")[2]
    rows = dict(re.findall(r"^- `regreen (\w+)[^`]*`: (.*(?:\n  .*)*)$", section, re.MULTILINE))
    fields = {name: re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)+", "", cell)) for name, cell in rows.items()}
    (tmp_path / "ci.log").write_text("==== 1 passed in 0.1s ====\n")
    workflow = tmp_path / ".github" / "workflows" / "ci.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("on: push\njobs: {t: {steps: [{run: pytest}]}}\n")
    (tmp_path / "a.py").touch()
    (tmp_path / ".git").mkdir()
    printed = {}
    for name, *arguments in (("triage", tmp_path / "ci.log"), ("config",), ("init", tmp_path)):
        assert run([name, *map(str, arguments), "--json"]) == 0
        printed[name] = json.loads(capfdbinary.readouterr().out)
    printed["doctor"] = diagnosis.plain_data(diagnosis.Diagnosis(sections=(), sandbox=""))
    line = diagnosis.Line(name="", status=diagnosis.Status.OK, detail="")
    assert all(f"`{name}`" in rows["doctor"] for name in asdict(line))
    recording = Recording(path=tmp_path, header={}, events=(), result=None, notes=())
    printed["show"] = reading.plain_data(recording)
    assert {name: list(document) for name, document in printed.items()} == fields


# troubleshooting


@cache
def literals():
    """Every text in the code, with a mark where a value is put in."""
    found = []
    for package in ("bot", "sandbox"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_bytes())):
                if isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]
                    found.append("".join(map(str, parts)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    return "\n".join(found)


@pytest.mark.slow
def test_every_message_in_the_troubleshooting_is_one_of_the_code():
    text = (DOCS / "troubleshooting.md").read_text("utf-8")
    named = re.findall(r"^- (`[^`]+`(?:, `[^`]+`)*): ", text, re.MULTILINE)
    messages = [message for names in named for message in re.findall(r"`([^`]+)`", names)]
    assert len(messages) > 30
    assert [message for message in messages if message not in literals()] == []


def test_every_command_is_a_command_of_click():
    assert all(isinstance(command, click.Command) for command in cli.commands.values())


# architecture


def test_the_map_names_every_module_and_package():
    text = (DOCS / "architecture.md").read_text("utf-8")
    shown_map = text.partition("## Packages\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"\w+\.py|\w+/", shown_map))
    for top in ("bot", "sandbox"):
        for path in (ROOT / top).iterdir():
            shown = f"{path.name}/" if path.is_dir() else path.name
            if (path.suffix == ".py" and path.name != "__init__.py") or (path / "__init__.py").is_file():
                assert shown in named, f"{top}/{shown}"


def test_where_to_add_things_names_what_is_there():
    section = (DOCS / "architecture.md").read_text("utf-8").partition("## Where to add things\n")[2]
    paths = re.findall(r"`((?:bot|tests|docs|benchmarks)/[\w./]+)`", section.partition("\n## ")[0])
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []
