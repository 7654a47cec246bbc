"""Which changes are swapped into a loaded function, and that what was swapped in does what the file says."""

import gc
import importlib.util
import sys
from itertools import count

import pytest
from sections import sections

from sandbox.runner.swap import Swapper, Unfit

SOURCES = sections("sources/runner_swap.txt")[0].parts
MODULE = SOURCES["MODULE"]
NUMBERS = count()


@pytest.fixture
def loaded(tmp_path):
    """A loaded module, and what changes its file and brings the change in."""
    path = tmp_path / f"swapped_{next(NUMBERS)}.py"
    path.write_text(MODULE)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    swapper = Swapper(str(tmp_path), gc.get_objects(), set(), set())
    swapper.remember(str(path))

    def bring_in(old, new):
        assert MODULE.count(old) == 1
        path.write_text(MODULE.replace(old, new))
        swaps, assumed = swapper.plan(str(path), False)
        assert not assumed
        for function, code in swaps:
            function.__code__ = code
        return module

    return bring_in


@pytest.mark.skipif(sys.version_info < (3, 8), reason="no ends of lines are known")
@pytest.mark.parametrize(
    ("old", "new", "call", "expected"),
    [
        ("math.floor(math.pi", "math.ceil(math.pi", lambda module: module.area(1), 4),
        ("paths.basename(path)", "paths.dirname(path)", lambda module: module.inner("a/b"), "a"),
        ("else None", "else 0", lambda module: module.Reader().read([]), 0),
        ("json.loads(text)", "json.loads(text)\\\n        ", lambda module: module.Reader().read("[1]"), [1]),
        ("n + 1", "n - 1", lambda module: module.plain(1), 0),
    ],
)
def test_calls_on_imported_modules_do_not_stand_in_the_way(loaded, old, new, call, expected):
    """They are compiled otherwise than methods, and by the function's text alone they look like methods."""
    assert call(loaded(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new"), [("import math\n", "import cmath as math\n"), ("def plain(n)", "def plain(n=0)")]
)
def test_what_is_more_than_a_body_is_not_swapped_in(loaded, old, new):
    with pytest.raises(Unfit):
        loaded(old, new)
