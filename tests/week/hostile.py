"""What an untrusted person can put into a repository, a log and a name, beside a real fault."""

from collections.abc import Mapping

from fakes.github import Link
from fakes.hostile import COMMANDS, ECHOED, MARKUP, NAMES, ORDER, reading

from week.projects import Bug, Project


def files(of: Project, bug: Bug) -> Mapping[str, bytes | Link]:
    """Names that are commands, a link to the process's environment, a test that prints all it can reach."""
    test = bug.path.replace(f"{of.package}/", "tests/test_")
    text = of.files[test].decode().replace("    assert ", "    print(SEEN)\n    assert ")
    loud = f"{text}\n\n{reading('environment.txt')}print({COMMANDS!r}, {ECHOED!r}, SEEN)\n"
    link = {"environment.txt": Link("/proc/self/environ")}
    return {**dict.fromkeys(NAMES, b"x = 1\n"), **link, test: loud.encode()}


def log(text: str) -> str:
    """``text`` with what a test prints in it."""
    return f"{COMMANDS}{ORDER}\n{text.replace('E       ', f'E       {MARKUP} {ECHOED} ')}{COMMANDS}"
