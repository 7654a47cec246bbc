"""The script that makes a shell complete, as each shell reads it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot import cli
from bot.commands.completion import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_can_read(capsys, shell):
    assert cli.run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_REGREEN_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_another_shell_is_a_bad_option(capsys):
    assert cli.run(["completion", "csh"]) == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_commands_and_values():
    """As bash asks: through the function that the script defines."""
    program = Path(sys.executable).parent
    asked = """
eval "$(regreen completion bash)"
COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _regreen_completion regreen; echo "${COMPREPLY[@]}"
"""
    for words, expected in (("regreen doc", "doctor"), ("regreen fix --sandbox bub", "bubblewrap")):
        done = subprocess.run(
            ["bash", "-c", asked % words],
            env={**os.environ, "PATH": f"{program}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout.split(), done.stderr) == ([expected], "")
