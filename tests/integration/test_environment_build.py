"""Building environments for real: what the build may see, what is cached, how a failure reads.

Nothing here needs the package index: the build backend is part of the project.
"""

import os
import uuid
from contextlib import suppress
from pathlib import Path

import interpreters
import pytest
from providers import ISOLATED
from sections import sections
from snapshots import snapshot

from sandbox.docker_stream import engine_errors
from sandbox.environment.builder import Overrides
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.prepare import prepare_environment
from sandbox.errors import EnvironmentBuildFailed

pytestmark = pytest.mark.xdist_group("environments")


# The build backend is the project's own and needs nothing installed: PEP 517, "in-tree build backends". USURP
# puts a program in the place of the environment's interpreter; as a supervisor, it claims to be Python 9.
SOURCES = sections("sources/environment_build.txt")[0].parts
BACKEND, USURP, LOOK, ASK, FILTERED, PROCESSES, PYPROJECT = SOURCES.values()
# Makes each run build anew: the engine keeps what earlier ones built.
ONCE = uuid.uuid4().hex


def project(probe="seen = {}", **more):
    files = {
        "pyproject.toml": PYPROJECT,
        "backend.py": BACKEND.format(probe="\n    ".join(probe.strip().splitlines())),
        "demo/__init__.py": "from demo._made import seen\n",
        "once.txt": ONCE,
    }
    return snapshot({**files, **more})


def made_by(prepared):
    """What the build wrote of what it had seen."""
    (made,) = (entry for entry in prepared.snapshot.entries if entry.path == "demo/_made.py")
    return made.data.decode()


@pytest.fixture(params=ISOLATED)
def prepare(request, make_provider, tmp_path):
    """Prepares a project in a provider, with an empty cache; the plan holds pytest out, which is not here."""
    provider, _ = make_provider(request.param)

    def prepared(snapshot, notify=lambda _line: None, **chosen):
        if request.param == "docker":
            chosen.setdefault("base_image", os.environ.get("REGREEN_TEST_IMAGE", ""))
        made = prepare_environment(
            snapshot,
            provider,
            overrides=Overrides(**chosen),
            cache_directory=tmp_path / "environments",
            notify=notify,
        )
        images.add(made.spec.image)
        return made

    images = set()
    prepared.provider = provider
    yield prepared
    for image in images - {""}:
        with suppress(*engine_errors()):
            provider.client.images.remove(image, force=True)


@pytest.mark.slow
@pytest.mark.network
def test_a_build_sees_nothing_of_ours(prepare, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    paths = [str(secret), "/root/.ssh", "/var/run/docker.sock", "/work", str(Path.home() / ".cache")]
    prepared = prepare(project(probe=LOOK % paths))
    seen = eval(made_by(prepared).removeprefix("seen = "))
    assert seen["user"] == 65534
    assert seen["outside"] == []
    assert not [name for name in seen["environment"] if "KEY" in name or "TOKEN" in name]


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize(
    ("probe", "seen"),
    [(ASK, "[True, True, True, True]"), (FILTERED, "['2', 97]")],  # a filter, and no such family of sockets
    ids=["its user, its home and localhost", "the system call filter"],
)
def test_a_build_finds(prepare, probe, seen):
    prepared = prepare(project(probe=probe))
    assert made_by(prepared) == f"seen = {seen}"


@pytest.mark.slow
@pytest.mark.network
def test_the_supervisor_is_never_an_interpreter_that_a_build_could_write(prepare):
    prepared = prepare(project(probe=USURP))
    assert made_by(prepared) == "seen = 'usurped'"
    with prepare.provider.open(prepared.spec) as sandbox:
        assert sandbox.python_version[0] == 3
        done = sandbox.exec(["head", "-c", "9", prepared.spec.python], timeout_s=30)
    assert done.stdout == b"#!/bin/sh"  # and the interpreter of the environment is the build's


@pytest.mark.slow
@pytest.mark.network
def test_what_a_build_generates_is_laid_over_the_workspace_and_the_sources_win(prepare):
    prepared = prepare(project(probe="seen = 'generated'"))
    with prepare.provider.open(prepared.spec) as sandbox:
        sandbox.unpack(prepared.snapshot.archive())
        look = "import demo, importlib.metadata as m; print(demo.__file__, demo.seen, m.version('demo'))"
        done = sandbox.exec(["python", "-c", look], timeout_s=30)
        assert done.stdout == b"/workspace/demo/__init__.py generated 1.0\n", done.stderr
        changes = {"demo/__init__.py": b"seen = 'edited'\n"}
        done = sandbox.exec(["python", "-c", "import demo; print(demo.seen)"], timeout_s=30, changes=changes)
        assert done.stdout == b"edited\n"


@pytest.mark.slow
@pytest.mark.network
def test_a_project_whose_build_fails_is_left_out_with_the_builds_last_words(prepare):
    prepared = prepare(project(probe="raise RuntimeError('no such compiler flag')"))
    (line,) = prepared.left_out
    assert line.startswith("left out of the project: its build (")
    assert "build" in line
    assert line in prepared.summary


@pytest.mark.slow
@pytest.mark.network
def test_a_release_that_does_not_exist_is_named_and_another_one_taken(prepare):
    prepared = prepare(snapshot({"requirements.txt": "six==99.99\n", "module.py": ""}))
    (line,) = prepared.left_out
    assert line.startswith("left out of requirements.txt: six==99.99 (six was installed instead")
    assert prepared.installed["six"]


@pytest.mark.slow
def test_without_network_the_error_says_so(prepare):
    # Nobody listens on port 9 of the build's own loopback.
    wanted = snapshot({"requirements.txt": "nobody-has-this==1\n"})
    nowhere = {"UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_HTTP_RETRIES": "0"}
    with pytest.raises(EnvironmentBuildFailed, match="no network"):
        prepare(wanted, network=nowhere)


@pytest.mark.slow
def test_a_setup_command_replaces_the_steps_and_what_it_makes_stays(prepare):
    made = project(probe="raise RuntimeError('must not be built')")
    said = []
    command = "echo 'seen = 5' > demo/_made.py && python --version"
    prepared = prepare(made, said.append, setup_command=command)
    assert any("running the setup command" in line for line in said)
    assert made_by(prepared) == "seen = 5\n"
    again = []
    assert prepare(made, again.append, setup_command=command).seconds == 0
    assert not any("running" in line for line in again)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["apt-get-typo install x", "python --version\napt-get-typo install x\ntrue\n"]
)
def test_a_failing_setup_command_is_shown(prepare, command):
    with pytest.raises(EnvironmentBuildFailed, match=r"apt-get-typo.*failed.*not found"):
        prepare(project(), setup_command=command)


def test_a_project_without_dependencies_is_not_built(make_provider, tmp_path):
    provider, _ = make_provider("process")
    said = []
    prepared = prepare_environment(
        snapshot({"test_module.py": ""}),
        provider,
        overrides=Overrides(),
        cache_directory=tmp_path / "environments",
        notify=said.append,
    )
    assert prepared.seconds == 0
    assert said == prepared.explanation.splitlines()[:-1]
    assert not (tmp_path / "environments").exists()


@pytest.mark.docker
def test_a_step_of_a_build_has_a_limit_on_processes(prepare):
    if prepare.provider.name != "docker":
        pytest.skip("a control group has the limit")
    built = prepare(project(PROCESSES))
    assert made_by(built) == "seen = 4096"


def test_a_program_that_runs_with_its_owner_s_rights_is_out_of_reach(tmp_path):
    """A build in bubblewrap owns what it writes: it may set the bit, also as root of the machine."""
    tmp_path.chmod(0o755)
    with EnvironmentCache(tmp_path).claim("entry") as directory:
        assert directory.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.bubblewrap
@pytest.mark.parametrize("minor", [7, 8, 9])
def test_a_build_works_with_an_old_python(make_provider, tmp_path, minor):
    if not interpreters.seems_present(f"3.{minor}"):
        pytest.skip(f"there is no Python 3.{minor} here")
    provider, _ = make_provider("bubblewrap")
    bounds = f'version = "1.0"\nrequires-python = ">=3.{minor},<3.{minor + 1}"'
    old = project(probe="seen = 7", **{"pyproject.toml": PYPROJECT.replace('version = "1.0"', bounds)})
    made = prepare_environment(
        old, provider, overrides=Overrides(), cache_directory=tmp_path, notify=lambda _line: None
    )
    with provider.open(made.spec) as sandbox:
        done = sandbox.exec([made.spec.python, "--version"], timeout_s=30)
    assert done.stdout.startswith(b"Python 3.%d." % minor)
    assert made_by(made) == "seen = 7"
