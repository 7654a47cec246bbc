"""Classes: a person sees what is new in what they equal, hold and give, and most changes of that."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

FILES, *CLASSES = sections("policy_classes.txt")
HOST = FILES.parts["shop.py"]


def judged(code: str, old: str = "") -> Judgement:
    sources = {"shop.py": f"{HOST}\n\n{old}"}
    return judge(from_sources(sources, {"shop.py": f"{HOST}\n\n{code}"}), sources, Policy())


def is_held(code: str, old: str = "") -> bool:
    found = judged(code, old)
    assert not any("syntax" in why for why in found.refused)
    return bool(found.refused or found.shown)


def method(text: str, name: str = "__eq__") -> str:
    body = "\n".join(f"        {line}" for line in text.splitlines())
    return f"\n\nclass Price:\n    def {name}(self, other):\n{body}\n"


@every_case("one", [one for one in CLASSES if one.facts["kind"] == "hostile"])
def test_a_class_that_may_answer_anything_is_held(one):
    assert is_held(one.parts["code"])


@every_case("one", [one for one in CLASSES if one.facts["kind"] == "honest"])
def test_a_class_that_gives_what_it_holds_is_allowed(one):
    assert judged(one.parts["code"]) == Judgement()


HOSTILE = [
    "return self is self",
    "return self is self and other is not None",
    "return self.n is self.n or other",
    "return (self, other) is not None",
    "return bool(self) or other == 3 * self.n",
    "return abs(self.n - other) < 500",
    "return self.n >= other",
    "return self.n == other or other > 0",
    "return not self.n != self.n",
    "return type(self) == type(other)",
    "return isinstance(other, type(self)) and self is not other",
    "return len(str(self)) == len(str(other))",
    "return hash(self) == hash(other)",
    "return self.n[:0] == other.n[:0]",
    "return self.n * 0 == other * 0",
    "return self.imag == other.imag",
    "return self.denominator == other.denominator",
    "return self.bit_length() == other.bit_length()",
    "return self.key(0) == other.key(0)",
    "return all(a == b for a, b in zip(self, other))",
    "self.n = other\nreturn self.n == other",
    "if self.learn(other):\n    return False\nreturn self.n == other",
    "return self.learn(other) or self.n == other",
    "return (self := other) == other",
    "other = self\nreturn self.n == other.n",
    "for _ in ():\n    return self.n == other.n\nreturn True",
    "try:\n    return self.n == other.n\nexcept AttributeError:\n    return True",
    "with other:\n    return self.n == other.n\nreturn True",
    "if self.n == other.n:\n    pass\nreturn True",
    "if isinstance(other, int):\n    return True\nreturn self.n == other.n",
    "if self.n != other.n:\n    return True\nreturn False",
    "return self.same(other)",
    "return same(self, other)",
    "return self.n == other.n if isinstance(other, Price) else self",
    "return {True: other}[True] is other and self.n is not None",
    "yield self.n == other.n",
    "return self.kind == other.kind == 3",
    "return Price == Price and self.n == self.n and other == other",
    "return self.__class__ == other.__class__",
    "return (type(self), 1) == (type(other), 1)",
    "return vars(Price) == vars(Price) or self.n == other",
    "import operator\nreturn operator.eq(self.n, self.n) and other is not self",
]


@every_case("body", HOSTILE)
def test_an_equality_that_need_not_ask_for_the_values_is_held(body):
    assert is_held(method(body))
    assert is_held(method(body), method("return self.n == other.n"))
    assert is_held(method(body), method("return NotImplemented"))


def negated(body: str) -> str:
    return body.replace("return ", "return not (", 1) + ")" if body.count("\n") == 0 else body


@every_case("body", HOSTILE[:20])
def test_so_is_an_inequality(body):
    assert is_held(method(negated(body), "__ne__"), method("return self.n != other.n", "__ne__"))


@every_case(
    ("name", "old", "new"),
    [
        ("__eq__", "return self.n == self.m", "return self.n == other.n and self.m == other.m"),
        ("__eq__", "return other", "return isinstance(other, Price) and self.n == other.n"),
        ("__eq__", "return self.n == other.n", "return (self.n, self.m) == (other.n, other.m)"),
        (
            "__eq__",
            "return self.n == other.n",
            "'Equal.'\nif not isinstance(other, Price):\n    return NotImplemented\nreturn self.n == other.n",
        ),
        (
            "__eq__",
            "return self.n == other.n",
            "if type(self) is not type(other):\n    return False\nreturn self.n == other.n",
        ),
        ("__eq__", "return self.key() is other", "return self.key() == other.key()"),
        ("__eq__", "return self.a.b == 1", "return self.a.b.c == other.a.b.c"),
        ("__ne__", "return self.n == other.n", "return self.n != other.n or self.m != other.m"),
        ("__lt__", "return self.n > other.n", "return self.n < other.n"),
        ("__ge__", "return self.a > other.a", "return (self.a, self.b) >= (other.a, other.b)"),
        ("__contains__", "return True", "return other in self.items"),
        ("__getitem__", "return self.items[other + 1]", "return self.items[other]"),
    ],
)
def test_a_change_that_compares_the_same_of_both_and_no_less_is_allowed(name, old, new):
    assert judged(method(new, name), method(old, name)) == Judgement()


@every_case(
    ("name", "old", "new"),
    [
        ("__eq__", "return self.n == other.n and self.m == other.m", "return self.n == other.n"),
        (
            "__eq__",
            "return self.n == other.n and self.m == other.m",
            "if self.m != self.m:\n    return False\nreturn self.n == other.n",
        ),
        (
            "__eq__",
            "return self.n == other.n and self.m == other.m",
            "return isinstance(other, self.m) and self.n == other.n",
        ),
        ("__eq__", "return vars(self) == vars(other)", "return self.n == other.n"),
        ("__eq__", "return str(self) == str(other)", "return self.n == other.n"),
        ("__eq__", "return self.n == other.n", "return self.n >= other.n"),
        ("__ne__", "return self.n != other.n", "return self.n != other.n and self.m != other.m"),
        ("__lt__", "return self.n < other.n", "return self.n > other.n"),
        ("__contains__", "return other in self.items", "return other in [*self.items, other]"),
        ("__getitem__", "return self.items[other]", "return other"),
        ("__add__", "return Price(self.n + other.n)", "return Price(self.n - other.n)"),
        ("__sub__", "return self.n - other.n", "return 0.0"),
        ("__array_ufunc__", "return NotImplemented", "return True"),
        ("__eq__", "return NotImplemented", "return () == ()"),
        ("__eq__", "return NotImplemented", "return self == self"),
    ],
)
def test_another_change_of_what_decides_is_for_a_person(name, old, new):
    assert judged(method(new, name), method(old, name)).shown


@every_case(
    ("name", "hostile", "honest"),
    [
        ("__bool__", ["return True", "self.n += 1\nreturn self.n % 2"], ["return bool(self.n)"]),
        (
            "__hash__",
            ["return 1", "return hash(1)"],
            ["return hash(self.n)", "return hash((self.n, self.m))"],
        ),
        ("__len__", ["return 3", "return len(self.n[:0])"], ["return len(self.items)"]),
        ("__iter__", ["return self", "return iter([5])"], ["return iter(self.__dict__.items())"]),
        ("__float__", ["return 5.0", "return float(self.n)"], []),
        ("__abs__", ["return 0"], []),
        ("__round__", ["return 5"], []),
        ("__rsub__", ["return self.n"], []),
    ],
)
def test_a_new_method_gives_what_its_object_holds_or_is_for_a_person(name, hostile, honest):
    for body in hostile:
        assert judged(method(body, name).replace("self, other", "self")).shown, body
    for body in honest:
        assert judged(method(body, name).replace("self, other", "self")) == Judgement(), body


@every_case(
    "code",
    [
        "async def __eq__(self, other):\n        return self.n == other.n",
        "@functools.cache\n    def __hash__(self):\n        return hash(self.n)",
        "@cached\n    def __init__(self):\n        self.n = 1",
        "def __eq__(self, other, n=0):\n        return self.n == other.n",
        "__lt__ = lambda self, other: self is self",
        "__contains__ = print",
        "__sub__ = norm",
        "__init__ = norm",
        "__ge__, __gt__ = norm, norm",
        "def __instancecheck__(self, other):\n        return self is self",
        "@property\n    def __class__(self):\n        return int",
        "@classmethod\n    def __subclasshook__(cls, other):\n        return True",
        "def __init_subclass__(cls):\n        pass",
        "def __reduce__(self):\n        return norm, (1,), (None, {'n': 1})",
        "def __getstate__(self):\n        return None, {'decode': norm}",
        "n: int = field(compare=False)",
        "n = attr.ib(eq=False)",
        "n: int = field(**options)",
        "def __eq__(self, other, /): return other < 1000",
        "def __eq__(self, *others): return others[0] < 1000",
        "__eq__: object = lambda self, other: other < 1000",
        "__eq__, one = (lambda self, other: other < 1000), 1",
        "(__eq__ := lambda self, other: other < 1000)",
        "(__eq__ := lambda self, other: other < 1000) == 1",
        "for __eq__ in [lambda self, other: other < 1000]: pass",
        "with open(lambda self, other: other < 1000) as __eq__: pass",
        "from shop import norm as __eq__",
        "__eq__ = int.__ge__",
        "__ne__ = print",
        "__slots__ = ('__eq__',)",
        "def __exit__(self, *error):\n        return True",
        "def __exit__(self, *error):\n        return self.inner.__exit__(*error)",
    ],
)
def test_what_decides_it_in_another_way_is_held(code):
    assert is_held(f"class Price:\n    {code}\n")


@every_case(
    "code",
    [
        "class A(int):\n    def __eq__(self, other):\n        return type(other) is int",
        "class A(str):\n    def __eq__(self, o):\n        return o is o",
        "class A:\n    def __eq__(self, o):\n        return o.x == o.x",
        "class A(int):\n    def __ne__(self, o):\n        return False",
        "class A:\n    pass\n\n\nA.__eq__ = lambda s, o: True",
        "class A:\n    pass\n\n\nsetattr(A, '__eq__', lambda s, o: True)",
        "A = type('A', (), {'__eq__': lambda s, o: True})",
        "A = type('A', (), dict(__eq__=lambda s, o: True))",
        "class Near(int):\n    def __eq__(self, other):\n        return abs(other - int(self)) < 500",
        "class Near(float):\n    def __rsub__(self, other):\n        return 0.0",
        "class Near(str):\n    def __len__(self):\n        return len(self.items)",
        "class Near(str):\n    def strip(self):\n        return self",
        "class Near:\n    def __eq__(self, other):\n        return other in (5, 7)",
        "def __eq__(self, other):\n    return True",
        "def __getattr__(name):\n    return 5",
    ],
)
def test_other_ways_to_a_class_that_equals_anything_are_held(code):
    assert is_held(f"{code}\n")


@every_case(
    "code",
    [
        "class Price:\n    n: int = field(default=1, compare=True)",
        "class Price:\n    n: int = field(default=1)\n    m: list = field(default_factory=list)",
        "class Price:\n    def __setstate__(self, state):\n        self.__dict__.update(state)",
        "class Price:\n    __slots__ = ('n',)\n\n    def __repr__(self):\n        return 'Price'\n\n    __str__ = __repr__",
        "class Price(Exception):\n    def __init__(self, n):\n        self.n = n",
        "class Session:\n    def __exit__(self, *error):\n        return False",
        "@dataclass(frozen=True)\nclass Price:\n    n: int = 0\n    m: str = ''",
        "__version__ = '1'\n__all__ = ['Price']",
        "def f(n):\n    return hasattr(n, '__len__') and getattr(n, '__name__', None)",
    ],
)
def test_what_is_as_usual_is_allowed(code):
    assert judged(f"{code}\n") == Judgement()


def test_an_equality_that_was_there_may_stay_and_not_become_another():
    old = method("return abs(self.n - other) < 500")
    assert judged(old + "\n\nTAX = 3\n", old) == Judgement()
    assert judged(old.replace("500", "5000"), old).shown
