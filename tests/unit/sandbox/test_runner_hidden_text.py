"""The plugin that keeps the text of control tests from the code that they test."""

import os
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from sandbox.runner.hidden_text import EMPTY, HiddenTexts

TEXT, PLAIN = f"{EMPTY}\nX = 1\n", "X = 1\n"
NAME = "PYTEST_CURRENT_TEST"


@pytest.fixture
def files(tmp_path):
    found = {name: tmp_path / name for name in ("test_it.py", "base.py", "other.py")}
    for name, path in found.items():
        path.write_text(PLAIN if name == "other.py" else TEXT)
    return found


@pytest.fixture
def hidden(files, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(os.environ, "encodevalue", os.environ.encodevalue)
    plugin = HiddenTexts(str(tmp_path), ["test_it.py::test_x", "gone.py::test_y"])
    plugin.pytest_load_initial_conftests()
    return plugin


def texts(files):
    return [path.read_text() for path in files.values()]


def test_a_file_is_empty_until_it_is_imported_and_after_all_are(files, hidden):
    assert texts(files) == ["", "", PLAIN]
    assert hidden in sys.meta_path
    assert hidden.find_spec("tests.base", ["elsewhere"]) is None
    assert hidden.find_spec("base") is None
    assert texts(files) == ["", "", PLAIN], "a module of the project may have the name of a test's"
    assert hidden.find_spec("tests.base", [str(files["base.py"].parent)]) is None
    assert texts(files) == ["", TEXT, PLAIN]
    hidden.pytest_make_collect_report(SimpleNamespace(path=files["test_it.py"]))
    assert texts(files) == [TEXT, TEXT, PLAIN]
    hidden.pytest_collection_finish()
    hidden.find_spec("base")
    assert texts(files) == ["", "", PLAIN]


def test_hypothesis_simplifies_nothing_since_each_input_fails(hidden):
    seen = []

    class TestIt:
        @settings(max_examples=7, database=None)
        @given(integers())
        def test_it(self, n):
            seen.append(n)
            assert n < 0

    one = TestIt()
    hidden.pytest_itemcollected(SimpleNamespace(obj=one.test_it))
    hidden.pytest_itemcollected(
        SimpleNamespace(obj=test_hypothesis_simplifies_nothing_since_each_input_fails)
    )
    with pytest.raises(AssertionError):
        one.test_it()
    assert len(seen) <= 7


@pytest.mark.parametrize("phase", ["setup", "call", "teardown"])
def test_the_name_of_the_running_test_never_has_parameters(hidden, monkeypatch, phase):
    """It had them until the test was called: a thread could read them."""
    monkeypatch.setenv(NAME, f"test_it.py::test_x[100-10\n] (x)] ({phase})")
    assert (os.environ[NAME], hidden in sys.meta_path) == (f"test_it.py::test_x ({phase})", True)
    monkeypatch.setenv(NAME, "a[b]")
    assert os.environ[NAME] == "a[b]"


@pytest.mark.parametrize(("fixture", "name"), [("tmp_path", "test_x"), ("shop", "test_x[100-10]")])
def test_the_directory_of_a_test_is_named_without_parameters(hidden, fixture, name):
    node = SimpleNamespace(name="test_x[100-10]")
    made = hidden.pytest_fixture_setup(SimpleNamespace(argname=fixture), SimpleNamespace(node=node))
    next(made)
    assert node.name == name
    assert list(made) == []
    assert node.name == "test_x[100-10]"


def test_nothing_changes_where_nothing_is_hidden(files, tmp_path, monkeypatch):
    monkeypatch.setenv(NAME, "other.py::test_x[100-10] (call)")
    plugin = HiddenTexts(str(tmp_path), ["other.py::test_x"])
    plugin.pytest_load_initial_conftests()
    plugin.pytest_collection_finish()
    assert (plugin in sys.meta_path, texts(files)) == (False, [TEXT, TEXT, PLAIN])
    assert os.environ[NAME] == "other.py::test_x[100-10] (call)"


def test_a_package_gets_its_text_before_it_is_imported(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    (tmp_path / "tests").mkdir()
    files = {name: tmp_path / "tests" / name for name in ("test_it.py", "__init__.py")}
    for path in files.values():
        path.write_text(TEXT)
    plugin = HiddenTexts(str(tmp_path), ["tests/test_it.py::test_x"])
    assert texts(files) == ["", ""]
    monkeypatch.syspath_prepend(tmp_path)
    plugin.find_spec("tests")
    assert texts(files) == ["", TEXT]
