"""Calls of hatch: environments with templates, scripts within scripts, arguments, `hatch test`, limits."""

import pytest
from case_rows import rows
from cost import cost
from every_case import every_case
from sections import sections

from sandbox.ci.commands import ToolInvocation
from sandbox.ci.tools.hatch import MAX_LINES, expand

PYPROJECT = sections("sources/ci_hatch.txt")[0].parts["PYPROJECT"].encode()
FILES = {"pyproject.toml": PYPROJECT, "sub/hatch.toml": b"[envs.default]\ndependencies = ['sub']\n"}


def shown(command, files=FILES, directory="."):
    found = expand(ToolInvocation(words=command.split(), files=files, directory=directory))
    assert not found or (found[0].words, found[0].fresh) == (("hatch",), True)
    assert not any(one.fresh for one in found[1:])
    assert {one.directory for one in found} <= {directory}
    return [" ".join(one.words) for one in found[1:]]


@every_case(("command", "expected"), rows("ci/hatch_calls.txt"))
def test_a_call(command, expected):
    assert "; ".join(shown(command)) == expected


def test_an_environment_named_as_its_script():
    files = {"hatch.toml": b"[envs.test]\nskip-install = true\nscripts.test = 'pytest own'\n"}
    assert shown("hatch -e test run test", files) == ["pytest own"]


def test_the_variables_of_the_environment_are_set_for_its_commands():
    assert expand(ToolInvocation(words=["hatch", "run", "test"], files=FILES))[-1].environment == (
        ("MODE", "fast"),
    )


def test_the_configuration_of_the_directory():
    assert shown("hatch run pytest", directory="sub") == ["pip install sub .", "pytest"]


@every_case("data", [b"", b"[envs", b"\xff", b"envs = 3\n", b"[envs]\ndefault = 3\n"])
def test_without_a_configuration_that_can_be_read_it_runs_what_it_is_given(data):
    assert shown("hatch run pytest x", {"hatch.toml": data}) == ["pip install .", "pytest x"]


NAMES = [f"t{n}" for n in range(300)]
EACH_OTHER = "\n".join(f"{name} = {NAMES!r}" for name in NAMES)
HOSTILE = {
    "scripts of each other": f"[envs.default.scripts]\n{EACH_OTHER}\n",
    "arguments that grow": "[envs.default.scripts]\n"
    + "\n".join(f"t{n} = 't{n + 1} {'{args} ' * 500}'" for n in range(9)),
    "templates of each other": "".join(f"[envs.e{n}]\ntemplate = 'e{(n + 1) % 99}'\n" for n in range(99)),
    "deep": "envs = " + "{a = " * 400 + "1" + "}" * 400,
    "many requirements": "[envs.default]\ndependencies = [" + "'x', " * 100_000 + "]",
    "braces": "[envs.default.scripts]\nt0 = '" + "{args:" * 50_000 + "'",
    "quotes": '[envs.default.scripts]\nt0 = """' + "'a " * 50_000 + '"""',
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_environments_are_read_within_bounds(text):
    found, files = [], {"hatch.toml": text.encode()}
    for name in ("e0:t0", "t0"):
        call = ToolInvocation(words=["hatch", "run", name, "x" * 5_000], files=files)
        assert cost(lambda call=call: found.extend(expand(call))) < 150
    assert len(found) <= 2 * MAX_LINES + 4
    assert sum(len(word) for one in found for word in one.words) < 4_000_000
