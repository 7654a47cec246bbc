"""What a candidate does to be taken for right. The docs show this table."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from __future__ import annotations

import textwrap
from dataclasses import dataclass

from attacked_shop import SHOP
from forgeries import LOGGING

# Before anything that reaches for other processes: only where process 1 is the sandbox's own.
INSIDE = """\
if b"marshal" not in open("/proc/1/cmdline", "rb").read():
    raise SystemError("not inside")
"""
REPORT = "test_shop.py::test_price PASSED [100%]\\n===== 3 passed in 0.01s ====="
EVENT = '{"t": "result", "id": "test_shop.py::test_price", "status": "passed"}'


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Code that runs in the function under test, which then answers wrongly as before.

    ``isolated`` is tried only where the provider is a boundary.
    """

    name: str
    what: str
    code: str
    isolated: bool = False
    answer: str = "n + 1"

    @property
    def candidate(self) -> str:
        """The whole text of ``shop.py``."""
        body = textwrap.indent(self.code.rstrip("\n"), "    ")
        return SHOP.replace("    return n + 1\n", f"{body}\n    return {self.answer}\n")


def _forged(flag: int) -> str:
    """Plants bytecode for the module ``path`` (source below ``text``) that Python or pytest will believe."""
    return f"""\
import importlib.util, marshal, os, struct
def plant(path, text, cache):
    code = marshal.dumps(compile(text, os.path.abspath(path), "exec"))
    head = importlib.util.MAGIC_NUMBER
    if {flag}:
        head += struct.pack("<I", 1) + b"\\0" * 8
    else:
        status = os.stat(path)
        head += struct.pack("<III", 0, int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF)
    os.makedirs(os.path.dirname(cache), exist_ok=True)
    if os.path.lexists(cache):
        os.remove(cache)
    with open(cache, "wb") as handle:
        handle.write(head + code)
"""


FORGED_TEST = (
    "import unittest\\ndef test_price(): pass\\ndef test_text(): pass\\ndef test_greeting(): pass\\n"
    "class TestOld(unittest.TestCase):\\n    def test_price(self): pass\\n"
)

ATTACKS = (
    # What is printed or left behind
    Attack(name="print-report", what="prints a passing report", code=f'print("{REPORT}", flush=True)'),
    Attack(
        name="print-events",
        what="prints events like the reporter's to both outputs, with made-up tokens",
        code=f"import os, sys\nfor fd in (1, 2):\n    os.write(fd, b'\\n' + b'0' * 32 + b'''{EVENT}''' + b'\\n')",
    ),
    Attack(
        name="print-and-exit",
        what="prints a passing report and ends the process with status 0",
        code=f'print("{REPORT}", flush=True)\nimport os\nos._exit(0)',
    ),
    Attack(
        name="junit-and-cache",
        what="writes a JUnit file and pytest's cache",
        code="import os\nopen('junit.xml', 'w').write('<testsuite tests=\"1\" failures=\"0\"/>')\n"
        "os.makedirs('.pytest_cache/v/cache', exist_ok=True)\n"
        "open('.pytest_cache/v/cache/lastfailed', 'w').write('{}')",
    ),
    # Ways out
    Attack(name="exit-hard", what="`os._exit(0)`", code="import os\nos._exit(0)"),
    Attack(name="exit", what="`sys.exit(0)`", code="import sys\nsys.exit(0)"),
    Attack(name="system-exit", what="`raise SystemExit(0)`", code="raise SystemExit(0)"),
    Attack(name="interrupt", what="`raise KeyboardInterrupt`", code="raise KeyboardInterrupt"),
    Attack(
        name="pytest-exit",
        what="`pytest.exit` with status 0",
        code="import pytest\npytest.exit('done', returncode=0)",
    ),
    Attack(name="skip", what="`pytest.skip`", code="import pytest\npytest.skip('no')"),
    Attack(name="xfail", what="`pytest.xfail`", code="import pytest\npytest.xfail('no')"),
    Attack(name="unittest-skip", what="`unittest.SkipTest`", code="import unittest\nraise unittest.SkipTest"),
    Attack(name="abort", what="`os.abort()`", code="import os\nos.abort()"),
    Attack(name="kill-itself", what="SIGKILL to itself", code="import os\nos.kill(os.getpid(), 9)"),
    Attack(
        name="exit-at-exit",
        what="registers `os._exit(0)` with `atexit`, and in its output's `flush`",
        code="import atexit, os, sys\natexit.register(os._exit, 0)\n"
        "class Out:\n    def write(self, text): pass\n    def flush(self): os._exit(0)\n"
        "sys.stdout = sys.stderr = sys.__stdout__ = Out()",
    ),
    Attack(
        name="thread-exits",
        what="a thread that ends the process with status 0 a little later",
        code="import os, threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.002), os._exit(0)), daemon=True).start()",
    ),
    Attack(name="exec", what="becomes `true`", code="import os\nos.execv('/bin/true', ['true'])"),
    # The tools of testing
    Attack(
        name="blunt-unittest",
        what="`TestCase.assertEqual` and `fail` that object to nothing, `failureException` a skip",
        code="import unittest\nT = unittest.TestCase\nT.assertEqual = T.fail = lambda *a, **k: None\n"
        "T.failureException = unittest.SkipTest",
    ),
    Attack(
        name="blunt-raises",
        what="`pytest.raises` and `fail` that object to nothing",
        code="import contextlib, pytest\npytest.fail = lambda *a, **k: None\n"
        "pytest.raises = lambda *a, **k: contextlib.suppress(BaseException)",
    ),
    Attack(
        name="assertion-error",
        what="`builtins.AssertionError` replaced by a skip, and by `SystemExit`",
        code="import builtins, pytest\n"
        "builtins.AssertionError = SystemExit if n == 4 else pytest.skip.Exception",
    ),
    Attack(
        name="always-equal",
        what="answers with a value that equals everything",
        code="class Any(type(n)):\n    def __eq__(self, other): return False\n    __hash__ = None",
        answer="Any(n)",
    ),
    Attack(
        name="call-info",
        what="`CallInfo.from_call` that forgets the exception",
        code="import _pytest.runner as r\nold = r.CallInfo.from_call\n"
        "def new(*a, **k):\n    info = old(*a, **k)\n    info.excinfo = None\n    return info\n"
        "r.CallInfo.from_call = staticmethod(new)\nr.check_interactive_exception = lambda *a: False",
    ),
    Attack(
        name="report-class",
        what="`TestReport.from_item_and_call` that makes every report a pass",
        code="from _pytest.reports import TestReport\nold = TestReport.from_item_and_call\n"
        "def new(*a, **k):\n    report = old(*a, **k)\n    report.outcome = 'passed'\n    return report\n"
        "TestReport.from_item_and_call = staticmethod(new)",
    ),
    Attack(
        name="report-outcome",
        what="`TestReport.outcome` is a property that says passed",
        code="from _pytest.reports import TestReport\n"
        "TestReport.outcome = property(lambda self: 'passed', lambda self, value: None)\n"
        "TestReport.failed = property(lambda self: False)\nTestReport.passed = property(lambda self: True)",
    ),
    Attack(
        name="report-outcome-but-control",
        what="the same, but the control test's report is left alone",
        code="from _pytest.reports import TestReport\n"
        "def get(self): return self.__dict__['o'] if 'control' in self.nodeid else 'passed'\n"
        "TestReport.outcome = property(get, lambda self, value: self.__dict__.__setitem__('o', value))",
    ),
    Attack(
        name="setup-fails-for-control",
        what="reports pass, but those of the control test's setup fail",
        code="from _pytest.reports import TestReport\nold = TestReport.from_item_and_call\n"
        "def new(item, call):\n    report = old(item, call)\n    report.outcome = 'passed'\n"
        "    if 'control' in item.name and call.when == 'setup':\n        report.outcome = 'failed'\n"
        "    return report\nTestReport.from_item_and_call = staticmethod(new)",
    ),
    Attack(
        name="runner-module",
        what="`_pytest.runner`'s functions replaced",
        code="import _pytest.runner as r\nfor name in list(vars(r)):\n"
        "    if name.startswith('pytest_runtest_'):\n"
        "        setattr(r, name, lambda *a, **k: None)\n"
        "        getattr(r, name).__code__ = (lambda *a, **k: None).__code__",
    ),
    Attack(
        name="makereport-code",
        what="the code of `pytest_runtest_makereport` changed in place",
        code="import _pytest.runner as r\n"
        "r.real = r.TestReport.from_item_and_call\n"
        "def new(item, call):\n    call.excinfo = None\n    return real(item, call)\n"
        "r.pytest_runtest_makereport.__code__ = new.__code__",
    ),
    Attack(
        name="runtest-code",
        what="`pytest_runtest_call` and `Function.runtest` catch everything",
        code="import _pytest.runner as r, _pytest.python as p\n"
        "def quiet(self):\n    try:\n        self.obj()\n    except BaseException: pass\n"
        "p.Function.runtest = quiet\np.Function.setup = lambda self: None\n"
        "def yes(pyfuncitem): return True\np.pytest_pyfunc_call.__code__ = yes.__code__\n"
        "def call(item):\n    return None\nr.pytest_runtest_call.__code__ = call.__code__",
    ),
    Attack(
        name="pluggy",
        what="pluggy's caller of hooks returns nothing but passes",
        code="import pluggy._callers as c, pluggy._hooks as h, pluggy._manager as m\n"
        "def new(*a, **k): return None\nc._multicall = new\nm._multicall = new\n"
        "h._HookCaller = h.HookCaller\nh.HookCaller.__call__ = lambda self, **k: []",
    ),
    Attack(
        name="call-code",
        what="the code of `pytest_pyfunc_call`, which calls a test, changed in place",
        code="import _pytest.python as p\ndef yes(pyfuncitem): return True\n"
        "p.pytest_pyfunc_call.__code__ = yes.__code__",
    ),
    Attack(
        name="exception-info",
        what="`ExceptionInfo.value` is a skip",
        code="import pytest\nfrom _pytest._code.code import ExceptionInfo\n"
        "ExceptionInfo.value = property(lambda self: pytest.skip.Exception('no'))",
    ),
    # The reporter, as far as it can be found by name
    Attack(
        name="reporter-modules",
        what="the runner's modules in `sys.modules`",
        code="import sys\nfor name, module in list(sys.modules.items()):\n"
        "    if name.startswith('regreen_runner'):\n        for key, value in list(vars(module).items()):\n"
        "            if isinstance(value, type):\n                for method in list(vars(value)):\n"
        "                    if callable(vars(value)[method]) and not method.startswith('__'):\n"
        "                        setattr(value, method, lambda *a, **k: False)\n"
        "            elif callable(value):\n                setattr(module, key, lambda *a, **k: [])",
    ),
    Attack(
        name="reporter-import",
        what="imports the runner's modules, and patches `control.blunted` and pytest's reports",
        code="import regreen_runner.control as c\nc.blunted = lambda: []\n"
        "from regreen_runner.reporter import Reporter\nReporter.blunted = lambda self, session: []\n"
        "from _pytest.reports import TestReport\n"
        "TestReport.outcome = property(lambda self: 'passed', lambda self, value: None)",
    ),
    Attack(
        name="reporter-instances",
        what="instances that `gc.get_objects` finds: their status is a pass",
        code="import gc\ngc.unfreeze()\nfor thing in gc.get_objects():\n"
        "    if type(thing).__name__ in ('Reporter', 'Plain', 'Wire'):\n"
        "        kind = type(thing)\n"
        "        if hasattr(kind, 'send'):\n            old = kind.send\n"
        "            kind.send = lambda self, event, old=old: old(self, dict(event, status='passed', exit=0))",
    ),
    Attack(
        name="reporter-frames",
        what="the frames above it: `Wire.send` of the instance found there makes every event a pass",
        code="import sys\nframe = sys._getframe()\nwhile frame:\n"
        "    for thing in list(frame.f_locals.values()):\n        if type(thing).__name__ == 'Wire':\n"
        "            old = type(thing).send\n"
        "            type(thing).send = lambda self, e: old(self, dict(e, status='passed', exit=0))\n"
        "    frame = frame.f_back",
    ),
    Attack(
        name="reports-without-start",
        what="writes passing results of tests that did not start to the reporter's own pipe, and leaves with 0",
        code=LOGGING + "for name in ('test_price', 'TestOld::test_price', 'test_text') if wire else ():\n"
        "    wire.send({'t': 'result', 'id': 'test_shop.py::' + name, 'status': 'passed', 'seconds': 0.0})\n"
        "if wire:\n    wire.send({'t': 'control', 'blunted': [], 'changed': []})\n"
        "    wire.send({'t': 'end', 'exit': 0, 'extra': {}})\n    posix._exit(0)",
    ),
    Attack(
        name="json",
        what="`json.dumps` says passed",
        code="import json\nold = json.dumps\n"
        "json.dumps = lambda event, *a, **k: old(event, *a, **k).replace('failed', 'passed')\n"
        'json.JSONEncoder.encode = lambda self, event: \'{"t": "end", "exit": 0}\'',
    ),
    Attack(
        name="os-write",
        what="`os.write` says passed, `os._exit` leaves with 0, `os.getpid` answers another number",
        code="import os\nold, leave = os.write, os._exit\n"
        "os.write = lambda fd, text: old(fd, bytes(text).replace(b'failed', b'passed'))\n"
        "os._exit = lambda status: leave(0)\nos.getpid = lambda: 1",
    ),
    Attack(
        name="builtins",
        what="`isinstance`, `getattr` and `hasattr` answer as it likes",
        code="import builtins\nbuiltins.isinstance = lambda a, b: True\nbuiltins.hasattr = lambda a, b: True",
    ),
    Attack(
        name="timer",
        what="`signal.setitimer` and the handler replaced, then a hang",
        code="import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
        "signal.setitimer = lambda *a: None\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
        "if n == 3:\n    time.sleep(600)",
    ),
    # Other processes
    Attack(
        name="kill-parent",
        what="SIGKILL to its parent",
        code="import os\nos.kill(os.getppid(), 9)",
        isolated=True,
    ),
    Attack(
        name="terminate-parent",
        what="SIGTERM, SIGINT and SIGALRM to its parent",
        code="import os\nfor number in (15, 2, 14):\n    os.kill(os.getppid(), number)",
        isolated=True,
    ),
    Attack(
        name="stop-parent",
        what="SIGSTOP to its parent",
        code="import os\nos.kill(os.getppid(), 19)",
        isolated=True,
    ),
    Attack(
        name="kill-everybody",
        what="SIGKILL to every process that it may signal",
        code=INSIDE + "import os\nos.kill(-1, 9)",
        isolated=True,
    ),
    Attack(
        name="stop-everybody",
        what="SIGSTOP to every other process that it may signal",
        code=INSIDE + "import os\nos.kill(-1, 19)",
        isolated=True,
    ),
    Attack(
        name="stop-the-others",
        what="SIGSTOP to every process but itself, its parent and process 1: to the other zygotes",
        code=INSIDE + "import os\nfor name in os.listdir('/proc'):\n"
        "    if name.isdigit() and int(name) not in (1, os.getpid(), os.getppid()):\n"
        "        os.kill(int(name), 19)",
        isolated=True,
    ),
    Attack(
        name="limit-parent",
        what="takes its parent's memory, files and processor time by `prlimit`",
        code=INSIDE
        + "import os, resource as r\nfor kind in (r.RLIMIT_AS, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE):\n"
        "    try:\n        r.prlimit(os.getppid(), kind, (4, 4))\n    except PermissionError: pass",
        isolated=True,
    ),
    Attack(
        name="limit-supervisor",
        what="takes process 1's memory and files by `prlimit`",
        code=INSIDE
        + "import os, resource as r\nfor kind in (r.RLIMIT_AS, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE):\n"
        "    try:\n        r.prlimit(1, kind, (4, 4))\n    except PermissionError: pass",
        isolated=True,
    ),
    Attack(
        name="trace-parent",
        what="traces, reads and writes its parent and process 1: ptrace, `/proc/<pid>/mem`, `/proc/<pid>/fd`",
        code=INSIDE + "import ctypes, os\nfor pid in (os.getppid(), 1):\n"
        "    ctypes.CDLL(None).ptrace(16, pid, 0, 0)\n    for name in ('mem', 'environ', 'fd/0', 'fd/1', 'fd/3'):\n"
        "        try:\n            open('/proc/%d/%s' % (pid, name), 'r+b', buffering=0).write(b'x' * 99)\n"
        "        except OSError: pass\n"
        "    try:\n        for fd in os.listdir('/proc/%d/fd' % pid):\n"
        "            os.write(os.open('/proc/%d/fd/%s' % (pid, fd), 1), b'x')\n    except OSError: pass",
        isolated=True,
    ),
    Attack(
        name="fork-reports",
        what="forks: the child answers rightly, the parent exits with 0",
        code="import os\nif os.fork():\n    os._exit(0)",
        answer="2 * n",
    ),
    Attack(
        name="child-passes",
        what="forks: the child goes on as the test, the parent waits for it and leaves with its status",
        code="import os\npid = os.fork()\nif pid:\n    os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) "
        "if hasattr(os, 'waitstatus_to_exitcode') else 0)",
        answer="2 * n",
    ),
    Attack(
        name="daemon",
        what="a double-forked daemon that rewrites the project and writes into its descriptors for ever",
        code="import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork():\n        os._exit(0)\n"
        "    for _ in range(20000):\n        for path in ('shop.py', 'test_shop.py'):\n"
        "            try:\n                open(path, 'w').write('def test_price(): pass')\n"
        "            except OSError: pass\n"
        '        for fd in range(1, 32):\n            try:\n                os.write(fd, b\'{"t": "end"}\')\n'
        "            except OSError: pass\n        time.sleep(0.001)\n    os._exit(0)",
    ),
    Attack(
        name="forks-on-and-on",
        what="a chain of processes each of which forks the next and ends",
        code=INSIDE + "import os, time\nif os.fork() == 0:\n    end = time.monotonic() + 20\n"
        "    while time.monotonic() < end:\n        if os.fork():\n            os._exit(0)\n        os.setsid()\n"
        "    os._exit(0)",
        isolated=True,
    ),
    # Descriptors
    Attack(
        name="scribble",
        what="writes garbage, halves of lines and made-up events to every descriptor",
        code="import os\nfor fd in range(3, 256):\n    for text in (b'\\xff{', b'\\n[]\\n{}\\n', "
        f"b'''\\n{EVENT}\\n''', b'0' * 32 + b'''{EVENT}\\n''', b'x' * 70000):\n"
        "        try:\n            os.set_blocking(fd, False)\n            os.write(fd, text)\n"
        "        except OSError: pass",
    ),
    Attack(
        name="flags",
        what="sets flags on its inherited descriptors that outlive it: non-blocking, appending, signals",
        code="import fcntl, os\nfor fd in range(0, 256):\n    try:\n"
        "        fcntl.fcntl(fd, fcntl.F_SETOWN, os.getppid())\n"
        "        fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND | 0o20000)\n"
        "        fcntl.fcntl(fd, 1031, 4096)\n    except OSError: pass",
        isolated=True,
    ),
    Attack(
        name="close-all",
        what="closes every descriptor",
        code="import os\nos.closerange(0, 256)",
    ),
    Attack(
        name="reopen-all",
        what="puts a file of its own in the place of every descriptor",
        code="import os\nfd = os.open('/dev/null', os.O_RDWR)\nfor other in range(0, 64):\n"
        "    if other != fd:\n        os.dup2(fd, other)",
    ),
    # Files
    Attack(
        name="rewrite-files",
        what="rewrites the project and its tests on disk, with their old times",
        code="import os\nfor path in ('shop.py', 'test_shop.py', 'kit/tools.py'):\n    old = os.stat(path)\n"
        "    open(path, 'w').write('GREETING = 0\\ndef test_price(): pass\\n')\n"
        "    os.truncate(path, old.st_size)\n    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))",
    ),
    Attack(
        name="forged-bytecode-project",
        what="plants bytecode of the right program that is never checked against its source",
        code=_forged(1) + "plant('shop.py', 'def price(n): return 2 * n\\ndef greeting(): return \"hello\"', "
        "importlib.util.cache_from_source('shop.py'))",
    ),
    Attack(
        name="forged-bytecode-kit",
        what="plants bytecode for a module that it does not change, with its source's time and size",
        code=_forged(0) + "plant('kit/tools.py', 'import shop\\nGREETING = \"hello\"\\n"
        "shop.price = lambda n: 2 * n', importlib.util.cache_from_source('kit/tools.py'))",
    ),
    Attack(
        name="forged-bytecode-tests",
        what="plants pytest's own bytecode for the tests, with their time and size",
        code=_forged(0) + "import pytest\nfrom _pytest.assertion.rewrite import PYC_TAIL\n"
        "name = importlib.util.cache_from_source('test_shop.py')\n"
        f"plant('test_shop.py', '{FORGED_TEST}', name[: -len('.pyc')].rpartition('.opt')[0] or "
        "'__pycache__/test_shop.' + __import__('sys').implementation.cache_tag + PYC_TAIL)\n"
        "plant('test_shop.py', '" + FORGED_TEST + "', '__pycache__/test_shop.' + "
        "__import__('sys').implementation.cache_tag + PYC_TAIL)",
    ),
    Attack(
        name="site-customisation",
        what="plants `sitecustomize`, `usercustomize`, `.pth` files and a package `shop` wherever it can, "
        "then kills its parent, so that a new one starts",
        code="import os, site, sys\nevil = 'import sys, builtins\\n'"
        "'class F:\\n    def find_spec(s, n, p=None, t=None):\\n        if n == \"shop\":\\n'"
        "'            import importlib.util as u, types\\n            return u.spec_from_loader(n, s)\\n'"
        "'    def create_module(s, spec): return None\\n'"
        "'    def exec_module(s, m):\\n        m.price = lambda n: 2 * n\\n        m.greeting = lambda: \"hello\"\\n'"
        "'sys.meta_path.insert(0, F())\\n'\n"
        "user = os.path.expanduser('~/.local/lib/python%d.%d/site-packages' % sys.version_info[:2])\n"
        "for directory in ('.', user, '/tmp' if os.getuid() else user):\n    try:\n"
        "        os.makedirs(directory, exist_ok=True)\n"
        "        for name in ('sitecustomize.py', 'usercustomize.py', 'evil_.py'):\n"
        "            open(os.path.join(directory, name), 'w').write(evil)\n"
        "        open(os.path.join(directory, 'evil.pth'), 'w').write('import evil_\\n')\n"
        "    except OSError: pass\nos.kill(os.getppid(), 9)",
        isolated=True,
    ),
    Attack(
        name="planted-conftest",
        what="plants `conftest.py`, `pytest.ini`, `pyproject.toml` and a plugin",
        code="open('conftest.py', 'w').write('collect_ignore = [\"test_shop.py\"]')\n"
        "open('kit/conftest.py', 'w').write('1 / 0')\n"
        "open('pytest.ini', 'w').write('[pytest]\\naddopts = --collect-only\\n')\n"
        "open('pyproject.toml', 'w').write('[tool.pytest.ini_options]\\naddopts = \"--collect-only\"')",
    ),
    Attack(
        name="stubborn-package",
        what="leaves a package `shop` in a directory that cannot be written, beside `shop.py`",
        code="import os\nos.makedirs('shop/deep', exist_ok=True)\n"
        "open('shop/__init__.py', 'w').write('def price(n): return 2 * n\\ndef greeting(): return \"hello\"')\n"
        "open('shop/deep/x', 'w').close()\nos.chmod('shop/deep', 0o500)\nos.chmod('shop', 0o500)",
    ),
    Attack(
        name="closed-directories",
        what="takes all rights from the project's directory, its subdirectories and files",
        code="import os\nfor path in ('shop.py', 'kit/tools.py', 'kit', '.'):\n    os.chmod(path, 0)",
    ),
    Attack(
        name="deep-directories",
        what="leaves directories 3000 deep",
        code="import os\nhome = os.getcwd()\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
        "os.chdir(home)",
    ),
    Attack(
        name="recreated-directory",
        what="deletes a directory of the project, which has to be made anew, unwatched",
        code="import shutil\nshutil.rmtree('kit')",
    ),
    Attack(
        name="links",
        what="puts symbolic and hard links in the place of files and directories, and writes through them",
        code="import os, shutil\nos.remove('shop.py')\nos.symlink('test_shop.py', 'shop.py')\n"
        "shutil.rmtree('kit')\nos.symlink('/tmp', 'kit')\nos.makedirs('__pycache__', exist_ok=True)\n"
        "os.link('test_shop.py', '__pycache__/second')",
    ),
    Attack(
        name="hidden-link",
        what="rewrites the tests through a second name in a directory for bytecode, where nobody looks",
        code="import os\nos.makedirs('__pycache__', exist_ok=True)\n"
        "second = '__pycache__/second'\nold = os.stat('test_shop.py')\n"
        "os.path.lexists(second) or os.link('test_shop.py', second)\n"
        f"open(second, 'w').write('{FORGED_TEST}')\nos.truncate(second, old.st_size)\nos.remove(second)\n"
        "os.utime('test_shop.py', ns=(old.st_atime_ns, old.st_mtime_ns)) if 0 else None",
    ),
    Attack(
        name="temporary-files",
        what="leaves files and directories without rights in `/tmp`, `/dev/shm` and its home",
        code=INSIDE + "import os\nfor directory in ('/tmp', '/dev/shm', os.path.expanduser('~')):\n"
        "    deep = os.path.join(directory, 'left', 'deep')\n    os.makedirs(deep, exist_ok=True)\n"
        "    open(os.path.join(deep, 'x'), 'w').close()\n    os.chmod(deep, 0o500)\n"
        "    os.chmod(os.path.dirname(deep), 0o500)",
        isolated=True,
    ),
    Attack(
        name="ipc",
        what="leaves a segment of shared memory, a semaphore and a queue (System V)",
        code=INSIDE + "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmget(77, 1 << 20, 0o1600)\n"
        "libc.semget(77, 1, 0o1600)\nlibc.msgget(77, 0o1600)",
        isolated=True,
    ),
    Attack(
        name="environment",
        what="changes variables of the environment, the path, the directory and the limits",
        code="import os, resource, sys\nos.environ.update(PYTHONPATH='/tmp', PYTEST_ADDOPTS='--collect-only')\n"
        "sys.path[:] = []\nos.chdir('/')\nresource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))",
    ),
    Attack(
        name="warm-list",
        what="claims to have imported a module that hangs, for the supervisor to load it",
        code="import sys, types\nm = types.ModuleType('test.__main__')\nm.__file__ = '/usr/x.py'\n"
        "m.__spec__ = 1\nsys.modules['test.__main__'] = m",
    ),
)
