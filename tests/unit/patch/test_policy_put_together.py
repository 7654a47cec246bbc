"""Names that are put together reach anything: what makes an attribute's name at run time is refused."""

from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge

SOURCES = sections("sources/policy_put_together.txt")[0].parts
SOURCE = SOURCES["SOURCE"]
GLOBALS, BUILTINS = '"__glo" + "bals__"', '"__buil" + "tins__"'


def judged(line, top=""):
    new = SOURCE.replace("        return sum(self.items) + 1\n", f"        {line}\n        return 2\n")
    new = new.replace("\n\nclass Cart", f"\n{top}\n\nclass Cart", 1)
    assert new != SOURCE
    return judge(from_sources({"cart.py": SOURCE}, {"cart.py": new}), {"cart.py": SOURCE}, Policy())


@every_case(
    "line",
    [
        "list(map(operator.attrgetter, [name]))[0](Cart)",
        "functools.partial(operator.attrgetter, name)()(Cart)",
        "get = operator.attrgetter",
        "get = {1: operator.methodcaller}[1](name)",
        "functools.update_wrapper(self, total, [name], [])",
        "functools.update_wrapper(self, total, assigned=[name])",
        "functools.wraps(total, [name])(self)",
        f"vars(utils)[{BUILTINS}]",
        f"utils.__dict__[{BUILTINS}]",
        "first = [v for k, v in vars(type).items() if k.endswith('classes')][0]",
        "typing.Optional[name].__args__[0]._evaluate({}, {}, frozenset())",
        "functools.wraps(*[total, [name]])(self)",
        "functools.update_wrapper(self, total, **{'assigned': [name]})",
        "functools.partial(functools.update_wrapper, self, total, [name])()",
        "inspect.signature(total, eval_str=True)",
        "inspect.signature(total, **{'eval_str': True})",
        "functools.partial(inspect.signature, **{'eval_str': True})(total)",
        "return out._old_targets[0]",
        "total.__annotations__['items'] = name",
        "total.__annotations__ = {'items': name}",
        "asyncio.new_event_loop()._make_subprocess_transport(self, name, True, None, None, None, 0)",
        "asyncio.new_event_loop()._getaddrinfo_debug(name, 80, 0, 0, 0, 0)",
        f"text = {GLOBALS}",
        'text = "f_" + "back"',
        'if name == "/home/sandbox": pass',
        'if name.startswith("/work" + "space"): pass',
    ],
)
def test_it_is_refused(line):
    assert judged(line).refused, line


@every_case(
    "top",
    [
        "class Show:\n    __annotations__ = {'a': int}\n",
    ],
)
def test_a_class_that_decides_what_it_is_equal_to_or_what_is_annotated_is_refused(top):
    assert judged("pass", f"\n{top}\n").refused


@every_case(
    "line",
    [
        "key = operator.attrgetter('items')",
        "self.items.sort(key=operator.itemgetter(0))",
        "wrapped = functools.wraps(total)(self.total)",
        "functools.update_wrapper(self, total)",
        "inspect.signature(total)",
        "found = vars(self)",
        "found = vars(self)['items']",
        "kind = total.__annotations__.get('items')",
        'text = "a_" + "b"',
        "kinds: dict[str, int] = {}",
    ],
)
def test_what_a_repair_writes_is_not(line):
    assert not judged(line).refused, judged(line).refused


def test_an_attribute_by_a_variable_is_for_a_person():
    assert judged("found = self.__dict__[name]").shown


@every_case(
    "line",
    [
        "pathlib.Path(name).rename(target='b')",
        "pathlib.Path.replace(pathlib.Path(name), 'b')",
        "go = pathlib.Path(name).open",
        "go = pathlib.Path.open",
        "tempfile.NamedTemporaryFile('w', dir='src', delete=False)",
    ],
)
def test_what_may_change_files_is_for_a_person(line):
    assert judged(line, "import pathlib\nimport tempfile").shown


@every_case("line", ["text = name.replace('a', 'b')", "text = name.replace('a', 'b', 1)"])
def test_a_text_that_is_replaced_is_no_file(line):
    assert not judged(line).shown


@every_case(
    "line",
    [
        "match name:\n            case Peek(found):\n                return found",
        "match name:\n            case utils.Peek(found, other):\n                return found",
        "dataclasses.dataclass(type('A', (), fields))",
        "enum.global_enum(Colour)",
        "functools.singledispatch(total).register(Shape(__annotations__={'items': name}))",
        "paths = pathlib.PurePath(name).parser; return paths.os",
        "kept = warnings.catch_warnings()._module; return kept.sys",
    ],
)
def test_what_names_attributes_or_modules_elsewhere_is_for_a_person(line):
    found = judged(line, "import dataclasses, enum, functools, pathlib, warnings")
    assert found.shown
    assert not found.refused


@every_case(
    "top",
    [
        "class Meta(type):\n    def __new__(mcs, name, bases, space):\n        return None\n",
        "import enum\n\n\nclass Meta(enum.EnumMeta):\n    pass\n",
        "Made = type('Made', (), {'__' + 'x': 1})\n",
        "import types\n\nMade = types.new_class('Made', (), {}, print)\n",
    ],
)
def test_a_class_that_code_makes_is_for_a_person(top):
    assert judged("pass", f"\n{top}\n").shown
    assert not judged("pass", "\nkind = type(1)\n").shown


def test_a_class_by_the_name_of_a_builtin_one_is_none():
    pattern = "match name:\n            case int(found):\n                return found"
    for top in ("class int:\n    pass", "from utils import Peek as int", "with open(name) as int:\n    pass"):
        assert judged(pattern, top).shown


def test_a_class_that_takes_the_place_of_a_stream_is_for_a_person():
    top = "import contextlib\n\n\nclass Kept(contextlib.redirect_stdout):\n    _stream = 'modules'\n"
    assert judged("pass", top).shown


@every_case("line", ["self.os = name", "match name:\n            case str(found):\n                pass"])
def test_what_reads_no_such_attribute_is_allowed(line):
    assert not judged(line).shown
