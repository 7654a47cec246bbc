"""Scripts that a project gives names: of poe, pdm, pipenv, just, taskipy and rye."""

from case_rows import rows
from cost import cost
from every_case import every_case
from sections import sections

from sandbox.ci.tools.scripts import MAX_TEXT, named_script

PYPROJECT, JUSTFILE = (text.encode() for text in sections("sources/ci_scripts.txt")[0].parts.values())
FILES = {
    "pyproject.toml": PYPROJECT,
    "sub/pyproject.toml": b"[tool.poe.tasks]\nplain = 'pytest sub'\n",
    "Pipfile": b"[scripts]\ntest = 'pytest pipenv'\nodd = 3\n",
    "justfile": JUSTFILE,
}


@every_case(
    ("command", "text"),
    [
        *rows("ci/named_scripts.txt"),
        ("just cov unit -k one", "uv run  pytest unit -k one "),
    ],
)
def test_a_script_by_its_name(command, text):
    assert named_script(command.split(), FILES).replace("\n", "; ") == text


def test_a_script_of_the_directory_in_which_it_is_called():
    assert named_script(["poe", "plain"], FILES, directory="sub") == "pytest sub"
    assert named_script(["just", "test"], FILES, directory="sub") == ""


NAMES = [f"t{n}" for n in range(900)]
MANY = "[" + ", ".join(f"'{name}'" for name in NAMES) + "]"
HOSTILE = {
    "tasks of each other": "[tool.poe.tasks]\n" + "\n".join(f"{name} = {MANY}" for name in NAMES[:100]),
    "tasks without a line": "[tool.poe.tasks]\n"
    + "\n".join(f"{name} = [{{sequence = []}}]" for name in NAMES),
    "deep": "[tool.poe.tasks]\nt0 = " + "[" * 400 + "]" * 400,
    "deep tables": "[tool.poe.tasks]\nt0 = " + "{sequence = [" * 200 + "]}" * 200,
    "long": "[tool.poe.tasks]\nt0 = '" + "x" * 500_000 + "'",
    "many words": "[tool.poe.tasks]\nt0 = {cmd = [" + "'x', " * 100_000 + "]}",
    "broken": "[tool.poe.tasks\n",
}


@every_case("text", HOSTILE.values())
def test_hostile_tasks_are_read_within_bounds(text):
    files = {"pyproject.toml": text.encode()}
    found = []
    assert cost(lambda: found.append(named_script(["poe", "t0"], files))) < 100
    assert len(found[0]) <= MAX_TEXT


@every_case("name", ["t", "(", "t" * 10_000, "\0"])
def test_a_hostile_justfile_is_read_within_bounds(name):
    files = {"justfile": (b"t " * 50_000 + b":\n" + b" x\n" * 100_000 + b"t:\n" * 10_000 + b"\xff\0")}
    assert cost(lambda: named_script(["just", name], files)) < 60
