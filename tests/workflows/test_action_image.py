"""The Action's image by itself; ``test_workflow_repair.py`` has what it does in a workflow."""

import os

import pytest
from workflows.image import docker

pytestmark = pytest.mark.docker


def test_it_is_small_and_holds_no_tools(images):
    size, base = (
        int(docker("image", "inspect", "--format", "{{.Size}}", image).stdout)
        for image in (images.action, os.environ["REGREEN_TEST_IMAGE"])
    )
    assert size - base < 200e6
    wanted = "{{.Config.User}}|{{.Config.WorkingDir}}|{{.Config.Entrypoint}}"
    shown = docker("inspect", "--format", wanted, images.action)
    assert shown.stdout.strip() == "||[/opt/regreen/bin/python -I -m bot.action]"


def test_outside_of_a_workflow_it_says_so_and_imports_nothing_from_the_workspace(images, tmp_path):
    """The runner starts it with the workspace as its working directory."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/__init__.py").write_text("raise SystemExit('imported from the workspace')")
    mounted = ("--volume", f"{tmp_path}:/github/workspace", "--workdir", "/github/workspace")
    ran = docker("run", "--rm", *mounted, images.action)
    assert ran.returncode == 2
    assert "GITHUB_REPOSITORY is not set" in ran.stdout
    assert ran.stderr == ""
