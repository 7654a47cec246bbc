"""What a module refers to that a repair may not newly refer to, and what a person has to see.

Everything is counted: a second use of what a file uses already is as new as the first.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.patch.policy.dangers import EVALUATION, EXITS, MOCKED, PLAIN_DUNDERS, SKIPS, TAMPERING, words
from bot.patch.policy.names import modules
from bot.patch.policy.names.dotted_names import GETTERS, Reference, Use, references
from bot.patch.policy.names.file_changes import OPENING, arguments, changed_files, is_xml, opens

_DUNDER = re.compile(r"__\w+__")
# They read what attributes their further arguments name, or evaluate annotations.
_COPYING = words("functools.update_wrapper functools.wraps inspect.signature inspect.Signature.from_callable")
_BY_NAME = {"builtins.getattr", "builtins.setattr", "builtins.delattr"}
_TYPES = {"type", "object", "super"}
_OF_FILES = {"os", "shutil"}
_NAMED = {one.rpartition(".")[2] for one in EVALUATION | EXITS | SKIPS | TAMPERING}
# Names by which modules of the project and of others hand on what starts commands or reads the interpreter.
_HANDED_ON = words("""
    os sys subprocess builtins __builtin__ importlib ctypes posix nt pty multiprocessing runpy pickle
    cPickle marshal socket shutil pkgutil gc inspect traceback
""")
_HARMFUL = words("os sys subprocess builtins importlib ctypes posix")
_ENVIRONMENT = {f"os.environ.{name}" for name in ("update", "pop", "popitem", "setdefault", "clear")}
# Methods that change what a list or a dictionary of a module holds; ``register`` changes a class.
_CHANGING = words("""
    update pop popitem setdefault clear append extend insert remove sort reverse add discard register
    __setitem__ __delitem__ __ior__ __iadd__
""")
_SAID_BY_MOCKS = re.compile(r"called|await(_count|ed|_args|_args_list)|assert_\w+")
_OWN_DUNDERS = {"__name__", "__version__", "__file__", "__doc__"}


@dataclass(slots=True, kw_only=True)
class Uses:
    """What one module does: how often each thing that is refused, and each that a person has to see.

    ``imports`` are imports that are refused, by the module's name; ``seen`` are names that count once,
    however often they occur; ``roots`` are modules that are referred to; ``calls`` are the dangerous calls:
    the reason, the name, and what they are given.
    """

    refused: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    imports: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    roots: set[str] = field(default_factory=set)
    calls: Counter[tuple[str, str, str]] = field(default_factory=Counter)


def uses(tree: ast.Module, *, before: ast.Module, in_tests: bool) -> Uses:
    """The uses in ``tree``; ``before`` is the module as it was.

    Raises:
        RecursionError: the tree is too deep.
    """
    found = Uses()
    every = references(tree, before=before)
    in_xml = any(is_xml(name) for reference in every for name in reference.names)
    for reference in every:
        if reference.use is not Use.IMPORTED and reference.is_imported:
            found.roots.update(name.strip(".").partition(".")[0] for name in reference.names)
        refusals = [why for name in reference.names if (why := _refusal(name, reference, in_tests=in_tests))]
        if refusals and reference.use is Use.IMPORTED and "." not in reference.names[0]:
            found.imports[reference.names[0]] = refusals[0]
        elif refusals:
            if reference.call and refusals[0].startswith("new use of ") and not in_tests:
                name = refusals[0].removeprefix("new use of ")
                found.calls[refusals[0], name, ast.dump(reference.call)] += 1
            found.refused[refusals[0]] += 1
        elif not in_tests:
            _show(reference, found, in_xml=in_xml)
    return found


def _refusal(name: str, reference: Reference, *, in_tests: bool) -> str:
    if reference.use is Use.JOINED:
        return "an attribute whose name is put together from strings"
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        if why := _listed(".".join(parts[:size]), in_tests=in_tests):
            return why
    if name == "builtins.KeyboardInterrupt" and not reference.caught:
        return "new exit: KeyboardInterrupt"
    if why := _by_call(name, reference):
        return why
    if name in _BY_NAME:
        return f"new use of {name.removeprefix('builtins.')} as a value"
    if reference.is_imported or reference.use is Use.IMPORTED:
        return _module_refusal(name, reference, in_tests=in_tests)
    return ""


def _by_call(name: str, reference: Reference) -> str:
    """Why a use is refused that is harmless in another form: names that are put together reach anything."""
    call, last = reference.call, name.rpartition(".")[2]
    if name in GETTERS | _COPYING and call is None and reference.use is Use.READ:
        return f"new use of {name} as a value"
    if last == "__annotations__" and reference.use in {Use.STORED, Use.ITEM}:
        return "a change of annotations"
    if call is None:
        return ""
    keywords = {keyword.arg for keyword in call.keywords}
    if known := next(iter(sorted(keywords & {"eval_str", "stack_info"}, key=str)), ""):
        return f"new use of {known}"
    if name in _COPYING and None in keywords:
        return f"new use of {name} with hidden arguments"
    copies = {"update_wrapper": 2, "wraps": 1}
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    if last in copies and (len(call.args) > copies[last] or starred or keywords & {"assigned", "updated"}):
        return f"new use of {last} with names of its own"
    if name == "builtins.vars" and any(isinstance(one, ast.Name) and one.id in _TYPES for one in call.args):
        return "new use of vars of a built-in type"
    return ""


def _listed(name: str, *, in_tests: bool) -> str:
    head, _, last = name.rpartition(".")
    # The last two parts, so that os.sys.exit is seen as well.
    short = f"{head.rpartition('.')[2]}.{last}"
    plain = name.removeprefix("builtins.").lstrip(".")
    for form in (name, short, f".{last}" if head or name.startswith(".") else name):
        if form in SKIPS:
            return f"new skip or expected failure: {plain}"
        if form in EXITS:
            return f"new exit: {plain}"
        if form in EVALUATION:
            return f"new use of {plain}"
        if not in_tests and form in TAMPERING:
            return f"new tampering with the interpreter: {plain}"
    return ""


def _module_refusal(name: str, reference: Reference, *, in_tests: bool) -> str:
    bare = name.lstrip(".")
    parts = bare.split(".")
    if reference.use is Use.STARRED and modules.test_framework(bare):
        return f"new import of everything from {bare}"
    if not in_tests and not name.startswith(".") and (framework := modules.test_framework(bare)):
        return f"new use of the test framework {framework} in code"
    if name.startswith(".") and (parts[0] not in _HANDED_ON or reference.use is Use.IMPORTED):
        return f"new use of {bare}" if parts[0] in _HANDED_ON else ""
    if modules.is_dangerous_module(bare):
        if reference.caught or (modules.is_constant_member(bare) and reference.use is Use.READ):
            return ""
        return f"new use of {bare}"
    if not modules.is_standard(bare):
        through = next((part for part in parts[1:] if part in _HANDED_ON), "")
        return f"new use of {through} through {parts[0]}" if through else ""
    return "" if in_tests else _standard_refusal(bare, parts, reference)


def _standard_refusal(name: str, parts: list[str], reference: Reference) -> str:
    """Why a use of the standard library is refused, where it is of no dangerous module."""
    through = next((part for part in parts[1:] if modules.is_module_word(part)), "")
    if through and not (modules.is_safe_member(name) or name in modules.SAFE_MEMBERS):
        return f"new use of {through} through {parts[0]}"
    if reference.use is Use.STARRED:
        return "" if modules.is_pure(name) else f"new import of everything from {name}"
    if reference.use is Use.STORED:
        return f"a change of {name}, which belongs to all that is loaded"
    if name == "importlib" and reference.use is Use.IMPORTED:
        return "new use of importlib"
    if any(part.startswith("_") and part not in _OWN_DUNDERS for part in parts[1:2]):
        return f"new use of {name}"
    if modules.is_module(name) and not modules.is_pure(name):
        if reference.use is Use.READ:
            return f"the module {name} is handed on as a value"
        if reference.use is Use.COMPUTED:
            return f"an attribute of {name} whose name is computed"
    return ""


def _show(reference: Reference, found: Uses, *, in_xml: bool) -> None:
    for why, once in _reasons(reference):
        if once:
            found.seen.add(why)
        else:
            found.shown[why] += 1
    for name in reference.names:
        for why in _file_reasons(name, reference, in_xml=in_xml):
            found.shown[why] += 1
            if reference.call:
                found.calls[why, name.lstrip(".").removeprefix("builtins."), arguments(reference.call)] += 1


def _file_reasons(name: str, reference: Reference, *, in_xml: bool) -> Iterator[str]:
    """Why a person has to see what it does to files; each counts, and so do other arguments."""
    parts = name.split(".")
    for method in changed_files(parts, reference, in_xml=in_xml):
        yield f"new change of files: {method}"
    if opens(name, reference):
        yield f"a new use of {parts[-1]} that may write"
    elif _is_of_files(name, reference) and reference.is_imported and name not in OPENING:
        yield from (why for why, _ in _standard_reasons(name, reference))


def _reasons(reference: Reference) -> Iterator[tuple[str, bool]]:
    """What else a person has to see, and whether it counts once only."""
    if reference.use is Use.COMPUTED:
        yield "a new access to an attribute whose name is computed", False
    for name in reference.names:
        parts = name.split(".")
        yield from ((why, False) for why in _attribute_reasons(parts, reference.use))
        # Called, ``stores`` judges it.
        if parts[-1] in {"__setattr__", "__delattr__"} and reference.call is None:
            yield f"new use of {parts[-1]} as a value", False
        if (through := _through(parts, reference)) and reference.use is not Use.STORED:
            yield f"new use of {through}, as of a module", False
        # Called, it takes a class whose fields no source names, and they become code.
        if name == "dataclasses.dataclass" and reference.call and reference.call.args:
            yield "new use of dataclass as a function", False
        if reference.in_string and parts[-1] in _NAMED:
            yield f"new use of {parts[-1]} by its name", False
        if name in {"builtins.locals", "builtins.vars"} and not (reference.call and reference.call.args):
            yield f"new use of {parts[-1]}", False
        if reference.use is Use.STARRED:
            yield f"new import of everything from {name}", False
        elif not _is_of_files(name, reference) and reference.is_imported and modules.is_standard(name):
            yield from _standard_reasons(name, reference)


def _through(parts: list[str], reference: Reference) -> str:
    """The dangerous module that something else hands on; empty where it does not look so."""
    through = next((part for part in parts[1:] if part in _HARMFUL), "")
    if reference.is_imported or reference.use is Use.IMPORTED:
        return through or modules.dangerous_within(parts[1:])
    return through


def _is_of_files(name: str, reference: Reference) -> bool:
    """Whether ``_file_reasons`` judges it."""
    of_system = reference.call is not None and name.partition(".")[0] in _OF_FILES
    return name in OPENING or of_system or opens(name, reference)


def _attribute_reasons(parts: list[str], use: Use) -> Iterator[str]:
    odd = [part for part in parts[1:] if _DUNDER.fullmatch(part) and part not in PLAIN_DUNDERS]
    yield from (f"new use of {part}" for part in odd[:1])
    if len(parts) < 2:
        return
    own = parts[0] in {"self", "cls"}
    if (f".{parts[-1]}" in MOCKED or parts[-1].startswith("_mock_")) and not (own and len(parts) == 2):
        yield f"new use of {parts[-1]}, as of a stand-in of the tests"
    elif use is Use.STORED and _SAID_BY_MOCKS.fullmatch(parts[-1]) and not own:
        yield f"a change of {parts[-1]}, as of a stand-in of the tests"
    if parts[-1] == "exit" and not own:
        yield f"new use of {'.'.join(parts).lstrip('.')}"


def _standard_reasons(name: str, reference: Reference) -> Iterator[tuple[str, bool]]:
    owner, _, last = name.rpartition(".")
    # A method of an object changes it as well where something else calls it; one of a class has none.
    is_method = reference.call is not None or owner.rpartition(".")[2].islower()
    changing = name.count(".") > 1 and last in _CHANGING and is_method
    changing = changing or last in {"__kwdefaults__", "__defaults__", "__annotations__"}
    if reference.use is Use.ITEM or name in _ENVIRONMENT or changing:
        yield f"a change of what {name} holds", False
        return
    if modules.is_pure(name):
        if reference.use is Use.READ and modules.is_module(name):
            yield f"the module {name} is handed on as a value", False
        return
    if modules.is_safe_member(name) or modules.is_constant_member(name) or reference.caught:
        return
    root = name.partition(".")[0]
    # A module of which nothing is known may be used further in the way it is used already.
    yield f"new use of {name}", root not in modules.SAFE_MEMBERS and not modules.is_pure(root)
