"""What is sent into a sandbox: the runner as text and compiled, and nothing that tells of this machine."""

import importlib.util
import marshal
import pkgutil
from types import CodeType

from sandbox import runner
from sandbox.session import bundle


def payload():
    data = bundle({"root": "/workspace"})
    assert int(data[:8], 16) == len(data) - 8
    return marshal.loads(data[8:])


def files(code):
    yield code.co_filename
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from files(part)


def test_each_module_goes_along_as_text_and_compiled_from_that_text():
    sent = payload()
    modules = {module.name for module in pkgutil.iter_modules(runner.__path__)} - {"loader"}
    assert set(sent["sources"]) == set(sent["codes"]) == modules
    assert sent["magic"] == importlib.util.MAGIC_NUMBER
    for name in modules:
        code = marshal.loads(sent["codes"][name])
        assert code.co_code == compile(sent["sources"][name], name, "exec").co_code
        assert set(files(code)) == {f"<regreen>/{name}.py"}


def test_nobody_inside_sees_where_it_comes_from():
    assert importlib.util.find_spec("sandbox").origin.removesuffix("__init__.py").encode() not in bundle({})
