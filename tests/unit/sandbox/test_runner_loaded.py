"""From when on a project is watched while it is loaded, and which of its functions can be swapped then."""

import gc
import importlib.util
import sys
from importlib import import_module
from threading import Thread

import pytest

from sandbox.runner.loaded import Loaded

SHOP = "def price(n):\n    SEEN.append(n)\n    return 2 + n\n\n\nSEEN = []\n"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Loads a project's module, and says whether a change of its function can be swapped in then."""
    modules, finders, profile = set(sys.modules), sys.meta_path[:], sys.getprofile()
    monkeypatch.syspath_prepend(str(tmp_path))

    def swaps(loaded, text, by):
        path = tmp_path / "kit_shop.py"
        path.write_text(text)
        by(path)
        loaded.watch()
        loaded.done()
        loaded.remember({"paths": [path.name]})
        path.write_text(text.replace("2 + n", "2 * n"))
        return bool(loaded.plan({"changes": [path.name]}).swaps)

    yield swaps
    gc.unfreeze()
    sys.setprofile(profile)
    sys.meta_path[:] = finders
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def imported(_path):
    import_module("kit_shop")


def executed(path):
    """As some plugins load a file: it stands among the modules once it has run."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[path.stem] = module


def test_a_function_that_has_not_run_is_swapped(tmp_path, load):
    loaded = Loaded(str(tmp_path))
    loaded.watch_from_import()
    assert load(loaded, SHOP, imported)


@pytest.mark.parametrize("by", [imported, executed])
def test_one_that_ran_before_the_first_import_is_not(tmp_path, load, by):
    (tmp_path / "kit_other.py").write_text("")
    loaded = Loaded(str(tmp_path))
    loaded.watch_from_import()
    assert not load(loaded, SHOP + "price(3)\nimport kit_other\n", by)


def test_an_import_in_another_thread_is_not_the_first(tmp_path, load):
    def beside(path):
        thread = Thread(target=import_module, args=("kit_none",), daemon=True)
        thread.start()
        thread.join()
        imported(path)

    (tmp_path / "kit_none.py").write_text("")
    loaded = Loaded(str(tmp_path))
    loaded.watch_from_import()
    assert load(loaded, SHOP, beside)


def test_a_finder_that_equals_everything_stays(tmp_path, load):
    class Equal:
        def __eq__(self, _other):
            return True

        __hash__ = None

        def find_spec(self, *_asked):
            return None

    equal, loaded = Equal(), Loaded(str(tmp_path))
    loaded.watch_from_import()
    sys.meta_path.insert(0, equal)
    assert load(loaded, SHOP, imported)
    assert any(finder is equal for finder in sys.meta_path)
