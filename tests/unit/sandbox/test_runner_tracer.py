"""What a traced test executed, as a whole and step by step."""

import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from every_case import every_case
from sections import sections

from sandbox.runner.child_tracer import ChildTracer
from sandbox.runner.tracer import LineTracer
from sandbox.testing import _read

SOURCES = sections("sources/runner_tracer.txt")[0].parts
SOURCE = SOURCES["SOURCE"]
TEST = SOURCES["TEST"]


@pytest.fixture
def traced(tmp_path, monkeypatch):
    """Runs a function of the test file traced; what its tracer tells, as a result."""
    (tmp_path / "source.py").write_text(SOURCE)
    (tmp_path / "test_it.py").write_text(TEST)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "source", raising=False)
    spec = importlib.util.spec_from_file_location("traced_test", tmp_path / "test_it.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delitem(sys.modules, "source", raising=False)

    def run(name, test_file="test_it.py"):
        tracer, before = LineTracer(str(tmp_path)), sys.gettrace()
        tracer.start(test_file)
        try:
            getattr(module, name)()
        except AssertionError:
            pass
        finally:
            lines = tracer.stop()
            sys.settrace(before)
        return _read({"id": "t", "status": "failed", "lines": lines, "steps": tracer.steps()})

    return run


@every_case(
    ("name", "count", "earlier", "last"),
    [
        ("steps", 3, {2: 3, 3: 1, 4: 2, 5: 2}, (2, 4, 5)),
        ("helper", 2, {2: 2, 3: 1, 4: 1, 5: 1}, (2, 3)),  # a loop in a helper of the test file
    ],
)
def test_each_call_out_of_the_test_is_a_step(traced, name, count, earlier, last):
    steps = traced(name).steps
    assert (steps.count, steps.earlier, steps.last) == (count, {"source.py": earlier}, {"source.py": last})


def test_the_lines_of_all_steps_are_those_of_the_test(traced):
    assert traced("steps").lines == {"source.py": (2, 3, 4, 5), "test_it.py": (5, 6, 7, 8)}


def test_a_call_back_into_the_test_is_no_step_of_its_own(traced):
    steps = traced("back_and_forth").steps
    assert (steps.count, steps.last) == (1, {"source.py": (14, 15)})
    # In the order of each line's last execution: the loop's head saw that there was no more.
    assert set(steps.earlier["source.py"]) == {2, 4, 5, 9, 10}


def test_without_a_test_file_all_is_one_step(traced):
    steps = traced("steps", test_file="").steps
    assert (steps.count, steps.earlier) == (0, {})
    assert set(steps.last) == {"source.py", "test_it.py"}


def test_the_order_is_that_of_the_last_execution(tmp_path, monkeypatch):
    (tmp_path / "loop.py").write_text("def f(n):\n    while n:\n        n -= 1\n    return n\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    loop = importlib.import_module("loop")
    monkeypatch.delitem(sys.modules, "loop")
    tracer, before = LineTracer(str(tmp_path)), sys.gettrace()
    tracer.start("test_loop.py")
    thread = threading.Thread(target=loop.f, args=(1,))
    thread.start()
    thread.join()
    loop.f(2)
    tracer.stop()
    sys.settrace(before)
    assert tracer.steps()["last"] == {"loop.py": [3, 2, 4]}


def test_the_programs_that_a_test_starts_are_watched_too(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import os\nos.environ['OWN'] = 'loaded'\n")
    program = "import os, sys\nprint(os.environ['OWN'], flush=True)\nif __name__ != '__main__':\n    f()\n"
    program += "os.execv(sys.executable, [sys.executable, '-c', ''])\n"
    (tmp_path / "program.py").write_text(program)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    before, trace = dict(os.environ), sys.gettrace()
    tracer = LineTracer(str(tmp_path))
    tracer.start("test_it.py")
    printed = subprocess.check_output([sys.executable, "program.py"], cwd=tmp_path, text=True)
    subprocess.run([sys.executable, "-c", "import os; os._exit(0)"], check=True)
    lines = tracer.stop()
    sys.settrace(trace)
    assert printed == "loaded\n"
    assert lines == {"program.py": [1, 2, 3, 5]}
    assert tracer.steps()["last"] == lines
    assert dict(os.environ) == before


@every_case("written", ["", "[]", '{"a.py": 1}', '{"a.py": ["x"]}', "\0"])
def test_what_a_program_wrote_in_another_form_is_nothing(written, tmp_path):
    watched = ChildTracer(str(tmp_path))
    watched.start()
    directory = os.environ["PYTHONPATH"].partition(os.pathsep)[0]
    Path(directory, "1.json").write_text(written, encoding="utf-8")
    assert watched.stop() == {}
    assert not Path(directory).exists()


@every_case(("ends", "found"), [("", {"main.py": [1, 2, 3], "part.py": [4]}), ("part.nothing", ...)])
def test_lines_that_a_program_only_imports_are_told_where_an_exception_ended_it(tmp_path, ends, found):
    tmp_path.joinpath("part.py").write_text("LIMIT = 3\n\ndef limit():\n    return LIMIT\n")
    tmp_path.joinpath("main.py").write_text(f"import part\npart.limit()\n{ends or 'print()'}\n")
    watched = ChildTracer(str(tmp_path))
    watched.start()
    subprocess.run([sys.executable, tmp_path / "main.py"], capture_output=True, check=False)
    every = {"main.py": [1, 2, 3], "part.py": [1, 3, 4]}
    assert watched.stop() == (every if found is ... else found)


NONSENSE = [
    *(None, 3, {}),
    {"count": "x", "earlier": {}, "last": {}},
    {"count": 1, "earlier": {"a": 1}, "last": {}},
    {"count": float("inf"), "earlier": {}, "last": {}},
    {"count": 1, "earlier": {}, "last": {"a": [None]}},
]


@every_case("raw", NONSENSE)
def test_made_up_steps_are_no_steps(raw):
    assert _read({"id": "t", "status": "failed", "steps": raw}).steps is None
