"""What ``from package import name`` brings is a module, unless a file says that it is something else."""

import pytest
from policy_support import Judgement, judged

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge

CODE = """from shop import models
from shop.stock import level
from . import tax
from .prices import Price


"""
OTHERS = {
    "shop/__init__.py": "def tax():\n    return 1\n",
    "shop/models.py": "",
    "shop/stock.py": "def level():\n    return 1\n",
    "shop/prices.py": "class Price:\n    pass\n",
}


def printed(name: str, others: dict[str, str]) -> Judgement:
    """What the policy says of code that hands ``name`` on."""
    return judged(f"{CODE}print({name})\n", {"shop/code.py": CODE, **others})


@pytest.mark.parametrize("others", [OTHERS, {}, {"shop/__init__.py": ""}], ids=["all", "none", "package"])
def test_a_module_is_for_a_person_wherever_the_policy_is_applied(others):
    assert printed("models", others).shown == ("shop/code.py: the module models is handed on as a value",)


@pytest.mark.parametrize(
    ("name", "witness"),
    [("level", "shop/stock.py"), ("tax", "shop/__init__.py"), ("Price", "shop/prices.py")],
)
def test_a_function_is_known_by_the_file_that_defines_it(name, witness):
    assert printed(name, OTHERS) == Judgement(witnesses=(witness,))
    assert printed(name, {witness: OTHERS[witness]}) == Judgement(witnesses=(witness,))
    assert printed(name, {}).shown
    assert printed(name, {witness: "import os\n"}).shown


def test_what_a_package_hands_on_is_known_by_where_it_comes_from():
    package = {"shop/__init__.py": "from .stock import level as models\nfrom . import stock as tax\n"}
    assert printed("models", {**package, "shop/stock.py": "def level():\n    return 1\n"}) == Judgement(
        witnesses=("shop/__init__.py", "shop/stock.py")
    )
    assert printed("tax", {**OTHERS, **package}).shown


def test_a_module_is_one_although_its_package_binds_the_name_and_its_file_is_not_read():
    """The proposal says which files are read where it is published."""
    sources = {"shop/code.py": CODE, "shop/__init__.py": OTHERS["shop/__init__.py"]}
    patch = from_sources(sources, {"shop/code.py": f"{CODE}print(tax)\n"})
    assert not judge(patch, sources, Policy()).shown
    assert judge(patch, sources, Policy(), paths=("shop/tax.py",)).shown
