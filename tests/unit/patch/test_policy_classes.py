"""Changes of classes: a person sees most changes of what they equal, hold and give.

Beside the classes of ``tests/golden/policy/classes.txt``, which are new.
"""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from every_case import every_case
from policy_support import Judgement, codes, judged
from sections import sections

FILES, *GROUPS = sections("policy/classes.txt")
HOST = FILES.parts["shop.py"]
(HOSTILE,) = (codes(one) for one in GROUPS if one.name == "an equality that need not ask for the values")


def changed(new: str, old: str) -> Judgement:
    return judged(f"{HOST}\n\n{new}", {"shop.py": f"{HOST}\n\n{old}"})


def is_held(new: str, old: str) -> bool:
    found = changed(new, old)
    assert not any("syntax" in why for why in found.refused)
    return bool(found.refused or found.shown)


def method(text: str, name: str = "__eq__") -> str:
    body = "\n".join(f"        {line}" for line in text.splitlines())
    return f"\n\nclass Price:\n    def {name}(self, other):\n{body}\n"


@every_case("body", HOSTILE)
def test_an_equality_that_is_changed_asks_for_the_values(body):
    assert is_held(method(body), method("return self.n == other.n"))
    assert is_held(method(body), method("return NotImplemented"))


def negated(body: str) -> str:
    return body.replace("return ", "return not (", 1) + ")" if body.count("\n") == 0 else body


@every_case("body", HOSTILE[:20])
def test_so_is_an_inequality(body):
    assert is_held(method(negated(body), "__ne__"), method("return self.n != other.n", "__ne__"))


ONE, BOTH = "return self.n == other.n", "return self.n == other.n and self.m == other.m"


@every_case(
    ("name", "old", "new"),
    [
        ("__eq__", "return self.n == self.m", BOTH),
        ("__eq__", "return other", "return isinstance(other, Price) and self.n == other.n"),
        ("__eq__", ONE, "return (self.n, self.m) == (other.n, other.m)"),
        ("__eq__", ONE, f"'Equal.'\nif not isinstance(other, Price):\n    return NotImplemented\n{ONE}"),
        ("__eq__", ONE, f"if type(self) is not type(other):\n    return False\n{ONE}"),
        ("__eq__", "return self.key() is other", "return self.key() == other.key()"),
        ("__eq__", "return self.a.b == 1", "return self.a.b.c == other.a.b.c"),
        ("__ne__", ONE, "return self.n != other.n or self.m != other.m"),
        ("__lt__", "return self.n > other.n", "return self.n < other.n"),
        ("__ge__", "return self.a > other.a", "return (self.a, self.b) >= (other.a, other.b)"),
        ("__contains__", "return True", "return other in self.items"),
        ("__getitem__", "return self.items[other + 1]", "return self.items[other]"),
    ],
)
def test_a_change_that_compares_the_same_of_both_and_no_less_is_allowed(name, old, new):
    assert changed(method(new, name), method(old, name)) == Judgement()


@every_case(
    ("name", "old", "new"),
    [
        ("__eq__", BOTH, ONE),
        ("__eq__", BOTH, f"if self.m != self.m:\n    return False\n{ONE}"),
        ("__eq__", BOTH, "return isinstance(other, self.m) and self.n == other.n"),
        ("__eq__", "return vars(self) == vars(other)", ONE),
        ("__eq__", "return str(self) == str(other)", ONE),
        ("__eq__", ONE, "return self.n >= other.n"),
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
    assert changed(method(new, name), method(old, name)).shown


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
        assert changed(method(body, name).replace("self, other", "self"), "").shown, body
    for body in honest:
        assert changed(method(body, name).replace("self, other", "self"), "") == Judgement(), body


def test_an_equality_that_was_there_may_stay_and_not_become_another():
    old = method("return abs(self.n - other) < 500")
    assert changed(old + "\n\nTAX = 3\n", old) == Judgement()
    assert changed(old.replace("500", "5000"), old).shown


MADE = """class Price:
    def __init__(self, amount, unit=()):
        self.amount, self.unit = amount, unit
        self.note = None

    def key(self):
        return self.amount

    def __eq__(self, other):
        return self.key() == other.key() and self.unit == other.unit
"""


@every_case(
    ("old", "new"),
    [
        (
            "        self.note",
            "        if amount < 0:\n            raise ValueError(amount)\n        self.note",
        ),
        ("        self.note", "        'What it costs.'\n        self.note"),
        ("    def key", "    def tax(self):\n        return 5\n\n    def key"),
    ],
)
def test_errors_and_other_methods_of_a_compared_class_may_change(old, new):
    assert changed(MADE.replace(old, new), MADE) == Judgement()


@every_case(
    ("old", "new"),
    [
        ("= amount, unit", "= 0, unit"),
        ("= amount, unit", "= amount, amount"),
        ("amount, unit\n", "amount, list(unit or [])\n"),
        ("unit=()", "unit=None"),
        ("        self.amount", "        amount = 0\n        self.amount"),
        ("return self.amount", "return ()"),
        ("return self.amount", "return self.amount * 0"),
        ("    def key", "    @property\n    def unit(self):\n        return 5\n\n    def key"),
        ("    def key", "    unit = property(lambda self: 5)\n\n    def key"),
        ("self.note = None", "self.note = None\n        self.amount = 0"),
        ("self.note = None", "self.note = vars(self).update(amount=0)"),
        ("class Price:", "class Price(Base):"),
        ("class Price:", "class Price(metaclass=ABCMeta):"),
        ("class Price:", "@total_ordering\nclass Price:"),
        ("class Price:", "@wide\nclass Price:"),
        (MADE, f"{MADE}\n\ndef Price(amount):\n    return 5\n"),
        (MADE, f"{MADE}\n\nPrice = int\n"),
        (MADE, f"{MADE}\n\nif norm:\n    def Price(n):\n        return 5\n"),
        (MADE, f"{MADE}\n\ndef f():\n    global Price\n    Price = int\n"),
        (MADE, "def Price(amount):\n    return 5\n"),
        (MADE, "Price: type = norm\n"),
        (MADE, f"{MADE}\n\nclass Part(Price):\n    def __init__(self, n):\n        self.amount = 0\n"),
    ],
)
def test_what_makes_another_class_of_a_compared_one_is_for_a_person(old, new):
    assert changed(MADE.replace(old, new), MADE).shown


def test_a_class_may_go_on_comparing_a_part_and_an_error_may_get_another_kind():
    old = "class Price:\n    def __init__(self, n):\n        self.n = 0\n\n    def __eq__(self, other):\n        return self.n == other.n\n"
    assert changed(f"{old}\n\nTAX = 3\n", old) == Judgement()
    assert changed("class Gone(KeyError):\n    pass\n", "class Gone(Exception):\n    pass\n") == Judgement()
    assert changed("class Gone(int):\n    pass\n", "class Gone(Exception):\n    pass\n").shown


MANY = "class Missing(OSError, LookupError, ValueError):\n    def name(self):\n        return self.args[{}]"


def test_an_error_of_many_classes_is_shown_where_it_becomes_one():
    assert not is_held(MANY.format(0), MANY.format(1))
    assert is_held(MANY.format(0), MANY.format(0).replace("OSError, ", ""))
    assert is_held(MANY.format(0), "")
