"""The pure parts of a build: its Dockerfile and commands, what it made, what an interpreter already has."""

import json
import shlex
import tarfile
from importlib.metadata import Distribution
from io import BytesIO

from case_rows import values
from every_case import every_case
from snapshots import snapshot

from sandbox.environment import collect
from sandbox.environment.dockerfile import context, dockerfile
from sandbox.environment.interpreters import HostPython
from sandbox.environment.plans.planner import plan_environment
from sandbox.environment.steps import Layout, input_files, steps

LAYOUT = Layout(home="/opt/regreen", workspace="/workspace", python="python3", uv="/opt/regreen/bin/uv")
SCRIPTED = {
    "pyproject.toml": b'[project]\nname = "demo"\ndependencies = ["six"]\n'
    b'[project.scripts]\ndemo = "demo:main"\n',
    "demo.py": b"",
}

CONFINED = ["/opt/regreen-supervisor/python", "-I", "-S", "/opt/regreen-supervisor/confine.py"]


def written(files, *, toolchain="", variables=(), setup_command=""):
    plan = plan_environment(snapshot(files), available=["3.13"], setup_command=setup_command)
    todo = steps(plan, LAYOUT)
    text = dockerfile(
        todo, LAYOUT, base="base", toolchain=toolchain, variables=variables, as_root=bool(setup_command)
    )
    return text.replace("\\\n", "").splitlines()


def shell(line):
    """What a RUN in JSON has the shell do."""
    *program, text = json.loads(line.removeprefix("RUN "))
    assert program in ([*CONFINED, "/bin/sh", "-c"], ["/bin/sh", "-c"])
    return text


def installer(line):
    """What the installer that a RUN in JSON starts gets as its settings."""
    return json.loads(shlex.split(shell(line))[-1])


def test_the_dependencies_layer_comes_before_the_project_and_runs_as_nobody():
    lines = written(SCRIPTED)
    heads = [line.split()[0] for line in lines]
    assert " ".join(heads) == "FROM USER RUN RUN COPY USER COPY RUN RUN COPY RUN RUN"
    assert lines[4] == "COPY --chown=0:0 confine.py /opt/regreen-supervisor/confine.py"
    assert lines[5] == "USER 65534:65534"
    assert "requirements-0.txt" in lines[8]
    assert lines[9] == "COPY --chown=65534:65534 project /workspace"
    alone = ["--no-deps", "--reinstall", "/workspace"]
    project = installer(lines[10])["project"]
    assert project["attempts"] == [alone, ["--no-deps", "--reinstall", "--no-sources", "/workspace"]]
    assert project["metadata"]["entry_points"] == "[console_scripts]\ndemo = demo:main"
    assert installer(lines[10])["command"][-1] == "--compile-bytecode"


def test_the_project_is_not_copied_where_it_takes_no_part():
    lines = written({"requirements.txt": b"six\n", "module.py": b""})
    assert not any(line.startswith("COPY") and "project" in line for line in lines)
    plan = plan_environment(snapshot({"requirements.txt": b"six\n"}), available=["3.13"])
    with tarfile.open(fileobj=BytesIO(context("", input_files(plan, snapshot({}), LAYOUT), None))) as tar:
        inputs = ("constraints.txt", "install.py", "requirements-0.txt", "requirements-1.txt")
        assert tar.getnames() == ["Dockerfile", "confine.py", *(f"inputs/{name}" for name in inputs)]


@every_case("command", ["apt-get install -y 'x y' && make", "apt-get update\nuser 0:0\nmake 'a\nb'\n"])
def test_a_setup_command_is_one_quoted_instruction_that_runs_as_root(command):
    lines = written({"module.py": b""}, setup_command=command)
    assert {line.split()[0] for line in lines} == {"FROM", "USER", "RUN", "COPY"}
    assert [line for line in lines if line.startswith("USER")] == ["USER 0:0"]
    assert not any(CONFINED[-1] in line for line in lines)
    (line,) = (line for line in lines if "apt-get" in line)
    assert shlex.split(shell(line))[-3:] == ["sh", "-ec", command]


def test_named_variables_are_declared_save_those_that_the_engine_knows():
    lines = written(SCRIPTED, variables=("HTTPS_PROXY", "UV_INDEX_URL"))
    assert "ARG UV_INDEX_URL" in lines
    assert not any("HTTPS_PROXY" in line for line in lines)


@every_case(("toolchain", "package"), [("a C compiler", "build-essential"), ("Rust", "cargo")])
def test_a_toolchain_is_installed_only_where_it_is_missing(toolchain, package):
    line = written(SCRIPTED, toolchain=toolchain)[2]
    assert package in line
    assert line.index("command -v gcc") < line.index("apt-get")


KNOWN = {"src/demo/__init__.py", "src/demo/core.py", "src/demo/fast.c", "tests/test_core.py", "setup.py"}
INSTALLED = [
    "demo/__init__.py",
    "demo/core.py",
    "demo/_version.py",
    "demo/fast.cpython-313-x86_64-linux-gnu.so",
    "demo/core.cpython-313-x86_64-linux-gnu.so",
    "_demo.cpython-313-x86_64-linux-gnu.so",
    "vendored/__init__.py",
]


def test_what_was_installed_finds_its_place_in_the_project():
    mapping = collect.import_roots(INSTALLED, KNOWN)
    assert mapping == {"demo": "src"}
    places = dict(collect.located(INSTALLED, mapping))
    assert places["demo/_version.py"] == "src/demo/_version.py"
    assert places["_demo.cpython-313-x86_64-linux-gnu.so"] == "src/_demo.cpython-313-x86_64-linux-gnu.so"
    assert places["vendored/__init__.py"] is None, "not of the project's sources: it stays installed"
    known = {"demo/__init__.py", "demo/core.py", "examples/demo/__init__.py"}
    at_the_top = collect.import_roots(["demo/__init__.py", "demo/core.py"], known)
    assert at_the_top == {"demo": ""}, "packages at the top win over copies elsewhere"


def test_a_source_wins_over_the_module_compiled_from_it():
    assert collect.compiled_from("src/demo/core.cpython-313-x86_64-linux-gnu.so", KNOWN)
    assert not collect.compiled_from("src/demo/fast.cpython-313-x86_64-linux-gnu.so", KNOWN)


def test_a_plugin_of_pytest_is_found_where_it_was_installed(tmp_path):
    """Its files are listed as installed ones, which is how pytest finds what it has to rewrite."""
    workspace, site = tmp_path / "workspace", tmp_path / "site"
    (workspace / "src/demo").mkdir(parents=True)
    (workspace / "src/demo/__init__.py").touch()
    metadata = site / "demo-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
    (metadata / "RECORD").write_text("demo/__init__.py,,\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\ndemo = demo\n")
    assert collect.is_pytest_plugin(str(metadata))
    collect.link(str(site), str(workspace), {"demo": "src"})
    files = Distribution.at(metadata).files
    assert [file.locate().resolve() for file in files] == [workspace / "src/demo/__init__.py"]
    (metadata / "entry_points.txt").write_text("[console_scripts]\ndemo = demo:main\n")
    assert not collect.is_pytest_plugin(str(metadata)), "other entry points make no plugin"
    assert not collect.is_pytest_plugin(str(tmp_path))


@every_case(("requirement", "missing"), values("environment/lacking.txt"))
def test_an_interpreter_has_what_is_asked_for_or_lacks_it(requirement, missing):
    python = HostPython(executable="/usr/bin/python3", release=(3, 12, 1), versions={"six": "1.16.0"})
    assert python.lacks(["six", requirement]) == (requirement if missing else "")
