"""What a change must not bring into a Python file, found by comparing the trees before and after.

Only what is new counts: a file that exits, skips or evaluates already may go on doing so as often as it
did. Code that cheats in ways nobody wrote down here gets past it; held-out tests are for that.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.patch.names import BUILTIN_NAMES, Names, bound_names, imported_names
from bot.patch.protected import is_test_path
from bot.patch.special_cases import new_special_cases
from bot.patch.syntax import parsed

_SKIPS = {
    *(
        "pytest.skip",
        "pytest.xfail",
        "pytest.importorskip",
        "pytest.exit",
        "mark.skip",
        "mark.skipif",
        "mark.xfail",
    ),
    *("unittest.skip", "unittest.skipIf", "unittest.skipUnless", "unittest.SkipTest", "case.SkipTest"),
    *("unittest.expectedFailure", ".skipTest", "nose.SkipTest", "outcomes.skip", "outcomes.xfail"),
}
_SKIP_VARIABLES = {"__test__", "collect_ignore", "collect_ignore_glob", "pytest_plugins", "pytestmark"}
_EXITS = {
    *("sys.exit", "os._exit", "os.abort", "os.kill", "os.killpg", "builtins.exit", "builtins.quit"),
    *("builtins.SystemExit", "signal.raise_signal", "_thread.interrupt_main"),
}
_EVALUATION = {
    *(
        "builtins.eval",
        "builtins.exec",
        "builtins.compile",
        "builtins.__import__",
        "os.system",
        "os.popen",
        "os.fork",
    ),
    *("os.forkpty", "os.posix_spawn", "os.posix_spawnp", "os.startfile", "asyncio.create_subprocess_exec"),
    *("asyncio.create_subprocess_shell", "asyncio.open_connection", "asyncio.start_server", "types.CodeType"),
    *(
        f"os.{kind}{suffix}"
        for kind in ("exec", "spawn")
        for suffix in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")
    ),
}
_TAMPERING = {
    *("sys.modules", "sys._getframe", "sys.settrace", "sys.setprofile", "sys.meta_path", "sys.path_hooks"),
    *("inspect.stack", "inspect.currentframe", "gc.get_objects", "gc.get_referrers", "atexit.register"),
    *(
        "builtins.__builtins__",
        ".__builtins__",
        ".__subclasses__",
        ".__globals__",
        ".f_back",
        ".f_globals",
        ".f_locals",
    ),
    # Ways to the frames, objects, descriptors and clocks of whatever runs the tests.
    *(".tb_frame", ".gi_frame", ".cr_frame", ".ag_frame", ".__closure__", ".cell_contents", ".__code__"),
    *("gc.get_referents", "gc.freeze", "gc.unfreeze", "sys.addaudithook", "sys._current_frames"),
    *("threading.settrace", "threading.setprofile", "traceback.walk_stack", "inspect.trace"),
    *("os.write", "os.pwrite", "os.writev", "os.dup", "os.dup2", "os.closerange", "os.sendfile"),
    *("signal.signal", "signal.setitimer", "signal.alarm", "signal.pthread_kill", "signal.pidfd_send_signal"),
    *("fcntl.fcntl", "fcntl.ioctl", "resource.setrlimit", "resource.prlimit"),
}
# Texts that nothing but tampering needs: the kernel's view of processes, bytecode, start-up hooks.
_TELLTALE_TEXTS = ("/proc/", "__pycache__", "sitecustomize", "usercustomize")
_DANGEROUS_MODULES = {
    *(
        "subprocess",
        "pty",
        "multiprocessing",
        "runpy",
        "code",
        "codeop",
        "ctypes",
        "cffi",
        "importlib",
        "imp",
    ),
    *("faulthandler", "marshal", "regreen_runner"),
    *(
        "socket",
        "socketserver",
        "ssl",
        "urllib",
        "urllib2",
        "urllib3",
        "requests",
        "http",
        "httplib",
        "httpx",
    ),
    *("aiohttp", "ftplib", "smtplib", "telnetlib", "poplib", "imaplib", "nntplib", "xmlrpc", "websocket"),
    *("websockets", "paramiko", "pycurl", "webbrowser", "builtins", "_socket", "_posixsubprocess", "_ctypes"),
}
_HARMLESS_MODULES = (
    *("urllib.parse", "urllib.error", "http.HTTPStatus", "http.HTTPMethod"),
    *("importlib.metadata", "importlib.resources"),
)
_TEST_FRAMEWORKS = {
    "pytest",
    "_pytest",
    "unittest",
    "nose",
    "doctest",
    "hypothesis",
    "pluggy",
    "xdist",
    "mock",
}


@dataclass(slots=True, kw_only=True)
class _Facts:
    """What the rules want to know of one module."""

    occurrences: Counter[str] = field(default_factory=Counter)
    modules: set[str] = field(default_factory=set)
    assertions: int = 0
    raises: int = 0
    tests: int = 0


def content_problems(path: str, old: str, new: str, test_literals: frozenset[object]) -> tuple[str, ...]:
    """Why the change from ``old`` to ``new`` of a Python file is refused; empty when it is not.

    An ``old`` that does not parse counts as empty; a ``new`` that does not is no problem of this rule.
    """
    after = parsed(new)
    if after is None:
        return ()
    before = parsed(old) or ast.Module(body=[], type_ignores=[])
    in_tests = is_test_path(path)
    local = bound_names(before)
    try:
        was = _facts(before, local, in_tests=in_tests)
        now = _facts(after, local, in_tests=in_tests)
        special = tuple(new_special_cases(before, after, test_literals))
    except RecursionError:
        return (f"{path} is nested too deeply to be judged",)
    return tuple(f"{path}: {problem}" for problem in (*_problems(was, now, in_tests=in_tests), *special))


def _problems(was: _Facts, now: _Facts, *, in_tests: bool) -> Iterator[str]:
    yield from sorted(now.occurrences - was.occurrences)
    for module in sorted(now.modules - was.modules):
        yield f"new use of {module}"
    lost = was.assertions - now.assertions
    # in code, an assertion may become an explicit error
    if lost > (0 if in_tests else max(0, now.raises - was.raises)):
        yield "an assertion was deleted"
    if in_tests and now.tests < was.tests:
        yield "a test was deleted"


def _facts(tree: ast.Module, local: frozenset[str], *, in_tests: bool) -> _Facts:
    names = Names(tree, local=local)
    facts = _Facts()
    references = list(names.references(tree))
    for name in references:
        if problem := _forbidden_reference(name, in_tests=in_tests):
            facts.occurrences[problem] += 1
    for name in [*references, *imported_names(tree)]:
        if module := _notable_module(name, in_tests=in_tests):
            facts.modules.add(module)
    facts.occurrences.update(_forbidden_statements(tree, in_tests=in_tests))
    facts.occurrences.update(_overwritten_builtins(tree))
    for node in ast.walk(tree):
        facts.raises += isinstance(node, ast.Raise)
        facts.assertions += _is_assertion(node, in_tests=in_tests)
        facts.tests += isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        )
    return facts


def _forbidden_reference(name: str, *, in_tests: bool) -> str | None:
    head, _, last = name.rpartition(".")
    # the last two parts, so that os.sys.exit is seen as well
    short = f"{head.rpartition('.')[2]}.{last}"
    for form in {name, short, f".{last}"}:
        if form in _SKIPS:
            return f"new skip or expected failure: {name.lstrip('.')}"
        if form in _EXITS:
            return f"new exit: {name.removeprefix('builtins.')}"
        if form in _EVALUATION:
            return f"new use of {name.removeprefix('builtins.')}"
        if not in_tests and form in _TAMPERING:
            return f"new tampering with the interpreter: {name.removeprefix('builtins.').lstrip('.')}"
    return None


def _notable_module(name: str, *, in_tests: bool) -> str | None:
    root = name.partition(".")[0]
    if any(name == harmless or name.startswith(harmless + ".") for harmless in _HARMLESS_MODULES):
        return None
    if root == "builtins":
        # a plain builtin is resolved to builtins.<name>; only the module itself is notable
        return root if name == root or name.endswith(".*") else None
    if root in _DANGEROUS_MODULES and (name != root or root not in {"http", "urllib", "code"}):
        return root
    if root in _TEST_FRAMEWORKS and not in_tests:
        return f"the test framework {root} in code"
    return None


def _overwritten_builtins(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            # a module's __doc__ or __all__ is its own
            if isinstance(target, ast.Name) and target.id in BUILTIN_NAMES and not target.id.startswith("__"):
                yield f"the builtin {target.id} is overwritten"


def _forbidden_statements(tree: ast.Module, *, in_tests: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if name in _SKIP_VARIABLES:
                yield f"new skip or expected failure: {name}"
            case ast.Global(names=names) if BUILTIN_NAMES.intersection(names):
                yield "a builtin is overwritten"
            case ast.ImportFrom(
                module="os" | "sys" | "builtins" | "pytest" as module, names=[ast.alias(name="*")]
            ):
                yield f"new import of everything from {module}"
            case ast.Constant(value=str(text)) if not in_tests and "PYTEST_" in text.upper():
                yield "code asks whether it is under test"
            case ast.Constant(value=str(text)) if not in_tests and any(t in text for t in _TELLTALE_TEXTS):
                yield f"new mention of {next(t for t in _TELLTALE_TEXTS if t in text)}"
            case ast.Raise(
                exc=ast.Name(id="KeyboardInterrupt") | ast.Call(func=ast.Name(id="KeyboardInterrupt"))
            ):
                yield "new exit: KeyboardInterrupt"
            case ast.FunctionDef(
                name="__eq__", body=[*_, ast.Return(value=ast.Constant(value=True))] as body
            ):
                if len(body) == 1:
                    yield "new __eq__ that is always true"


def _is_assertion(node: ast.AST, *, in_tests: bool) -> bool:
    match node:
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.Assert(test=ast.Tuple(elts=elements)):
            return not elements
        case ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(attr=name)) if in_tests:
            return name.lower().startswith("assert") or name in {"raises", "warns", "fail"}
    return False
