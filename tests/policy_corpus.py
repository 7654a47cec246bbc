"""Patches for the policy, made from tables: hostile ones from spellings and places, harmless ones from fixes.

Nothing here is run; what is written stands in strings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from sections import sections

HOST = sections("policy_projects.txt")[-1].parts["shop/code.py"]

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
        ("", "globals()['__builtins__']['eval']('1')"),
        ("", "__builtins__['eval']('1')"),
        ("", "__builtins__.eval('1')"),
        ("", "print.__self__.eval('1')"),
        ("", "len.__self__.__dict__['exec']('1')"),
        ("", "().__class__.__base__.__subclasses__()"),
        ("", "total.__globals__['os']"),
        ("", "Cart.eval.__globals__['os']"),
        ("", "Cart.__init__.__globals__['os']"),
        ("", "getattr(total, '__glo' + 'bals__')['os']"),
        ("", "getattr(total, ''.join(['__glo', 'bals__']))"),
        ("", "'{0.__globals__}'.format(total)"),
        ("", "__loader__.load_module('os')"),
        ("", "__spec__.loader.load_module('os')"),
        ("", "total.__code__.co_consts"),
        ("", "total.__closure__[0].cell_contents"),
        ("", "(x for x in ()).gi_frame.f_back"),
        ("", "logger.manager.root.handlers[0].stream.f_back.f_locals"),
        ("", "Cart().__reduce_ex__(2)"),
        ("", "object.__getattribute__(os, 'system')"),
        ("", "os.sys.exit(0)"),
        ("", "logging.os.system('id')"),
        ("", "logging.sys.modules"),
        ("", "logging.threading.settrace(None)"),
        ("", "os.path.os.system('id')"),
        ("", "os.path.genericpath.os.system('id')"),
        ("", "logging.handlers.HTTPHandler('h', 'u')"),
        ("", "logging.config.dictConfig({})"),
        ("import re", "re.enum.sys.modules"),
        ("import random", "random._os.system('id')"),
        ("import json", "json.codecs.builtins.eval('1')"),
        ("import asyncio", "asyncio.get_event_loop().create_connection(None, 'h', 80)"),
        ("import asyncio", "asyncio.get_event_loop().subprocess_shell(None, 'id')"),
        ("import asyncio", "asyncio.subprocess.create_subprocess_exec('id')"),
        ("import asyncio", "asyncio.base_events.os.system('id')"),
        ("import concurrent.futures", "concurrent.futures.process.mp.Process()"),
        ("import six", "six.moves.builtins.eval('1')"),
        ("import numpy", "numpy.os.system('id')"),
        ("import yaml", "yaml.unsafe_load('!!python/object/apply:os.system [id]')"),
        ("import pandas", "pandas.read_pickle('x')"),
        ("from .compat import os as host", "host.system('id')"),
        ("from . import sys", "sys.exit(0)"),
        ("from .compat import subprocess", "subprocess.run(['id'])"),
        ("from importlib.metadata import EntryPoint", "EntryPoint('a', 'os:system', 'g').load()('id')"),
        ("from pkgutil import resolve_name as find", "find('os:system')('id')"),
        ("import string", "string.Formatter().get_field('0.__globals__', [total], {})"),
        ("import operator", "operator.attrgetter('__globals__')(total)"),
        ("import operator", "operator.attrgetter('__glo' + 'bals__')(total)"),
        ("import weakref", "weakref.finalize(logger, exit)"),
        ("", "setattr(os.path, 'exists', bool)"),
        ("", "setattr(logging, 'getLogger', bool)"),
        ("", "delattr(os, 'getcwd')"),
        ("", "open('/proc/self/mem', 'wb')"),
        ("", "os.environ['PYTEST_CURRENT_TEST']"),
        ("", "open('tests/conftest.py', 'w')"),
        ("import pytest", "pytest.exit('done')"),
        ("import unittest", "unittest.SkipTest('x')"),
    ]
]


# Statements that reach harm by a shape of their own.
STATEMENTS = [
    "match total:\n    case object(__globals__=g):\n        g['os']",
    "match os:\n    case object(system=run):\n        run('id')",
    "class A:\n    m = os\n\n\nA.m.system('id')",
    "for m in (os,):\n    m.system('id')",
    "import contextlib\nwith contextlib.nullcontext(os) as m:\n    m.system('id')",
    "try:\n    raise ValueError\nexcept ValueError as e:\n    e.__traceback__.tb_frame",
    "def f():\n    global os\n    os = __import__('subprocess')",
    "def f(m=os):\n    return m.popen('id')",
    "import json as os\nimport os\nos.system('id')",
    "from logging import os as host\nhost.system('id')",
    "from os.path import os as host\nhost.system('id')",
    "import posixpath\nposixpath.os.system('id')",
    "import pathlib\npathlib.os.system('id')",
    "import glob\nglob.os.system('id')",
    "from random import _os\n_os.system('id')",
    "import contextlib\ncontextlib.sys.modules",
    "import dataclasses\ndataclasses.builtins.eval('1')",
    "import dataclasses\ndataclasses.inspect.currentframe()",
    "import dataclasses\ndataclasses.sys._getframe()",
    "import textwrap\ntextwrap.re.enum.sys.exit()",
    "import typing\ntyping.sys.exit()",
    "import collections\ncollections._sys.exit()",
    "from collections import _sys as s\ns.exit()",
    "import warnings\nwarnings.sys.exit()",
    "import pprint\npprint._sys.exit(0)",
    "compile = eval",
    "def f(x: 'os.system(1)'):\n    pass",
    "x: 'eval(\"1\")' = 1",
    "import enum\nclass E(enum.Enum):\n    A = os.system",
    "import json\njson.loads('{}', object_hook=eval)",
    "sorted(['1'], key=eval)",
    "class A:\n    p = property(eval)",
    "import pathlib\npathlib.Path('x').open('w').write('x')",
    "import pathlib\npathlib.Path('x').write_text('x')",
    "os.remove('x')",
    "import shutil\nshutil.rmtree('x')",
    "os.environ['PATH'] = 'x'",
    "import sys\nsys.path.insert(0, 'x')",
    "[*type(total).__dict__.values()][3].__get__(total)",
    "getattr(total, dir(total)[3])",
    "import sys\nsys.exc_info()[2].tb_frame",
    "logging.basicConfig(filename='x')",
    "import asyncio\nasyncio.current_task().get_stack()",
    "import asyncio\nl = asyncio.new_event_loop()\nl.run_until_complete(l.subprocess_shell(object, 'id'))",
    "import threading\nthreading.Thread(target=os._exit, args=(0,)).start()",
    "raise SystemExit",
    "raise type('X', (SystemExit,), {})",
    "e = KeyboardInterrupt\nraise e",
    "import argparse\nargparse.ArgumentParser().parse_args(['--x'])",
    "import argparse\nargparse.ArgumentParser().error('x')",
    "import sys\nsys.setrecursionlimit(1)",
    "'{0.tb_frame.f_globals}'.format(1)",
    "n = '__glob' + 'als__'\ngetattr(total, n)",
    "import yaml\nyaml.load('x', yaml.Loader)",
    "import configparser\nconfigparser.os.system('x')",
    "import ast\nast.sys.exit()",
    "import mimetypes\nmimetypes.os.system('x')",
    "f = lambda x=os: x.system('id')",
    "__builtins__.__dict__['eval']('1')",
    "getattr(getattr(os, 'sys'), 'exit')()",
    "(getattr)(os, 'system')('id')",
    "g = getattr\ng(os, 'system')('id')",
    "def f():\n    getattr = lambda a, b: a\n    return getattr(os, 'name').system('id')",
    "def f():\n    vars = lambda a: {'name': a}\n    return vars(os)['name'].system('id')",
    "def f():\n    hasattr = lambda a, b: a\n    return hasattr(os, 'name').system('id')",
    "def f(getattr):\n    return getattr(os, 'name').system('id')",
    "(e := eval)('1')",
    "print(*[eval])",
    "try:\n    import subprocess\nexcept ImportError:\n    pass",
    "from __future__ import annotations\ndef f(x: os.system('id')): pass",
    "total.__closure__",
    "import traceback\ntraceback.walk_tb(None)",
    "import traceback\ntraceback.TracebackException",
    "import posix\nposix.system('id')",
    "import nt",
    "import typing\ntyping.ForwardRef('os.system(1)')",
    "from typing import get_type_hints",
    "import copy\ncopy.copyreg.dispatch_table",
    "import sys\nsys.stdout = None",
    "os.path.exists = bool",
    "import json\njson.loads = bool",
    "from json import decoder\ndecoder.JSONDecoder.decode = bool",
    "import datetime\ndatetime.datetime = None",
]


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
