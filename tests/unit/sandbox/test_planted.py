"""What the self-check plants on the host."""

import os
import pwd
import tempfile
from pathlib import Path

from sandbox.selfcheck.planted import planted


def test_a_user_without_a_home_can_be_checked_too(tmp_path, monkeypatch):
    def unknown(_number):
        raise KeyError("no such user")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.chdir(tmp_path)
    with planted() as plants:
        directories = {str(Path(path).parent) for path in plants.files}
        assert {str(tmp_path), tempfile.gettempdir()} <= directories
        assert all(Path(path).read_text() == plants.secret for path in plants.files)
        assert os.environ[plants.variable] == plants.secret
    assert not any(os.path.lexists(path) for path in plants.files)
    assert plants.variable not in os.environ
