"""Which names a text uses, and what hides them."""

from every_case import every_case

from bot.patch.policy.names.dotted_names import Use, imported_modules, references
from bot.patch.syntax import parsed


def named(text):
    return {name for reference in references(parsed(text)) for name in reference.names}


def test_names_are_seen_through_imports_aliases_and_getattr():
    text = (
        "import a.b\nimport c.d as e\nfrom f import g as h, i\nfrom . import j\nfrom .k import l\n"
        "a.x\ne.x\nh.x\ni\nj\nl\nprint\ngetattr(a, 'y', 0).z\nvars(a)['v']\na.__dict__['w']\nf().q\n"
    )
    assert sorted(imported_modules(parsed(text))) == [
        *(("", "j", 1), ("a.b", "", 0), ("c.d", "", 0), ("f", "g", 0), ("f", "i", 0), ("k", "l", 1))
    ]
    wanted = {"a.x", "c.d.x", "f.g.x", "f.i", ".j", ".l", "builtins.print", "a.y.z", "a.v", "a.w", ".q"}
    assert wanted <= named(text)


@every_case(
    ("text", "use"),
    [
        ("getattr(a, b)", Use.COMPUTED),
        ("getattr(a, 'x' + b)", Use.COMPUTED),
        ("getattr(a, 'x' + 'y')", Use.JOINED),
        ("getattr(a, ''.join(['x', 'y']))", Use.JOINED),
        ("getattr(a, '__x' + b)", Use.JOINED),
        ("setattr(a, 'b', 1)", Use.STORED),
        ("a.b = 1", Use.STORED),
        ("del a.b", Use.STORED),
        ("from a import *", Use.STARRED),
    ],
)
def test_what_is_done_with_a_name(text, use):
    assert use in {reference.use for reference in references(parsed(text))}


@every_case(
    ("text", "hidden"),
    [
        ("def f(eval): eval('1')", True),
        ("def f():\n  eval = 1\n  def g(): eval('1')", True),
        ("[eval('1') for eval in x]", True),
        ("lambda eval: eval('1')", True),
        ("def eval(x): pass\neval('1')", True),
        ("from re import compile as eval\neval('1')", True),
        ("class A:\n  def eval(self): pass\n  x = eval('1')", False),
        ("class A:\n  eval = 1\n  def f(self): eval('1')", False),
        ("def f(x=eval('1'), eval=1): pass", False),
        ("if x:\n  eval = 1\neval('1')", False),
        ("if x:\n  from re import compile as eval\neval('1')", False),
        ("def g(eval): pass\neval('1')", False),
        ("def f():\n  global eval\n  eval('1')", False),
        ("x = [eval for eval in y]\neval('1')", False),
    ],
)
def test_a_builtin_is_hidden_by_what_surely_hides_it(text, hidden):
    assert ("builtins.eval" not in named(text)) is hidden
