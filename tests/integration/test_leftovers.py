"""What a program leaves in the temporary directory when a signal ends it."""

import os
import subprocess
import sys


def test_a_signal_in_the_middle_of_a_removal_leaves_nothing(tmp_path):
    """What the context manager could not note or remove goes when the program ends."""
    program = (
        "import os, signal, sys, tempfile\n"
        "from pathlib import Path\n"
        "from sandbox import leftovers, owner\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "with leftovers.directory('first-') as directory:\n"
        "    left = tempfile.mkdtemp(prefix=owner.mark())\n"
        "    Path(left, 'file').write_text('x')\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        sys.exit(0)\n"
        "    assert os.waitpid(child, 0)[1] == 0 and os.path.exists(left)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    (tmp_path / "unrelated").mkdir()
    command, environment = [sys.executable, "-c", program], {**os.environ, "TMPDIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, check=False)
    assert ended.returncode == 143
    assert [path.name for path in tmp_path.iterdir()] == ["unrelated"]
