"""Changes of what classes are compared by: from outside of them, and by other annotations."""

from every_case import every_case
from policy_support import Judgement
from policy_support import judged as judged_in
from sections import sections

HOST = sections("policy/classes.txt")[0].parts["shop.py"]


def judged(code: str, old: str = "") -> Judgement:
    return judged_in(f"{HOST}\n\n{code}", {"shop.py": f"{HOST}\n\n{old}"})


MADE = """class Price:
    def __init__(self, amount, unit=()):
        self.amount, self.unit = amount, unit
        self.note = None

    def key(self):
        return self.amount

    def __eq__(self, other):
        return self.key() == other.key() and self.unit == other.unit
"""


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
