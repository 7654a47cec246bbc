"""A project whose every kind of code is changed by a candidate, and what each candidate turns red."""

from sections import sections

FILES = sections("quick.txt")[0].parts
SHOP, TESTS = FILES["shop.py"], FILES["test_shop.py"]
PREFIX = "test_shop.py::"
NAMES = [line.split("def ")[1].split("(")[0] for line in TESTS.splitlines() if "def test_" in line]
ALL = [f"{PREFIX}TestOld::{name}" if name == "test_secret" else f"{PREFIX}{name}" for name in NAMES]
# What is replaced, by what, and which tests fail then; None where the module cannot be imported.
CANDIDATES = [
    ("n * RATE - extra", "n * RATE + extra + 1", ["price", "fixed_price"]),
    (
        "    return n * RATE - extra",
        "    n += 1\n    del extra\n    return n * RATE",
        ["price", "fixed_price"],
    ),
    ("RATE = 2", "RATE = 3", ["price", "fixed_price"]),
    ("extra=0", "extra=1", ["price", "fixed_price"]),
    ("What n cost.", "The cost.", ["doc"]),
    ("return 1\n", "return 2\n", ["started"]),
    ("(*arguments) * 2", "(*arguments) * 3", ["quadrupled"]),
    ("@twice\n@twice\n", "@twice\n", ["quadrupled"]),
    ("quadrupled(n):\n    return n\n", "quadrupled(n):\n    return n + 1\n", ["quadrupled"]),
    ("return n + 1", "return n + 2", ["cached"]),
    ("return n + m", "return n - m", ["adder", "add_three"]),
    ("adder(3)", "adder(4)", ["add_three"]),
    ("yield i", "yield i + 1", ["numbers"]),
    ("    for i in range(n):\n        yield i", "    return list(range(n))", ["numbers_come_late"]),
    ("later(n):\n    return n", "later(n):\n    return -n", ["later"]),
    ("async def later(n):\n    return n", "def later(n):\n    yield\n    return n", ["later"]),
    ('"base"', '"bass"', ["name"]),
    ('.name() + "!"', '.name() + "?"', ["name"]),
    ("class Shop(Base)", "class Shop", ["name"]),
    ("limit = 3", "limit = 4", ["size"]),
    ("return self.limit", "return self.limit + 1", ["size"]),
    ("    @property\n", "", ["size"]),
    ("return 0", "return 1", ["free", "table"]),
    ("return cls()", "return None", ["build"]),
    ("return self.__secret", "return self.__secret + 1", ["secret"]),
    ("yield n + 5", "yield n + 6", ["opened"]),
    ('return "other"', 'return "none"', ["kind"]),
    ('return "int"', 'return "number"', ["kind"]),
    ("kind.register(int)", "kind.register(float)", ["kind"]),
    ("count += 1", "count += 2", ["counter"]),
    ("        nonlocal count\n        count += 1\n        return count", "        return 1", ["counter"]),
    ("return len(seen)", "return len(seen) + 1", ["remembered"]),
    ("seen=[]", "seen=[0]", ["remembered"]),
    ("return 90", "return 91", ["width"]),
    ("cost: int = 8", "cost: int = 9", ["item"]),
    ("self.cost * 2", "self.cost * 3", ["item"]),
    ("dataclasses.dataclass\n", "dataclasses.dataclass(init=False)\n", ["item"]),
    ("name.lower()", "name.upper()", ["label", "table"]),
    ("RED = 1", "BLUE = 1", None),
    ('"free": Shop.free', '"free": Shop.build', ["table"]),
    ("(price, 5)", "(price, 6)", ["fixed_price"]),
    ("last = 100", "last = 200", ["tickets"]),
    ('"apples"] = 12', '"apples"] = 13', ["stock"]),
    ('"""A shop."""\n', '"""A shop."""\n\n\n# moved\n', []),
]
