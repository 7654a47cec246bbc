"""A dangerous module that another file of the project imports under another name."""

from every_case import every_case
from policy_support import judged

OTHER = "import os as o\nimport subprocess as sp\nfrom os import remove as gone\nimport math as m\n"
OLD = "import shop2\n\n\ndef total(x):\n    return x - 1\n"


def refused(new, old=OLD):
    return judged(new, {"shop.py": old, "shop2.py": OTHER}).refused


@every_case(
    ("statement", "use", "what"),
    [
        ("from shop2 import o", "o.system('id')", "os"),
        ("from shop2 import o as q", "q.system('id')", "os"),
        ("from shop2 import sp", "sp.run(['id'])", "subprocess"),
        ("from shop2 import gone", "gone('a')", "os.remove"),
        ("import shop2", "shop2.o.system('id')", "os"),
        ("import shop2 as other", "other.sp.run(['id'])", "subprocess"),
    ],
)
def test_it_is_refused_by_its_other_name(statement, use, what):
    found = refused(f"{statement}\n\n\ndef total(x):\n    {use}\n    return x + 1\n")
    name = {"os": "o", "subprocess": "sp", "os.remove": "gone"}[what]
    assert f"shop.py: new use of {what}, which shop2.py calls {name}" in found


@every_case(
    "new",
    [
        OLD.replace("x - 1", "x + 1"),
        OLD.replace("x - 1", "shop2.total(x)"),
        OLD.replace("x - 1", "shop2.m.floor(x)"),
        OLD.replace("x - 1", "x.o"),
    ],
)
def test_other_names_are_as_before(new):
    assert refused(new) == ()


def test_what_the_file_used_already_may_be_used():
    old = "from shop2 import o\n\n\ndef total(x):\n    return o.path.join(x, 'a')\n"
    assert refused(old.replace("'a'", "'b'"), old) == ()
