"""Patches for the policy, made from tables: hostile ones from spellings and places, harmless ones from fixes.

Nothing here is run; what is written stands in strings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from sections import GOLDEN, sections

HOST = sections("policy_projects.txt")[-1].parts["shop/code.py"]


def lines_of(path: str) -> list[tuple[str, str]]:
    """An import, which may be missing, and an expression after a semicolon, a line each."""
    parts = (line.rpartition("; ") for line in (GOLDEN / path).read_text("utf-8").splitlines())
    return [(setup, expression) for setup, _, expression in parts]


# What does harm: a module, a name in it, and the arguments of a call.
TARGETS = [
    *(("os", name, "'id'") for name in ("system", "popen", "execv", "spawnlp", "posix_spawn", "startfile")),
    *(("posix", name, "'id'") for name in ("system", "_exit", "execv", "fork")),
    *(("subprocess", name, "['id']") for name in ("run", "Popen", "check_output", "call", "getoutput")),
    *(("os", name, "0") for name in ("_exit", "abort", "kill", "write", "dup2", "fork")),
    *(
        ("sys", name, "0")
        for name in ("exit", "_getframe", "settrace", "modules", "addaudithook", "meta_path")
    ),
    *(("inspect", name, "") for name in ("currentframe", "stack", "getouterframes", "getargvalues", "trace")),
    *(("gc", name, "") for name in ("get_objects", "get_referrers", "get_referents")),
    *(("traceback", name, "None") for name in ("walk_tb", "walk_stack", "extract_stack")),
    *(("logging", name, "") for name in ("currentframe",)),
    *(("logging.config", name, "{}") for name in ("dictConfig", "fileConfig", "listen")),
    *(("logging.handlers", name, "'h', 'u'") for name in ("HTTPHandler", "SocketHandler", "SMTPHandler")),
    *(("importlib", name, "'os'") for name in ("import_module", "reload", "util")),
    *(("importlib.metadata", name, "'a', 'os:system', 'g'") for name in ("EntryPoint", "entry_points")),
    *(("pkgutil", name, "'os:system'") for name in ("resolve_name", "get_loader", "iter_importers")),
    *(("asyncio", name, "'id'") for name in ("create_subprocess_shell", "open_connection", "start_server")),
    *(("asyncio.subprocess", name, "'id'") for name in ("create_subprocess_exec", "Process")),
    *(("multiprocessing", name, "") for name in ("Process", "Pool")),
    *(("pickle", name, "b''") for name in ("loads", "load", "Unpickler")),
    *(("marshal", name, "b''") for name in ("loads",)),
    *(("timeit", name, "'1'") for name in ("timeit", "Timer", "repeat")),
    *(("cProfile", name, "'1'") for name in ("run", "runctx")),
    *(("pdb", name, "'1'") for name in ("run", "set_trace")),
    *(("pip", name, "['install']") for name in ("main",)),
    *(("runpy", name, "'x'") for name in ("run_path", "run_module")),
    *(("code", name, "") for name in ("interact", "InteractiveInterpreter")),
    *(("socket", name, "") for name in ("socket", "create_connection")),
    *(("urllib.request", name, "'u'") for name in ("urlopen", "urlretrieve")),
    *(("http.client", name, "'h'") for name in ("HTTPConnection",)),
    *(("requests", name, "'u'") for name in ("get", "post")),
    *(("ctypes", name, "None") for name in ("CDLL", "string_at")),
    *(("builtins", name, "'1'") for name in ("eval", "exec", "compile", "__import__")),
    *(("_posixsubprocess", name, "") for name in ("fork_exec",)),
    *(("_thread", name, "") for name in ("interrupt_main",)),
    *(("atexit", name, "print") for name in ("register",)),
    *(("signal", name, "2") for name in ("raise_signal", "setitimer", "alarm")),
    *(("typing", name, "f") for name in ("get_type_hints",)),
    *(("types", name, "") for name in ("CodeType",)),
    *(("faulthandler", name, "1") for name in ("dump_traceback_later",)),
]


@dataclass(frozen=True, slots=True)
class Spelling:
    """Lines that come first, and an expression that does the harm; ``name`` says how."""

    name: str
    setup: str
    expression: str


def _ways(module: str, name: str, arguments: str) -> Iterator[Spelling]:
    root = module.partition(".")[0]
    call = f"({arguments})"
    ways = {
        "attribute": (f"import {module}", f"{module}.{name}{call}"),
        "alias": (f"import {module} as helper", f"helper.{name}{call}"),
        "from": (f"from {module} import {name}", f"{name}{call}"),
        "from as": (f"from {module} import {name} as tool", f"tool{call}"),
        "hidden by another": (f"import {module} as math\nimport math", f"math.{name}{call}"),
        "getattr": (f"import {module}", f"getattr({module}, '{name}'){call}"),
        "joined": (f"import {module}", f"getattr({module}, '{name[:2]}' + '{name[2:]}'){call}"),
        "vars": (f"import {module}", f"vars({module})['{name}']{call}"),
        "dict": (f"import {module}", f"{module}.__dict__['{name}']{call}"),
        "get": (f"import {module}", f"{module}.__dict__.get('{name}'){call}"),
        "attrgetter": (f"import operator\nimport {module}", f"operator.attrgetter('{name}')({module}){call}"),
        "methodcaller": (
            f"from operator import methodcaller\nimport {module}",
            f"methodcaller('{name}')({module})",
        ),
        "star": (f"from {module} import *", f"{name}{call}"),
        "handed on": (f"import {module}", f"(lambda one: one.{name}{call})({module})"),
        "in a list": (f"import {module}", f"[{module}][0].{name}{call}"),
        "walrus": (f"import {module}", f"(one := {module}).{name}{call}"),
        "dunder import": ("", f"__import__('{module}', fromlist=['x']).{name}{call}"),
        "import_module": ("import importlib", f"importlib.import_module('{module}').{name}{call}"),
        "modules": (f"import sys, {root}", f"sys.modules['{module}'].{name}{call}"),
        "reduce": (
            f"import functools, {root}",
            f"functools.reduce(getattr, '{module}.{name}'.split('.')[1:], {root}){call}",
        ),
    }
    for way, (setup, expression) in ways.items():
        yield Spelling(name=f"{module}.{name}, {way}", setup=setup, expression=expression)


# What needs no import of its own, or has a shape of its own.
OTHERS = [
    Spelling(name=expression[:50], setup=setup, expression=expression)
    for setup, expression in [
        *(
            ("", f"{name}('1')")
            for name in ("eval", "exec", "compile", "__import__", "breakpoint", "exit", "quit")
        ),
        *(("", f"list(map({name}, ['1']))") for name in ("eval", "exec", "__import__")),
        *(("", f"[{name}][0]('1')") for name in ("eval", "exec")),
        *lines_of("policy_expressions.txt"),
    ]
]


# Statements that reach harm by a shape of their own.
_STATEMENTS = (GOLDEN / "policy_statements.txt").read_text("utf-8")
STATEMENTS = [one.removesuffix("\n") for one in _STATEMENTS.split("# and\n")]


def spellings() -> list[Spelling]:
    """Every way to write each harm."""
    return [*(way for target in TARGETS for way in _ways(*target)), *OTHERS]


PLACES = {
    "statement": "{}",
    "assignment": "result = {}",
    "function": "def run():\n    return {}",
    "method": "class A:\n    def run(self):\n        return {}",
    "class body": "class A:\n    field = {}",
    "decorator": "@(lambda f: {})\ndef run():\n    pass",
    "called decorator": "@print({})\nclass A:\n    pass",
    "default": "def run(value={}):\n    return value",
    "keyword default": "def run(*, value={}):\n    return value",
    "f-string": 'name = f"a{{{}}}"',
    "annotation": "def run(value: {}):\n    return value",
    "returned annotation": "def run() -> {}:\n    return 1",
    "variable annotation": "field: {} = 1",
    "lambda": "run = lambda: {}",
    "comprehension": "rows = [{} for _ in range(1)]",
    "condition of one": "rows = [x for x in () if {}]",
    "condition": "if {}:\n    pass",
    "argument": "print(1, end={})",
    "base class": "class A(dict, metaclass={}):\n    pass",
    "assertion": "assert {}, 1",
    "with": "with {} as x:\n    pass",
    "raise": "def run():\n    raise {}",
    "subscript": "x = [1][{}]",
    "match": "match 1:\n    case x if {}:\n        pass",
    "starred": "print(*{})",
    "conditional expression": "x = 1 if {} else 2",
    "await": "async def run():\n    return await {}",
    "global": "def run():\n    global cache\n    cache = {}",
    "a try": "try:\n    x = {}\nexcept ValueError:\n    pass",
}


def hostile(step: int = 1, *, start: int = 0) -> Iterator[tuple[str, str, str]]:
    """Name, old text and new text of hostile patches: every ``step``-th spelling, in places taken in turn."""
    turn = cycle(PLACES.items())
    for number, spelling in islice(enumerate(spellings()), start, None, step):
        for place, template in islice(turn, 1):
            body = template.replace("{{{}}}", "{" + spelling.expression.replace('"', "'") + "}")
            body = body.replace("{}", spelling.expression)
            first = spelling.setup + "\n" if spelling.setup else ""
            # The imports stand at the top, or where they are wanted, or are there already and are not new.
            old = HOST
            if number % 3 == 0:
                new = f"{HOST}\n\n{first}{body}\n"
            else:
                new = f"{first}{HOST}\n\n{body}\n"
                old = f"{first}{HOST}" if number % 3 == 1 else HOST
            yield f"{spelling.name}, {place}", old, new
