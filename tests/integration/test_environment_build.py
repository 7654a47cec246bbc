"""Building environments for real: what the build may see, what is cached, how a failure reads.

Nothing here needs the package index: the build backend is part of the project.
"""

import fcntl
import json
import os
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from providers import ISOLATED

from sandbox.base import Limits
from sandbox.docker import engine_errors
from sandbox.environment import Overrides, engine_build, prepare_environment
from sandbox.environment.build_network import closed_network
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.dockerfile import context
from sandbox.environment.engine_build import StepFailed, build
from sandbox.errors import EnvironmentBuildFailed
from sandbox.snapshot import Entry, Snapshot

pytestmark = pytest.mark.xdist_group("environments")

# A build backend of the project's own, which needs nothing installed: PEP 517, "in-tree build backends".
BACKEND = """
import os, zipfile

FILES = {{
    "demo/__init__.py": "from demo._made import seen\\n",
    "demo-1.0.dist-info/METADATA": "Metadata-Version: 2.1\\nName: demo\\nVersion: 1.0\\n",
    "demo-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}}

def build_wheel(directory, config_settings=None, metadata_directory=None):
    {probe}
    FILES["demo/_made.py"] = "seen = " + repr(seen)
    FILES["demo-1.0.dist-info/RECORD"] = "".join(path + ",,\\n" for path in FILES)
    name = "demo-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for path, text in FILES.items():
            wheel.writestr(path, text)
    return name
"""
PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "demo"
version = "1.0"
[project.scripts]
demo = "demo:main"
"""
# Makes each run build anew: the engine keeps what earlier ones built.
ONCE = uuid.uuid4().hex
LOOK = """
seen = {
    "environment": sorted(os.environ),
    "user": os.getuid(),
    "outside": [path for path in %r if os.path.exists(path)],
}
"""


ASK = """
import pwd, socket
entry = pwd.getpwuid(os.getuid())
seen = [entry.pw_name == os.environ["USER"], entry.pw_dir == os.environ["HOME"]]
seen.append(os.access(entry.pw_dir, os.W_OK))
seen.append(socket.gethostbyname("localhost").startswith("127."))
"""
FILTERED = """
import errno, socket
status = open("/proc/self/status").read()
seen = [status.partition("Seccomp:")[2].split()[0], 0]
try:
    socket.socket(40, socket.SOCK_STREAM).close()  # AF_VSOCK
except OSError as error:
    seen[1] = error.errno
"""
# Puts a program in the place of the environment's interpreter. As a supervisor, it claims to be Python 9.
USURP = """
pid, words = os.getpid(), [""]
while not words[0].endswith("env/bin/python"):
    pid = int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])
    words = open("/proc/%d/cmdline" % pid).read().split("\\0")
python = words[0]
real = python + "-real"
ready = '{"ready": true, "python": [9, 9, 9], "pid": 1}'
claim = "\\\\000\\\\000\\\\000\\\\%03o\\\\000\\\\000\\\\000\\\\000%s" % (len(ready), ready)
os.rename(python, real)
with open(python, "w") as program:
    program.write("#!/bin/sh\\n")
    program.write("if [ \\"$2\\" = -S ]; then printf '" + claim + "'; exec cat > /dev/null; fi\\n")
    program.write("exec " + real + " \\"$@\\"\\n")
os.chmod(python, 0o755)
seen = "usurped"
"""


def project(probe="seen = {}", **more):
    files = {
        "pyproject.toml": PYPROJECT,
        "backend.py": BACKEND.format(probe="\n    ".join(probe.strip().splitlines())),
        "demo/__init__.py": "from demo._made import seen\n",
        "once.txt": ONCE,
        **more,
    }
    return Snapshot(
        entries=tuple(Entry(path=path, data=text.encode()) for path, text in sorted(files.items()))
    )


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
    paths = [
        str(secret),
        "/root/.ssh",
        "/var/run/docker.sock",
        "/work",
        str(Path.home() / ".cache"),
    ]
    prepared = prepare(project(probe=LOOK % paths))
    (made,) = (entry for entry in prepared.snapshot.entries if entry.path == "demo/_made.py")
    seen = eval(made.data.removeprefix(b"seen = "))
    assert seen["user"] == 65534
    assert seen["outside"] == []
    assert not [name for name in seen["environment"] if "KEY" in name or "TOKEN" in name]


@pytest.mark.slow
@pytest.mark.network
def test_a_build_knows_its_user_its_home_and_localhost(prepare):
    prepared = prepare(project(probe=ASK))
    (made,) = (entry for entry in prepared.snapshot.entries if entry.path == "demo/_made.py")
    assert made.data == b"seen = [True, True, True, True]"


@pytest.mark.slow
@pytest.mark.network
def test_a_build_runs_with_the_system_call_filter(prepare):
    prepared = prepare(project(probe=FILTERED))
    (made,) = (entry for entry in prepared.snapshot.entries if entry.path == "demo/_made.py")
    assert made.data == b"seen = ['2', 97]"  # a filter, and no such family of sockets


@pytest.mark.slow
@pytest.mark.network
def test_the_supervisor_is_never_an_interpreter_that_a_build_could_write(prepare):
    prepared = prepare(project(probe=USURP))
    made = {entry.path: entry.data for entry in prepared.snapshot.entries}
    assert made["demo/_made.py"] == b"seen = 'usurped'"
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
    wanted = {"requirements.txt": "six==99.99\n", "module.py": ""}
    entries = tuple(Entry(path=path, data=text.encode()) for path, text in wanted.items())
    prepared = prepare(Snapshot(entries=entries))
    (line,) = prepared.left_out
    assert line.startswith("left out of requirements.txt: six==99.99 (six was installed instead")
    assert prepared.installed["six"]


@pytest.mark.slow
def test_without_network_the_error_says_so(prepare):
    # Nobody listens on port 9 of the build's own loopback.
    wanted = Snapshot(entries=(Entry(path="requirements.txt", data=b"nobody-has-this==1\n"),))
    nowhere = {"UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_HTTP_RETRIES": "0"}
    with pytest.raises(EnvironmentBuildFailed, match="no network"):
        prepare(wanted, network=nowhere)


@pytest.mark.slow
def test_a_setup_command_replaces_the_steps_and_what_it_makes_stays(prepare):
    made = project(probe="raise RuntimeError('must not be built')")
    said = []
    prepared = prepare(made, said.append, setup_command="echo 'seen = 5' > demo/_made.py && python --version")
    assert any("running the setup command" in line for line in said)
    assert {entry.path: entry.data for entry in prepared.snapshot.entries}["demo/_made.py"] == b"seen = 5\n"
    again = []
    assert (
        prepare(
            made, again.append, setup_command="echo 'seen = 5' > demo/_made.py && python --version"
        ).seconds
        == 0
    )
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
        Snapshot(entries=(Entry(path="test_module.py", data=b""),)),
        provider,
        overrides=Overrides(),
        cache_directory=tmp_path / "environments",
        notify=said.append,
    )
    assert prepared.seconds == 0
    assert said == prepared.explanation.splitlines()[:-1]
    assert not (tmp_path / "environments").exists()


def test_two_builders_of_one_entry_wait_for_each_other(tmp_path):
    cache, built, inside = EnvironmentCache(tmp_path), [], threading.Semaphore(1)

    def build(number):
        with cache.claim("entry") as directory:
            assert inside.acquire(blocking=False), "two builders at once"
            if directory is not None:
                (directory / "file").write_text(str(number))
                built.append(number)
                cache.seal("entry", "plan")
            inside.release()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, range(4)))
    assert len(built) == 1
    assert cache.complete("entry")


def test_a_build_that_failed_leaves_nothing_that_looks_complete(tmp_path):
    cache = EnvironmentCache(tmp_path)

    def build():
        with cache.claim("entry") as directory:
            (directory / "half").write_text("")
            raise KeyError

    with pytest.raises(KeyError):
        build()
    assert not cache.complete("entry")
    assert not (tmp_path / "entry").exists()


def test_old_entries_go_and_the_ones_in_use_stay(tmp_path):
    cache = EnvironmentCache(tmp_path)
    day = 24 * 3600
    now = 100 * day
    for name, age in (("ancient", 40), ("old", 10), ("recent", 3), ("fresh", 0)):
        with cache.claim(name) as directory:
            (directory / "file").write_bytes(b"x" * 1024 * 1024)
            cache.seal(name, "plan")
        os.utime(tmp_path / name / "record.json", (now - age * day, now - age * day))
    assert cache.prune(now=now) == 1
    assert not cache.complete("ancient")
    assert cache.prune(now=now, kept_mib=1) == 2
    assert (tmp_path / "fresh" / "built" / "file").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"fresh", "fresh.lock"}


def test_what_a_killed_build_left_goes_and_what_is_being_built_stays(tmp_path):
    cache = EnvironmentCache(tmp_path)
    (tmp_path / "killed" / "built").mkdir(parents=True)
    (tmp_path / "killed.lock").touch()
    with cache.claim("building") as directory:
        assert cache.prune() == 0
        assert directory.is_dir()
        assert {path.name for path in tmp_path.iterdir()} == {"building", "building.lock"}


def test_a_lock_whose_file_was_removed_meanwhile_keeps_nobody_out(tmp_path, monkeypatch):
    """The one who waited holds a file that is gone: the next builder would not see it."""
    cache, taken = EnvironmentCache(tmp_path), []
    flock = fcntl.flock

    def slow(descriptor, operation):
        flock(descriptor, operation)
        taken.append(descriptor)
        if len(taken) == 1:
            (tmp_path / "entry.lock").unlink()

    monkeypatch.setattr("fcntl.flock", slow)
    with cache.claim("entry"), (tmp_path / "entry.lock").open("ab") as other, pytest.raises(BlockingIOError):
        flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


# Limits on a build in the engine ------------------------------------------------------------------

TALK = """
import time
while True:
    print("x", flush=True)
    time.sleep(0.05)
"""
FILL = """
import mmap
memory = mmap.mmap(-1, 3 << 30)
for place in range(0, 3 << 30, 4096):
    memory[place] = 1
"""
MULTIPLY = """
import os, resource
seen = resource.getrlimit(resource.RLIMIT_NPROC)[0]
"""


@pytest.fixture
def run_step(make_provider):
    """Runs Python code as a step of a build in the engine."""
    provider, spec = make_provider("docker")
    text = "FROM {}\nUSER 65534\nRUN {}\n"

    def run(*codes, **options):
        steps = [json.dumps(["python3", "-c", f"{code}# {uuid.uuid4().hex}"]) for code in codes]
        archive = context(text.format(spec.image, "\nRUN ".join(steps)), {}, None)
        return list(build(provider.client, archive, **options))

    run.client = provider.client
    run.image, run.python = spec.image, spec.python
    return run


@pytest.mark.docker
def test_a_build_that_goes_on_talking_is_ended(run_step):
    started = time.monotonic()
    with pytest.raises(StepFailed, match="did not end within 3 s") as failed:
        run_step(TALK, timeout_s=3)
    assert failed.value.exit_status is None
    assert time.monotonic() - started < 30
    deadline = time.monotonic() + 20
    while talking := [c for c in run_step.client.containers.list() if TALK in str(c.attrs["Config"]["Cmd"])]:
        assert time.monotonic() < deadline, talking
        time.sleep(0.2)


@pytest.mark.docker
def test_a_build_that_is_silent_is_ended(run_step):
    with pytest.raises(StepFailed, match="did not end within 2 s"):
        run_step("import time; time.sleep(60)", timeout_s=2)


@pytest.mark.docker
def test_a_build_cannot_take_the_machine_s_memory(run_step, monkeypatch):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512))
    with pytest.raises(StepFailed) as failed:
        run_step(FILL, timeout_s=120)
    assert failed.value.exit_status == 137


BIG = "import os\nwith open('/tmp/big', 'wb') as file:\n    while True: file.write(os.urandom(1 << 20))\n"
UNNAMED = BIG.replace("    while", "    os.remove('/tmp/big')\n    while")


@pytest.mark.docker
@pytest.mark.parametrize("code", [BIG, UNNAMED])
def test_a_build_cannot_take_the_engine_s_disk(run_step, monkeypatch, code):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512, disk_mib=256))
    started = time.monotonic()
    with pytest.raises(StepFailed, match="fills the disk"):
        run_step(code, timeout_s=120)
    assert time.monotonic() - started < 60


@pytest.mark.docker
def test_the_steps_of_a_build_count_together(run_step, monkeypatch):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512, disk_mib=256))
    part = "import os, time\nopen('/tmp/big%d', 'wb').write(os.urandom(100 << 20)); time.sleep(2.5)\n"
    with pytest.raises(StepFailed, match="fills the disk"):
        run_step(*(part % number for number in range(4)), timeout_s=120)


ASK = """
import socket
for address in ("169.254.169.254", "169.254.170.2", "100.100.100.200"):
    with socket.socket() as asking:
        asking.settimeout(3)
        print("seen", address, asking.connect_ex((address, 80)), flush=True)
"""


@pytest.mark.docker
def test_a_build_does_not_reach_a_cloud_s_metadata(run_step):
    with closed_network(run_step.client, run_step.image, run_step.python, timeout_s=60) as network:
        said = "".join(
            str(event.get("stream")) for event in run_step(ASK, timeout_s=60, network_mode=network)
        )
        container = network.partition(":")[2]
        assert run_step.client.containers.get(container).status == "running"
    assert said.count(" 113") == 3, said
    assert container not in {one.id for one in run_step.client.containers.list(all=True)}


@pytest.mark.docker
def test_where_the_network_cannot_be_closed_there_is_none(run_step):
    with closed_network(run_step.client, run_step.image, "/no/such/python", timeout_s=60) as network:
        assert network is None


@pytest.mark.docker
def test_a_step_of_a_build_has_a_limit_on_processes(prepare):
    if prepare.provider.name != "docker":
        pytest.skip("a control group has the limit")
    built = prepare(project(MULTIPLY))
    assert "seen = 4096" in str([entry.data for entry in built.snapshot.entries])


def test_a_program_that_runs_with_its_owner_s_rights_is_out_of_reach(tmp_path):
    """A build in bubblewrap owns what it writes: it may set the bit, also as root of the machine."""
    tmp_path.chmod(0o755)
    with EnvironmentCache(tmp_path).claim("entry") as directory:
        assert directory.parent.stat().st_mode & 0o777 == 0o700
