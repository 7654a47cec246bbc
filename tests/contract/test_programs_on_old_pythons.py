"""The programs that run with a project's own interpreter, or a base image's, load on each that we support."""

import os
import subprocess

import interpreters
import pytest

from sandbox.environment import collect, install

LOAD = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='loaded')"
PROGRAMS = {
    "collect": collect.__file__,
    "install": install.__file__,
    "confine": interpreters.__file__.replace("tests/interpreters.py", "sandbox/confine.py"),
    "close_routes": interpreters.__file__.replace(
        "tests/interpreters.py", "sandbox/environment/close_routes.py"
    ),
}


@pytest.mark.parametrize("version", interpreters.VERSIONS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_loads(program, version):
    if not interpreters.seems_present(version):
        assert version not in interpreters.REQUIRED_IN_CI or not os.environ.get("CI"), version
        pytest.skip(f"there is no Python {version} here")
    python, _ = interpreters.find(version)
    done = subprocess.run([python, "-I", "-c", LOAD, PROGRAMS[program]], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
