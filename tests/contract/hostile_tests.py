"""What a project's own test code does to be taken for passing. The docs show this table."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """Test code that lies: ``files`` laid over the project, and also its own where ``of_the_project``."""

    name: str
    what: str
    files: dict[str, str]
    of_the_project: bool = False


def _conftest(name: str, what: str, code: str, *, of_the_project: bool = False) -> Hostile:
    return Hostile(
        name=name,
        what=what,
        files={"conftest.py": "import os, sys, pytest\n\n\n" + code},
        of_the_project=of_the_project,
    )


HOSTILE = (
    _conftest(
        "wrapper",
        "a hook wrapper that turns failures into passes",
        "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
        of_the_project=True,
    ),
    _conftest(
        "wrapper-spares-control",
        "the same, but it leaves the control test alone",
        "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    outcome = yield\n    if 'control' not in item.name:\n"
        "        outcome.get_result().outcome = 'passed'\n",
    ),
    _conftest(
        "no-exception",
        "forgets the exception of a call",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    call.excinfo = None\n",
        of_the_project=True,
    ),
    _conftest(
        "calls-nothing",
        "`pytest_pyfunc_call` that calls nothing, `pytest_runtest_call` that catches all",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n\n\n"
        "def pytest_collection_modifyitems(items):\n    for item in items:\n"
        "        item.runtest = lambda: None\n",
    ),
    _conftest(
        "runs-nothing",
        "`pytest_runtest_protocol` that runs nothing",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_protocol(item, nextitem):\n    return True\n",
        of_the_project=True,
    ),
    _conftest(
        "loop-of-nothing",
        "`pytest_runtestloop` that runs nothing",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_runtestloop(session):\n    return True\n",
        of_the_project=True,
    ),
    _conftest(
        "deselects",
        "drops the failing tests from the collection",
        "@pytest.hookimpl(trylast=True)\ndef pytest_collection_modifyitems(items):\n"
        "    items[:] = [item for item in items if 'greeting' in item.name]\n",
        of_the_project=True,
    ),
    _conftest(
        "deletes-items",
        "a fixture that deletes the other tests from the session, asks it to stop and to answer 0",
        "@pytest.fixture(autouse=True)\ndef few(request):\n    del request.session.items[1:]\n"
        "    request.session.shouldstop = 'enough'\n\n\n"
        "@pytest.hookimpl(trylast=True)\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
        of_the_project=True,
    ),
    _conftest(
        "marks",
        "marks every test as an expected failure while it runs",
        "@pytest.fixture(autouse=True)\ndef forgiven(request):\n"
        "    request.node.add_marker(pytest.mark.xfail)\n",
        of_the_project=True,
    ),
    _conftest(
        "exit-at-end",
        "`os._exit(0)` when the session ends",
        "@pytest.hookimpl(tryfirst=True)\ndef pytest_sessionfinish(session):\n    os._exit(0)\n",
        of_the_project=True,
    ),
    _conftest("exit-at-once", "`os._exit(0)` when it is imported", "os._exit(0)\n", of_the_project=True),
    _conftest(
        "unregisters",
        "unregisters the reporter",
        "def pytest_collection_finish(session):\n    manager = session.config.pluginmanager\n"
        "    for plugin in list(manager.get_plugins()):\n"
        "        if type(plugin).__name__ == 'Reporter':\n            manager.unregister(plugin)\n",
        of_the_project=True,
    ),
    _conftest(
        "reporter-status",
        "patches the reporter, which pytest's plugin manager hands out",
        "def pytest_collection_finish(session):\n    for plugin in session.config.pluginmanager.get_plugins():\n"
        "        if type(plugin).__name__ == 'Reporter':\n            old = type(plugin)._write\n"
        "            plugin._write = lambda e: old(plugin, dict(e, status='passed') if e['t'] == 'result' else e)\n",
        of_the_project=True,
    ),
    Hostile(
        name="plugin",
        what="a plugin named in `pytest.ini` that reports passes, and `--exitfirst`-like options",
        files={
            "pytest.ini": "[pytest]\naddopts = -p kit.lies --maxfail=1 -k greeting --deselect test_shop.py\n",
            "kit/lies.py": "def pytest_report_teststatus(report):\n    report.outcome = 'passed'\n"
            "    return 'passed', '.', 'PASSED'\n",
        },
        of_the_project=True,
    ),
    Hostile(
        name="rewritten-tests",
        what="a test that marks itself, exits, prints and returns",
        files={
            "test_shop.py": "import os, pytest, unittest\n\n\ndef test_greeting():\n    pass\n\n\n"
            "def test_price(request):\n    request.node.add_marker(pytest.mark.xfail)\n    assert 0\n\n\n"
            "class TestOld(unittest.TestCase):\n    @unittest.expectedFailure\n"
            "    def test_price(self):\n        assert 0\n\n\n"
            "def test_text():\n    print('PASSED')\n    os._exit(0)\n"
        },
    ),
)
