"""What is done with the names of an object's attributes: harmless forms, and what a person sees."""

from every_case import every_case

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

HOST = """import operator
from collections import ChainMap

import utils


class Cart:
    def __init__(self, items=()):
        self.items = list(items)


def total(items, name=None):
    return sum(items)
"""


def judged(code: str) -> Judgement:
    sources = {"shop.py": HOST, "utils.py": "x = 1\n"}
    return judge(from_sources(sources, {"shop.py": f"{HOST}\n\n{code}\n"}), sources, Policy())


HOSTILE = [
    "dict(vars(utils))[name]",
    "{**vars(utils)}[name]",
    "ChainMap(vars(utils))[name]",
    "vars(utils).copy()[name]",
    "list(vars(utils).values())[0]",
    "(vars(utils) | {})[name]",
    "dict(utils.__dict__)[name]",
    "{**utils.__dict__}[name]",
    "operator.itemgetter(name)(vars(utils))",
    "operator.getitem(vars(utils), name)",
    "dict.get(vars(utils), name)",
    "dict.__getitem__(vars(utils), name)",
    "vars(utils).get(name)",
    "vars(utils).pop(name)",
    "vars(utils).items()",
    "[v for k, v in vars(utils).items() if k == name]",
    "(lambda space: space[name])(vars(utils))",
    "(space := vars(utils))[name]",
    "[vars(utils)][0][name]",
    "(lambda **space: space[name])(**vars(utils))",
    "next(v for v in vars(utils).values())",
    "getattr(utils, '__dict__')[name]",
    "dict(getattr(utils, '__dict__'))[name]",
    "operator.attrgetter('__dict__')(utils)[name]",
    "sorted(vars(utils).items())[0]",
    "max(vars(utils).items())",
    "dict(zip(vars(utils), vars(utils).values()))[name]",
    "vars(utils).setdefault(name, 1)",
    "list(map(vars, [utils]))[0][name]",
    "dict(vars(total))[name]",
    "vars(utils).get('os').system('id')",
    "{**locals()}[name]",
    "dict(vars())[name]",
    "{**globals()}[name]",
    "total(utils)",
    "[utils][0]",
    "(lambda x: x)(utils)",
]


@every_case("expression", HOSTILE)
def test_a_namespace_of_which_any_name_may_be_read_is_held(expression):
    found = judged(f"def f(name):\n    return {expression}")
    assert found.refused or found.shown


@every_case(
    "statement",
    [
        "space = vars(utils)\n    return space[name]",
        "space = utils.__dict__\n    return space[name]",
        "match utils:\n        case object(__dict__=space):\n            return space[name]",
        "for space in [vars(utils)]:\n        return space[name]",
        "vars(utils).update(total=1)",
        "vars(utils)[name] = 1",
        "vars(utils)['total'] = 1",
        "del vars(utils)['x']",
    ],
)
def test_so_is_one_that_a_statement_binds_or_changes(statement):
    found = judged(f"def f(name):\n    {statement}")
    assert found.refused or found.shown


def test_a_method_may_not_read_a_computed_name_of_a_copy():
    for expression in ("dict(vars(self))[name]", "{**self.__dict__}[name]", "vars(self)[name]"):
        assert judged(f"class A:\n    def f(self, name):\n        return {expression}").shown, expression
    unbound = "class A:\n    @staticmethod\n    def f(self, name):\n        return dict(vars(self))\n"
    assert judged(unbound).shown


@every_case(
    "body",
    [
        "return vars(self) == vars(other)",
        "return self.__dict__ == other.__dict__",
        "return dict(self.__dict__)",
        "return self.__dict__.copy()",
        "self.__dict__.update(other)",
        "return {**vars(self), 'n': 1}",
        "return [v for k, v in self.__dict__.items()]",
        "return iter(self.__dict__.items())",
        "return 'n' in vars(other)",
        "return sorted(vars(other))",
        "return len(other.__dict__)",
        "return other.__dict__['n']",
        "return other.__dict__.get('n', 0)",
        "return f'{vars(other)}'",
        "for key in vars(other):\n            print(key)",
        "return list(other.__dict__.keys())",
    ],
)
def test_what_a_repair_does_with_one_is_allowed(body):
    assert judged(f"class A:\n    def f(self, other):\n        {body}") == Judgement()
