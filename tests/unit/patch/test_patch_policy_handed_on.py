"""A dangerous module that another file of the project imports under another name."""

from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.patch.policy.gate import Policy, judge

OTHER = "import os as o\nimport subprocess as sp\nfrom os import remove as gone\nimport math as m\n"
OLD = "import shop2\n\n\ndef total(x):\n    return x - 1\n"


def judged(new, **others):
    sources = {"shop.py": OLD, "shop2.py": OTHER, **others}
    edit = SpanEdit(path="shop.py", start=0, end=len(OLD), replacement=new)
    return judge(Patch(edits=(edit,)), sources, Policy())


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
    found = judged(f"{statement}\n\n\ndef total(x):\n    {use}\n    return x + 1\n")
    name = {"os": "o", "subprocess": "sp", "os.remove": "gone"}[what]
    assert f"shop.py: new use of {what}, which shop2.py calls {name}" in found.refused


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
    assert judged(new).refused == ()


def test_what_the_file_used_already_may_be_used():
    old = "from shop2 import o\n\n\ndef total(x):\n    return o.path.join(x, 'a')\n"
    edit = SpanEdit(path="shop.py", start=old.index("'a'"), end=old.index("'a'") + 3, replacement="'b'")
    assert judge(Patch(edits=(edit,)), {"shop.py": old, "shop2.py": OTHER}, Policy()).refused == ()
