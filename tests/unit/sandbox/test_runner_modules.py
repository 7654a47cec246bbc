"""``sys.modules`` may hold any object, a project's directories any name; and what stands in ``sys.argv``."""

import importlib
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from sandbox.runner.loaded import Loaded
from sandbox.runner.modules import (
    brought_parts_of_pytest,
    file_of,
    foreign_modules,
    forget_installed_copies,
    stands_in,
)
from sandbox.runner.pytest_child import ARGUMENTS, ChildSettings


class Settings:
    """Stands in the place of a module, and knows its own names only."""

    def __getattr__(self, name):
        raise KeyError(name)


@pytest.fixture
def loaded(monkeypatch):
    def load(name, file=None):
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        if file is not None:
            module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return load


def test_only_modules_that_the_project_brings_are_unloaded(tmp_path, loaded):
    for directory in ("kit_directory", "kit_package"):
        (tmp_path / directory).mkdir()
    for file in ("kit_directory/README", "kit_text.md", "kit_module.py", "kit_package/__init__.py"):
        (tmp_path / file).write_text("")
    own, others = ("module", "package", "package.inner"), ("directory", "text", "elsewhere")
    for name in own + others:
        loaded(f"kit_{name}")
    forget_installed_copies([str(tmp_path), str(tmp_path / "missing")])
    left = {name.removeprefix("kit_") for name in sys.modules if name.startswith("kit_")}
    assert left == set(others)


def test_the_parts_of_pytest_that_the_project_brings_are_named(tmp_path, monkeypatch):
    src = tmp_path / "src"
    for name in ("pluggy", "packaging", "pytest_more"):
        (src / name).mkdir(parents=True)
    (src / "pluggy" / "__init__.py").touch()
    assert brought_parts_of_pytest([str(tmp_path), str(src)], str(tmp_path)) == ["pluggy"]
    assert brought_parts_of_pytest([str(tmp_path)], str(tmp_path)) == []
    # A link from the environment to the project's directory.
    own = ModuleType("_pytest")
    own.__file__ = str(tmp_path / "_pytest" / "__init__.py")
    monkeypatch.setitem(sys.modules, "_pytest", own)
    assert brought_parts_of_pytest([], str(tmp_path)) == ["_pytest"]


def test_an_object_in_the_place_of_a_module_ends_no_run(tmp_path, loaded, monkeypatch):
    loaded("kit_outside", "/elsewhere/kit_outside.py")
    loaded("kit_inside", str(tmp_path / "kit_inside.py"))
    loaded("kit_odd", tmp_path / "kit_odd.py")  # a path is no text
    before = set(sys.modules) - {"kit_outside", "kit_inside", "kit_odd"}
    monkeypatch.setitem(sys.modules, "kit_settings", Settings())
    monkeypatch.setitem(sys.modules, "kit_none", None)
    assert foreign_modules(before, str(tmp_path)) == ["kit_outside"]
    assert Loaded(str(tmp_path)).files() == {"kit_inside": str(tmp_path / "kit_inside.py")}
    assert file_of(Settings()) == ""


def test_a_class_that_does_not_stand_under_its_name_is_not_called_by_that():
    def make():
        class TestMade:
            class TestInner:
                pass

        return TestMade

    class TestPlain:
        class TestInner:
            pass

    TestPlain.__qualname__, TestPlain.TestInner.__qualname__ = "TestPlain", "TestPlain.TestInner"
    module = ModuleType("kit_tests")
    module.TestPlain, module.TestMade, module.TestOther = TestPlain, make(), TestPlain.TestInner
    assert stands_in(module, TestPlain)
    assert stands_in(module, TestPlain.TestInner)
    assert not stands_in(module, module.TestMade)
    assert not stands_in(module, module.TestMade.TestInner)
    del module.TestPlain
    assert not stands_in(module, module.TestOther)


def test_what_was_loaded_from_nowhere_is_not_the_projects(tmp_path, loaded, monkeypatch):
    loaded("kit_nowhere", "")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert Loaded(str(tmp_path)).files() == {}


def test_a_plugin_that_uses_the_copy_is_loaded_again_with_it(tmp_path, monkeypatch):
    installed, project = tmp_path / "site-packages", tmp_path / "project"
    for directory in (installed, project):
        (directory / "shopown").mkdir(parents=True)
        (directory / "shopown" / "__init__.py").write_text("class Shop: pass\n")
    (installed / "shop_plugin.py").write_text("from shopown import Shop\n")
    (installed / "shop_more.py").write_text("import shop_plugin\n")
    (installed / "shop_other.py").write_text("import os\n")
    monkeypatch.syspath_prepend(str(installed))
    for name in ("shopown", "shop_plugin", "shop_more", "shop_other"):
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
    forget_installed_copies([str(project)])
    assert [name for name in sys.modules if name.startswith("shop")] == ["shop_other"]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, ["pytest"]), ({ARGUMENTS: "manage.py test"}, ["manage.py", "test"])],
    ids=["pytest", "Django's command"],
)
def test_a_project_may_ask_whether_its_tests_run(monkeypatch, tmp_path, environment, expected):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setenv(ARGUMENTS, "")
    settings = {"root": str(tmp_path), "arguments": [], "environment": environment, "search_path": []}
    ChildSettings(settings).enter()
    assert sys.argv == expected
    assert ARGUMENTS not in os.environ
