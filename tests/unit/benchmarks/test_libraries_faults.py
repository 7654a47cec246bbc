"""Faults of one token: which there are, that they are programs, and that a seed decides which comes first."""

import ast

from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.libraries.faults import drawn, faults

PROGRAM = b'''"""Doc."""
def f(a, b, *rest):
    if a < b and not a:
        return g(a, b) + 1
    label = "n" + "m"
    if a is not \\
            b or a not in rest or True:
        return label
    return a - b if (a) == (b) else 0x10
'''


def lines(source):
    """Each fault as its kind and the changed line."""
    for fault in faults("m.py", source):
        changed = fault.apply(source).decode().splitlines()
        yield fault.kind, changed[fault.line - 1].strip()


@every_case(
    ("line", "expected"),
    [
        ("a == b", {("comparison flipped", "a != b")}),
        ("a is not b", {("comparison flipped", "a is b")}),
        ("a not  in b", {("comparison flipped", "a in b")}),
        ("a <= b", {("comparison flipped", "a >= b"), ("boundary off by one", "a < b")}),
        ("(a) > (b)", {("comparison flipped", "(a) < (b)"), ("boundary off by one", "(a) >= (b)")}),
        ("a or b", {("and and or swapped", "a and b")}),
        ("not a", {("not dropped", "a")}),
        ("a + b", {("plus and minus swapped", "a - b")}),
        ("a + 'x'", set()),
        ("a + 9", {("plus and minus swapped", "a - 9"), ("constant changed", "a + 10")}),
        ("x = False", {("constant changed", "x = True")}),
        ("0x10, 1.5, 'a', b'b', None", set()),
        ("f(a, b.c, d)", {("arguments swapped", "f(b.c, a, d)")}),
        ("f(a, a)", set()),
        ("f(*a, b)", set()),
        ("a < b < c", set()),
        ("ä == b", {("comparison flipped", "ä != b")}),
    ],
)
def test_each_kind_changes_its_token_and_nothing_else(line, expected):
    assert set(lines(line.encode() + b"\n")) == expected


def test_only_wanted_lines_get_faults():
    found = list(drawn({"m.py": PROGRAM, "n.py": PROGRAM}, {"m.py": {3}, "gone.py": {1}}, seed="1"))
    assert {(fault.path, fault.line) for fault in found} == {("m.py", 3)}
    assert len(found) == 4


@given(st.text(max_size=5))
@settings(max_examples=20)
def test_a_seed_decides_the_order_and_every_fault_comes_once_and_is_another_program(seed):
    order = list(drawn({"m.py": PROGRAM}, {"m.py": range(1, 20)}, seed=seed))
    assert order == list(drawn({"m.py": PROGRAM}, {"m.py": range(1, 20)}, seed=seed))
    assert sorted(order, key=repr) == sorted(faults("m.py", PROGRAM), key=repr)
    assert all(ast.dump(ast.parse(one.apply(PROGRAM))) != ast.dump(ast.parse(PROGRAM)) for one in order)


@every_case("source", [b"def f(:\n", b"\xff\n", b"x = 1\0\n", b"(" * 500 + b")" * 500])
def test_what_is_no_program_has_no_faults(source):
    assert not list(faults("m.py", source))
