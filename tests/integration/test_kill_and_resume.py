"""A run that is killed in mid-search: nothing is left behind, and --resume goes on."""

import json
import os
import re
import subprocess
import sys

import pytest
from laying import lay
from providers import PROVIDERS

# No operator can write this text, so that the search stays in mid-air for as long as it is let.
PROJECT = {
    "greeting.py": "def greet(name, polite, loud, times):\n"
    + "".join(
        f"    part_{i} = name + str(times + {i}) if polite and times > {i} else name * {i}\n"
        for i in range(20)
    )
    + "    return part_1 + part_2\n",
    "test_greeting.py": "from greeting import greet\n\n\ndef test_greet():\n"
    "    assert greet('a', True, False, 3) == 'salve, o a'\n",
}


@pytest.fixture(params=PROVIDERS)
def started(request, make_provider, tmp_path, project, environment):
    """A run of regreen that is in the middle of its search."""
    make_provider(request.param)
    temporary = lay(tmp_path / "tmp", {})
    environment["TMPDIR"] = str(temporary)
    command = [sys.executable, "-m", "bot", "fix", str(project(PROJECT)), "-v", "--sandbox", request.param]
    image = os.environ.get("REGREEN_TEST_IMAGE")
    if request.param == "docker" and image:
        command += ["--sandbox-image", image]
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        tried = 0
        while not tried:
            line = process.stderr.readline()
            assert line, "the run ended before it could be killed"
            tried = int((re.search(r"(\d+) candidates tried", line) or [0, 0])[1])
        yield process, command, environment, temporary, tried
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_killed_run_goes_on_and_leaves_nothing(started, regreen):
    """test_crash_safety.py has what is left of a run that nobody goes on with."""
    process, command, environment, temporary, tried = started
    process.kill()
    process.communicate()
    limit = ["--resume", "--json", "--max-attempts", str(tried + 64)]
    arguments = command[3:]  # behind "python -m bot"
    resumed = regreen(*arguments, *limit, environment=environment)
    result = json.loads(resumed.stdout)
    assert result["outcome"] == "budget_exhausted"
    assert result["attempts"] == tried + 64
    assert b"reproduce" not in resumed.stderr, "what was done before the kill is not done again"
    assert list(temporary.iterdir()) == []
    again = regreen(*arguments, "--resume", environment=environment)
    assert again.returncode == 2
    assert b"nothing to resume" in again.stderr
