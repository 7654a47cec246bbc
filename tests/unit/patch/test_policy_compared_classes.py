"""Changes of classes that are compared: what may change, and what makes another class of one."""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

HOST = sections("policy_classes.txt")[0].parts["shop.py"]


def judged(code: str, old: str = "") -> Judgement:
    sources = {"shop.py": f"{HOST}\n\n{old}"}
    return judge(from_sources(sources, {"shop.py": f"{HOST}\n\n{code}"}), sources, Policy())


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
    assert judged(MADE.replace(old, new), MADE) == Judgement()


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
    assert judged(MADE.replace(old, new), MADE).shown


FORGETS = "    def same(self):\n        return self\n"
BASKET = f"class Basket(dict):\n{FORGETS}"
NEAR = f"""EPS = 1e-9


{MADE.replace("self.key() == other.key()", "abs(near(self.amount) - near(other.amount)) < EPS * self.SCALE")}
    SCALE = 1


def near(amount):
    return amount
"""
MIXED = "class Base:\n    pass\n\n\n@dataclass\nclass Price(Base):\n    amount: int\n"
SHOWN = """class Price:
    def __repr__(self):
        return f"Price({self.amount})"

    def __eq__(self, other):
        return f"{self}" == f"{other}"
"""
MODEL = "class Price(BaseModel):\n    amount: int\n"


@every_case(
    ("was", "old", "new"),
    [
        (NEAR, "1e-9", "1e9"),
        (NEAR, "SCALE = 1", "SCALE = 10 ** 9"),
        (NEAR, "return amount\n", "return 0\n"),
        (NEAR, "def near(amount):\n    return amount\n", "from shop.other import nothing as near\n"),
        (MIXED, "    pass", "    def __post_init__(self):\n        self.amount = 0"),
        (SHOWN, "Price({self.amount})", "Price"),
        *(
            (BASKET, FORGETS, f"{FORGETS}\n    def {name}(self, *given):\n        pass\n")
            for name in ("__setitem__", "update", "setdefault")
        ),
        (
            MODEL,
            "int\n",
            "int\n\n    @field_validator('amount')\n    def forget(cls, n):\n        return 0\n",
        ),
        (MODEL, "int", "Annotated[int, BeforeValidator(norm)]"),
        (MIXED, "int", "Literal[0]"),
        (MIXED, "int", "bool"),
    ],
)
def test_what_makes_objects_equal_from_outside_is_for_a_person(was, old, new):
    assert old in was
    assert judged(was.replace(old, new), was).shown


@every_case(
    ("old", "new"),
    [
        ("amount: int", "amount: float"),
        ("amount: int", "amount: int | None"),
        ("amount: int", "amount: int\n    paid: bool = False"),
        ("unit: Literal[1]", "unit: Literal[1, 2]"),
    ],
)
def test_another_annotation_is_allowed(old, new):
    was = f"class Price:\n    {old}\n"
    assert judged(was.replace(old, new), was) == Judgement()


def test_a_class_may_go_on_comparing_a_part_and_an_error_may_get_another_kind():
    old = "class Price:\n    def __init__(self, n):\n        self.n = 0\n\n    def __eq__(self, other):\n        return self.n == other.n\n"
    assert judged(f"{old}\n\nTAX = 3\n", old) == Judgement()
    assert judged("class Gone(KeyError):\n    pass\n", "class Gone(Exception):\n    pass\n") == Judgement()
    assert judged("class Gone(int):\n    pass\n", "class Gone(Exception):\n    pass\n").shown
