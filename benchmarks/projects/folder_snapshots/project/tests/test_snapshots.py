import pytest

from snapshots import compare, take


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("two")
    return tmp_path


def test_take(folder):
    assert list(take(folder)) == ["a.txt", "sub/b.txt"]


def test_pattern(folder):
    assert list(take(folder, "*.txt")) == ["a.txt"]


def test_no_difference(folder):
    assert not compare(take(folder), take(folder))


def test_changed(folder):
    before = take(folder)
    (folder / "a.txt").write_text("ONE")
    assert compare(before, take(folder)).changed == ("a.txt",)


def test_added(folder):
    before = take(folder)
    (folder / "c.txt").write_text("three")
    assert str(compare(before, take(folder))) == "+ c.txt"


def test_removed(folder):
    before = take(folder)
    (folder / "a.txt").unlink()
    assert str(compare(before, take(folder))) == "- a.txt"
