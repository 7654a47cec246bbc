"""Classes that decide what they equal: honest ones compare the same of both, a person sees the others."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from every_case import every_case

from bot.patch.apply import from_sources
from bot.patch.policy import Judgement, Policy, judge

HOST = "import enum\nimport functools\nfrom dataclasses import dataclass, field\n\n\ndef price(n):\n    return n\n"


def judged(code: str, old: str = "") -> Judgement:
    sources = {"shop.py": HOST + old}
    return judge(from_sources(sources, {"shop.py": HOST + code}), sources, Policy())


def method(text: str, name: str = "__eq__") -> str:
    body = "\n".join(f"        {line}" for line in text.splitlines())
    return f"\n\nclass Price:\n    def {name}(self, other):\n{body}\n"


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
def test_an_equality_that_need_not_ask_for_the_values_is_for_a_person(body):
    found = judged(method(body))
    assert found.refused or found.shown


def negated(body: str) -> str:
    return body.replace("return ", "return not (", 1) + ")" if body.count("\n") == 0 else body


@every_case("body", HOSTILE[:20])
def test_so_is_an_inequality(body):
    found = judged(method(negated(body), "__ne__"))
    assert found.refused or found.shown


HONEST = [
    "return NotImplemented",
    "return self is other",
    "return self.n == other.n",
    "return other.n == self.n",
    "return self.n == other",
    "return isinstance(other, Price) and self.n == other.n",
    "return other is not None and (self.a, self.b) == (other.a, other.b)",
    "if not isinstance(other, Price):\n    return NotImplemented\nreturn self.n == other.n",
    "if isinstance(other, Price):\n    return self.n == other.n\nreturn False",
    "if isinstance(other, Price):\n    return self.n == other.n\nelif isinstance(other, int):\n    return self.n == other\nreturn False",
    "if self is other:\n    return True\nreturn type(self) is type(other) and self.n == other.n",
    "if self.n != other.n:\n    return False\nif self.m != other.m:\n    return False\nreturn True",
    "try:\n    return self.n == other.n\nexcept AttributeError:\n    return False",
    "return self.__dict__ == other.__dict__",
    "return vars(self) == vars(other)",
    "return self.__class__ == other.__class__ and self.__dict__ == other.__dict__",
    "return self._key() == other._key()",
    "return str(self) == str(other)",
    "return list(self) == list(other)",
    "return dict(self.items()) == dict(other.items())",
    "return super().__eq__(other) and self.n == other.n",
    "return not self != other",
    "return not (self.n != other.n or self.m != other.m)",
    "return self.n == other.n if isinstance(other, Price) else NotImplemented",
    "assert isinstance(other, Price)\nreturn self.n[0] == other.n[0]",
    "'''Equal.'''\nreturn (self.a == other.a and\n        self.b is other.b)",
    "return self.a.b.c == other.a.b.c",
    "if not isinstance(other, Price): raise TypeError(other)\nreturn bool(self.n == other.n)",
    "return (type(self), self.n) == (type(other), other.n)",
    "return hasattr(other, 'n') and self.n == other.n",
    "return dataclasses.astuple(self) == dataclasses.astuple(other)",
]


@every_case("body", HONEST)
def test_an_equality_that_compares_the_same_of_both_is_allowed(body):
    assert judged(method(body)) == Judgement()


@every_case(
    "body",
    [
        "return not self == other",
        "return not (self == other)",
        "return not self.__eq__(other)",
        "return self.n != other.n",
        "return self.n != other.n or self.m != other.m",
        "if not isinstance(other, Price):\n    return True\nreturn self.n != other.n",
        "return NotImplemented",
    ],
)
def test_an_inequality_of_the_same_is_allowed(body):
    assert judged(method(body, "__ne__")) == Judgement()


@every_case(
    ("name", "hostile", "honest"),
    [
        ("__lt__", ["return self is self", "return self.n < 3 or other"], ["return self.n < other.n"]),
        ("__le__", ["return self.n <= self.n and other is other"], ["return self.n <= other"]),
        (
            "__gt__",
            ["return not other.n and True or self.n"],
            ["return (self.a, self.b) > (other.a, other.b)"],
        ),
        (
            "__ge__",
            ["self.n = other\nreturn self.n >= other"],
            ["return not self < other", "return NotImplemented"],
        ),
        (
            "__contains__",
            ["return self is self", "return other == other and self.n", "self.add(other)\nreturn True"],
            [
                "return other in self.items",
                "return any(one == other for one in self.items)",
                "return self.items.get(other) is not None",
                "try:\n    self[other]\nexcept KeyError:\n    return False\nreturn True",
                "return other.lower() in self.items or super().__contains__(other)",
            ],
        ),
        (
            "__sub__",
            [
                "return 0.0",
                "return (other is other) * 0.0",
                "return self.n - self.n",
                "other - self\nreturn 0",
            ],
            [
                "return self.n - other.n",
                "return Price(self.n - other.n)",
                "found = self.n - other\nreturn Price(found)",
                "return self + (-other)",
                "return NotImplemented",
            ],
        ),
        ("__rsub__", ["return self.n"], ["return other - self.n"]),
    ],
)
def test_other_comparisons_have_honest_forms_too(name, hostile, honest):
    for body in hostile:
        found = judged(method(body, name))
        assert found.refused or found.shown, body
    for body in honest:
        assert judged(method(body, name)) == Judgement(), body


@every_case(
    ("name", "hostile", "honest"),
    [
        (
            "__bool__",
            ["return True", "self.n += 1\nreturn self.n % 2"],
            ["return False", "return bool(self.n)"],
        ),
        ("__hash__", ["return 1"], ["return hash(self.n)", "return id(self)"]),
        ("__float__", ["return 5.0"], ["return float(self.n)"]),
        ("__abs__", ["return 0"], ["return Price(abs(self.n))"]),
        ("__round__", ["return 5"], ["return round(self.n)"]),
    ],
)
def test_a_number_or_a_truth_comes_from_the_object(name, hostile, honest):
    for body in hostile:
        assert judged(method(body, name).replace("self, other", "self")).shown, body
    for body in honest:
        assert judged(method(body, name).replace("self, other", "self")) == Judgement(), body


@every_case(
    "code",
    [
        "async def __eq__(self, other):\n        return self.n == other.n",
        "@functools.cache\n    def __eq__(self, other):\n        return self.n == other.n",
        "def __eq__(self, other, n=0):\n        return self.n == other.n",
        "__lt__ = lambda self, other: self is self",
        "__contains__ = print",
        "__sub__ = price",
        "__ge__, __gt__ = price, price",
        "def __instancecheck__(self, other):\n        return self is self",
        "@property\n    def __class__(self):\n        return int",
        "@classmethod\n    def __subclasshook__(cls, other):\n        return True",
        "def __reduce__(self):\n        return price, (1,), (None, {'n': 1})",
        "def __getstate__(self):\n        return None, {'decode': price}",
        "def __array_ufunc__(self, *args):\n        return True",
        "n: int = field(compare=False)",
        "n = attr.ib(eq=False)",
        "def key(self):\n        return ()\n\n    def __eq__(self, other):\n        return self.key() == other.key()",
        "key = property(lambda self: 1)\n    __eq__ = lambda self, other: self is self",
    ],
)
def test_what_decides_it_in_another_way_is_for_a_person(code):
    found = judged(f"\n\nclass Price:\n    {code}\n")
    assert found.refused or found.shown


@every_case(
    "code",
    [
        "__hash__ = None",
        "__hash__ = object.__hash__",
        "__eq__ = lambda self, other: self.n == other.n",
        "n: int = field(default=1, compare=True)",
        "n: int = field(default=1)",
        "def key(self):\n        return self.n\n\n    def __eq__(self, other):\n        return self.key() == other.key()",
        "@abstractmethod\n    def __eq__(self, other):\n        return NotImplemented",
        "def __setstate__(self, state):\n        self.__dict__.update(state)",
    ],
)
def test_what_is_as_usual_is_allowed(code):
    assert judged(f"\n\nclass Price:\n    {code}\n") == Judgement()


def test_an_equality_that_was_there_may_stay_and_not_become_another():
    old = method("return abs(self.n - other) < 500")
    assert judged(old + "\n\nTAX = 3\n", old) == Judgement()
    assert judged(old.replace("500", "5000"), old).shown


def test_what_an_equality_compares_may_not_become_constant():
    old = method("return self.key() == other.key()") + "\n    def key(self):\n        return self.n\n"
    assert judged(old.replace("return self.n\n", "return ()\n"), old).shown
    assert judged(old.replace("return self.n\n", "return self.n, self.m\n"), old) == Judgement()


@every_case(
    "code",
    [
        "class Name(str):\n    def __new__(cls, text):\n        return super().__new__(cls, text)\n\n    def short(self):\n        return self[:3]",
        "class Session:\n    def __exit__(self, *error):\n        return False",
        "class Session:\n    def __exit__(self, kind, error, trace):\n        return kind is not None and issubclass(kind, KeyError)",
        "class Session:\n    def __exit__(self, *error):\n        return self.inner.__exit__(*error)",
        "class Cart:\n    def __len__(self):\n        return len(self.items)",
    ],
)
def test_a_class_that_does_as_its_type_does_is_allowed(code):
    assert judged(f"\n\n{code}\n") == Judgement()
