"""Coding agents, each a script of a few lines: what they may do, and that nothing else comes of them."""

import sys
import threading
from contextlib import ExitStack
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.backends.coding_agents.agent_network import reach_of
from bot.backends.coding_agents.agent_profile import AgentProfile
from bot.backends.coding_agents.confined_agent import AgentSettings, ConfinedAgent
from bot.backends.coding_agents.installed import find
from bot.errors import ConfigurationError, ModelUnavailable
from sandbox.leftovers import remove_tree
from sandbox.snapshot import Entry, Snapshot

FILES = {"shop.py": b"LIMIT = 1\n", "test_shop.py": b"import shop\n"}
SLEEPER = "98765.4321"
CONFINED = pytest.param(True, marks=pytest.mark.bubblewrap, id="bubblewrap")
confined = pytest.mark.parametrize("isolated", [CONFINED], indirect=True)


@pytest.fixture(params=[CONFINED, pytest.param(False, id="host")])
def isolated(request):
    return request.param


@pytest.fixture
def make(tmp_path, isolated):
    """Makes an agent of a Python program."""

    def agent(program, environment=None, **profile):
        directory = tmp_path / "program"
        directory.mkdir()
        script = directory / "agent"
        script.write_text(f"#!{sys.executable}\nimport os, sys\nfrom pathlib import Path\n{program}\n")
        script.chmod(0o755)
        chosen = AgentProfile(**{"name": "scripted", "command": (str(script),), **profile})
        settings = AgentSettings(
            model="m", base_url="", environment=environment or {}, python=sys.executable, isolated=isolated
        )
        entries = [Entry(path=path, data=data) for path, data in FILES.items()]
        place = tmp_path / "place"
        return ConfinedAgent(chosen, find(str(script)), Snapshot(entries=tuple(entries)), place, settings)

    return agent


@pytest.fixture
def loopback_server():
    """Starts servers on this machine's loopback, each of which says one thing."""
    with ExitStack() as held:

        def start(said):
            class Handler(BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(said.encode())

                def log_message(self, *arguments):
                    """Quiet."""

            server = held.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            held.callback(thread.join)
            held.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}/"

        yield start


def work(agent, task="Repair it.", seconds=30.0):
    return agent.work(task, files=["shop.py"], seconds=seconds)


def test_what_it_changes_and_removes_is_all_that_comes_back(make):
    done = work(
        make(
            "Path('shop.py').write_text('LIMIT = 2\\n')\nPath('new.py').write_text('x = 1\\n')\n"
            "Path('test_shop.py').unlink()\nPath('.agent.d').mkdir()\nPath('.agent.d/log').write_text('mine')\nprint('done')",
            own_files=(".agent*",),
        )
    )
    assert done.files == {"shop.py": b"LIMIT = 2\n", "new.py": b"x = 1\n"}
    assert done.removed == ("test_shop.py",)
    assert (done.exit_status, done.said) == (0, "done\n")


def test_the_task_is_a_file_and_the_standard_input(make):
    program = "print(sys.stdin.read() == Path(sys.argv[1]).read_text() == sys.argv[2], sys.argv[3:])"
    agent = make(program)
    words = (*agent._profile.command, "{task_file}", "{task}", "{with_model}", "{files}")
    agent._profile = agent._profile.model_copy(
        update={"command": words, "with_model": ("--model", "{model}")}
    )
    done = work(agent, "Zwölf 'Fehler'\n$(touch x) `id`\n")
    assert done.said == "True ['--model', 'm', 'shop.py']\n"
    assert done.files == {}


def test_it_goes_on_where_it_left_its_copy_and_its_home(make):
    program = (
        "seen = Path.home() / 'seen'\nprint(seen.exists(), Path('shop.py').read_text())\n"
        "seen.write_text('1')\nPath('shop.py').write_text('LIMIT = 2\\n')"
    )
    agent = make(program)
    assert work(agent).said == "False LIMIT = 1\n\n"
    second = work(agent)
    assert second.said == "True LIMIT = 2\n\n"
    assert second.files == {"shop.py": b"LIMIT = 2\n"}


def test_it_is_ended_when_its_time_is_over(make):
    program = "Path('shop.py').write_text('LIMIT = 2\\n')\nprint('begun', flush=True)\nwhile True: pass"
    done = work(make(program), seconds=1.0)
    assert (done.exit_status, done.said) == (None, "begun\n")
    assert done.files == {"shop.py": b"LIMIT = 2\n"}


def test_it_has_the_variables_of_its_profile_and_no_secret_is_printed(make, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "ghp-not-for-agents")
    key = "key-of-the-model-0123"
    program = "print(sorted(set(os.environ) & {'KEY', 'OTHER', 'GITHUB_TOKEN', 'NAME'}), os.environ['KEY'])"
    agent = make(program, {"KEY": key, "OTHER": "x"}, variables=("KEY",), settings={"NAME": "{model}"})
    said = work(agent).said
    assert said == "['KEY', 'NAME'] ***\n"


def test_a_link_is_no_file_and_leads_nowhere(make):
    program = "os.remove('shop.py')\nos.symlink('/etc/passwd', 'shop.py')\nos.mkfifo('pipe.py')"
    done = work(make(program))
    assert (done.files, done.removed) == ({}, ("shop.py",))


@confined
def test_its_task_is_not_its_to_change(make):
    agent = make("print(os.access(sys.argv[1], os.W_OK))")
    words = (*agent._profile.command, "{task_file}")
    agent._profile = agent._profile.model_copy(update={"command": words})
    assert work(agent).said == "False\n"
    assert work(agent, "Again: \ud800 and \0").said == "False\n"


def test_a_task_that_is_too_long_for_a_command_line_is_named_there(make):
    agent = make("print(sys.argv[1][:12], len(sys.stdin.read()))")
    words = (*agent._profile.command, "{task}")
    agent._profile = agent._profile.model_copy(update={"command": words})
    assert work(agent, "x" * 200_000).said == "Do what the  200000\n"


def test_whatever_it_leaves_can_be_removed(make, tmp_path):
    program = (
        "for _ in range(1200):\n    os.mkdir('a')\n    os.chdir('a')\n"
        "home = Path.home()\n(home / 'closed').mkdir()\n(home / 'closed' / 'file').touch()\n"
        "os.chmod(home / 'closed', 0o500)"
    )
    work(make(program))
    remove_tree(str(tmp_path / "place"))
    assert not (tmp_path / "place").exists()


def test_a_copy_that_cannot_be_read_back_is_a_problem_and_no_change(make):
    done = work(make("with open('big', 'wb') as file: file.truncate(1 << 40)"))
    assert done.files == {}
    assert "what it left cannot be read" in done.problem


@confined
def test_its_keys_stand_on_no_command_line(make):
    key = "key-of-the-model-0123"
    program = (
        "found = [path.read_bytes() for path in Path('/proc').glob('[0-9]*/cmdline')]\n"
        "print(any(os.environ['KEY'].encode() in argv for argv in found))"
    )
    assert work(make(program, {"KEY": key}, variables=("KEY",))).said == "False\n"


def test_its_price_is_read_where_it_prints_one(make):
    assert work(make("print('$0.25 so far')", cost=r"\$([\d.]+)")).cost == 0.25


def test_one_that_cannot_be_started_is_an_error(make):
    agent = make("pass")
    Path(agent._installed.path).write_text("#!/no/such/interpreter\n")
    with pytest.raises(ModelUnavailable, match="the agent scripted cannot be started"):
        work(agent)


def test_only_its_own_file_or_environment_is_shown(tmp_path):
    script = tmp_path / "agent"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert find(str(script)).places == (str(script),)
    environment = tmp_path / "tool"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    script = script.rename(environment / "bin" / "agent")
    assert find(str(script)).places == (str(environment),)
    (environment / ".git").mkdir()
    with pytest.raises(ConfigurationError, match="it would see all of that"):
        find(str(script))


def test_one_that_is_not_installed_is_an_error():
    with pytest.raises(ConfigurationError, match="the agent no-such-agent is not installed: pip install it"):
        find("no-such-agent", install="pip install it")


@confined
def test_no_process_of_it_is_left(make):
    program = f"import subprocess\nsubprocess.Popen(['sleep', '{SLEEPER}'], start_new_session=True)"
    assert work(make(program)).exit_status == 0
    assert not [argv for argv in _command_lines() if SLEEPER.encode() in argv]


@confined
def test_it_sees_and_writes_nothing_outside(make, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    home = str(Path.home() / ".bashrc")
    program = (
        f"places = [{str(secret)!r}, {home!r}, '/etc/shadow', '/var/run/docker.sock']\n"
        "print([place for place in places if os.path.exists(place)])\n"
        "def tried(place):\n"
        "    try: Path(place).write_text('x')\n"
        "    except OSError: return False\n"
        "    return True\n"
        f"print(list(map(tried, ['/usr/x', '/x', sys.argv[0], {str(tmp_path / 'place' / 'x')!r}])))"
    )
    done = work(make(program))
    assert done.said == "[]\n[False, False, False, False]\n"
    assert not (tmp_path / "place" / "x").exists()


def _command_lines():
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "cmdline").read_bytes()
            except OSError:
                continue


ASK = (
    "import urllib.request\n"
    "def asked(address):\n"
    "    try:\n        return urllib.request.urlopen(address, timeout=10).read().decode()\n"
    "    except OSError as error:\n        return str(error)\n"
)


@confined
def test_it_reaches_the_server_of_its_model_and_no_other_host(make, loopback_server):
    here, elsewhere = loopback_server("the model"), loopback_server("another program")
    agent = make(f"{ASK}for one in sys.argv[1:]: print(asked(one))")
    words = (*agent._profile.command, "{base_url}", elsewhere, "https://example.org/", "http://example.org/")
    agent._profile = agent._profile.model_copy(update={"command": words})
    agent._settings = replace(agent._settings, base_url=here)
    agent._reach = reach_of(agent._profile, here, {}, {})
    lines = work(agent).said.splitlines()
    assert lines[0] == "the model"
    assert "refused" in lines[1]
    assert all("403" in line for line in lines[2:4])
    assert lines[-1] == (
        "Regreen: the agent may not reach example.org:443, example.org:80: name the hosts in its profile"
    )
