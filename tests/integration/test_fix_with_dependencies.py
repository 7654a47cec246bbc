"""``regreen fix`` on a project that needs packages, its own metadata and its own script to be tested."""

import os

import pytest
from laying import lay
from providers import ISOLATED
from sections import sections

pytestmark = pytest.mark.network

PROJECT = sections("sources/fix_with_dependencies.txt")[0].parts


@pytest.fixture
def fix(sandbox, make_provider, tmp_path, regreen):
    make_provider(sandbox)
    root = tmp_path / "project"
    base = os.environ.get("REGREEN_TEST_IMAGE", "") if sandbox == "docker" else ""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "REGREEN_BASE_IMAGE": base,
    }

    lay(root, PROJECT)
    return lambda: regreen("fix", root, "--sandbox", sandbox, environment=environment, timeout_s=240)


# The two ways to build: a directory, which two kinds of sandbox take, and an image.
@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ISOLATED)
def test_it_is_repaired(fix):
    done = fix()
    assert done.returncode == 0, done.stderr
    assert b"+    return [[number] for number in range(count)]\n" in done.stdout
    assert b"Verified" in done.stderr
