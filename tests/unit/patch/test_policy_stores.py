"""Attributes that are set of classes of others, by a variable, by their type, by a copy."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
import ast
import time

from every_case import every_case

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge
from bot.patch.policy.objects.foreign import foreign_objects
from bot.patch.policy.objects.origins import Origins

HOST = """import copy
import json
import logging
from fractions import Fraction

from shop import models


class Cart:
    def __init__(self, items=()):
        self.items = list(items)


def total(items, decoder=None):
    return sum(items)
"""


def judged(code: str) -> Judgement:
    sources = {"shop/code.py": HOST, "shop/models.py": "class Order: pass\n"}
    return judge(from_sources(sources, {"shop/code.py": f"{HOST}\n\n{code}\n"}), sources, Policy())


HOSTILE = [
    "d = json.JSONDecoder\nd.decode = total",
    "def f():\n    d = json.JSONDecoder\n    d.decode = total",
    "d: type = json.JSONDecoder\nd.decode = total",
    "d = e = json.JSONDecoder\ne.decode = total",
    "(d := json.JSONDecoder).decode = total",
    "d = json.JSONDecoder\ne = d\ne.decode = total",
    "d, e = json.JSONDecoder, 1\nd.decode = total",
    "d = [json.JSONDecoder]\nd[0].decode = total",
    "d = {'a': json.JSONDecoder}\nd['a'].decode = total",
    "for d in (json.JSONDecoder, Fraction):\n    d.decode = total",
    "[setattr(d, 'decode', total) for d in [json.JSONDecoder]]",
    "d = next(iter([json.JSONDecoder]))\nd.decode = total",
    "d = json.JSONDecoder if total else None\nd.decode = total",
    "def f(d=json.JSONDecoder):\n    d.decode = total",
    "def f(*, d=json.JSONDecoder):\n    d.decode = total",
    "def f(d):\n    d.decode = total\n\n\nf(json.JSONDecoder)",
    "def f(d):\n    setattr(d, 'decode', total)\n\n\nf(d=json.JSONDecoder)",
    "def f(d):\n    d.decode = total\n\n\nlist(map(f, [json.JSONDecoder]))",
    "def f():\n    return json.JSONDecoder\n\n\nf().decode = total",
    "def f():\n    yield json.JSONDecoder\n\n\nfor d in f():\n    d.decode = total",
    "d = json.loads('1')\nd = json.JSONDecoder\nd.decode = total",
    "class A:\n    @copy.copy\n    def f(self):\n        self.decode = total\n\n\nA.f(json.JSONDecoder)",
    "match json.JSONDecoder:\n    case d:\n        d.decode = total",
    "d = json.JSONDecoder\nd.decode, d.encode = total, total",
    "d = json.JSONDecoder\nfor d.decode in [total]:\n    pass",
    "d = json.JSONDecoder\ndel d.decode",
    "d = json.JSONDecoder\nd.__init__.__kwdefaults__['strict'] = False",
    "d = json.JSONDecoder\nd.__setattr__('decode', total)",
    "d = json.JSONDecoder\ntype.__setattr__(d, 'decode', total)",
    "d = json.decoder.BACKSLASH\nd['n'] = 'x'",
    "def f():\n    d = json.loads\n    d.__defaults__ = (total,)",
    "type(total).attribute = 1",
    "type(Fraction(1)).numerator = 5",
    "def f(x):\n    type(x).decode = total",
    "def f(x):\n    x.__class__.decode = total",
    "def f(x):\n    setattr(type(x), 'decode', total)",
    "kind = type(json.JSONDecoder())\nkind.decode = total",
    "Fraction(1).__class__.numerator = 5",
    "class A(json.JSONDecoder):\n    def f(self):\n        type(self).__mro__[1].decode = total",
    "class A(json.JSONDecoder):\n    def f(self):\n        self.__class__.__bases__[0].decode = total",
    "class A(json.JSONDecoder):\n    @classmethod\n    def f(cls):\n        cls.mro()[1].decode = total",
    "class A:\n    @staticmethod\n    def f(self):\n        self.decode = total\n\n\nA.f(json.JSONDecoder)",
    "class A:\n    kind = json.JSONDecoder\n\n    def f(self):\n        d = self.kind\n        d.decode = total",
    "class A:\n    def __reduce__(self):\n        return total, (1,), (None, {'decode': total})\n\n\ncopy.copy(A())",
    "class A:\n    def __new__(cls):\n        return json.JSONDecoder\n\n    def __getstate__(self):\n        return None, {'decode': total}",
    "models.Order.total = total",
    "order = models.Order\norder.total = total",
]


@every_case("code", HOSTILE)
def test_a_change_of_a_class_of_others_is_held(code):
    found = judged(code)
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)


@every_case(
    "code",
    [
        "class A:\n    def f(self):\n        self.n = 1\n        self.cart.n = 2\n        type(self).count = 3",
        "class A:\n    @classmethod\n    def f(cls):\n        cls.known = {}",
        "class A:\n    def f(this):\n        this.__class__.count += 1",
        "class A:\n    def f(self):\n        object.__setattr__(self, 'n', 1)\n        super().__setattr__('m', 2)",
        "class A:\n    def f(self):\n        def inner():\n            self.n = 1\n        return inner",
        "def f(cart):\n    cart.items = []\n    setattr(cart, 'n', 1)\n    del cart.m",
        "def f():\n    found = Cart()\n    found.items = [Fraction(1)]\n    return found",
        "def f():\n    logger = logging.getLogger('a')\n    logger.propagate = False",
        "def f(function):\n    def inner():\n        return function()\n    inner.cache = {}\n    return inner",
        "def f(x):\n    return isinstance(x, json.JSONDecoder)",
        "def f(x):\n    return json.dumps(x, cls=json.JSONEncoder)",
        "def f():\n    d = json.JSONDecoder()\n    d.strict = False\n    return d",
    ],
)
def test_what_a_repair_sets_is_allowed(code):
    assert judged(code) == Judgement()


def test_names_that_are_bound_from_each_other_are_followed_in_little_time():
    names = [f"x{number}" for number in range(100)]
    code = "".join(f"{one}, {another} = {another}, {one}\n" for one in names for another in names[:20])
    start = time.process_time()
    assert judged(f"{code}\nx1 = json.JSONDecoder\nx99.decode = total").refused  # for its size alone
    assert time.process_time() - start < 2.5
    tree = ast.parse(f"{HOST}\n{code}\nx1 = json.JSONDecoder\nx99.decode = total\n")
    assert foreign_objects(tree, Origins(tree, lambda one: one.is_object)).found


def test_two_files_of_one_patch_are_read_together():
    sources = {"shop/code.py": HOST, "shop/models.py": "import json\n\n\nclass Order: pass\n"}
    new = {
        "shop/code.py": f"{HOST}\n\ndef put(x):\n    x.decode = total\n",
        "shop/models.py": f"{sources['shop/models.py']}\n\nput(json.JSONDecoder)\n",
    }
    assert judge(from_sources(sources, new), sources, Policy()).shown
    first = {"shop/code.py": new["shop/code.py"]}
    assert judge(from_sources(sources, first), sources, Policy()) == Judgement()


def with_host(new: str, old: str) -> Judgement:
    return judge(from_sources({"a.py": old}, {"a.py": new}), {"a.py": old}, Policy())


@every_case("call", ["assign(JSONDecoder, 'decode', f)", "f(one=JSONDecoder)", "f.put(JSONDecoder)"])
def test_a_class_of_the_library_is_given_to_nothing_unknown(call):
    old = "from json import JSONDecoder\nfrom shop.util import assign, f\n\n\n"
    assert with_host(f"{old}{call}\n", old).shown


@every_case(
    "call",
    [
        "parser.add_argument('x', type=Path)",
        "isinstance('x', Path)",
        "json.loads('1', cls=Path)",
        "f(Decimal)",
    ],
)
def test_a_class_of_the_library_may_be_given_to_what_is_known(call):
    old = "import json\nfrom pathlib import Path\nfrom decimal import Decimal\nfrom shop import f, parser\n\n"
    assert with_host(f"{old}{call}\n", old) == Judgement()


@every_case(
    "code",
    [
        "os.environ['HOME']",
        "os.environ.get('HOME')",
        "dict(os.environ, A='1')",
        "{**os.environ}",
        "'A' in os.environ",
        "[one for one in os.environ]",
        "os.environ.copy()",
        "len(sys.argv) > 2 and sys.argv[1]",
        "f'{os.environ}'",
    ],
)
def test_what_belongs_to_all_may_be_read(code):
    old = "import os, sys\n\n\n"
    assert with_host(f"{old}one = {code}\n", old) == Judgement()
