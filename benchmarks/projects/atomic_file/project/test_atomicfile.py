import pytest

from atomicfile import read_lines, write_lines


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "notes.txt"
    write_lines(path, ["old"])
    return path


def test_write(target):
    assert write_lines(target, ["a", "b"]) == 2
    assert read_lines(target) == ["a", "b"]


def test_no_draft_stays(target):
    assert [path.name for path in target.parent.iterdir()] == ["notes.txt"]


def test_backup(target):
    write_lines(target, ["new"], keep_backup=True)
    assert read_lines(target.with_name("notes.txt.bak")) == ["old"]


def test_a_bad_line_is_refused(target):
    with pytest.raises(ValueError, match="more than one line"):
        write_lines(target, ["a", "b\nc"])


def test_missing_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_lines(tmp_path / "none" / "x", [])
