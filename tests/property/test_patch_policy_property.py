"""Whatever expression does harm, and wherever it stands in whatever program: the policy lets none through."""

import ast

from hypothesis import given
from hypothesis import strategies as st
from policy_corpus import HOST, OTHERS
from policy_fixes import harmless
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge
from examples import examples

# Modules, names, and ways to hand a value on or to read an attribute of it. Those that are "taken" need no
# name: only what a module holds is harm by itself.
HARMS = {name: part.splitlines() for name, part in sections("policy_harms.txt")[0].parts.items()}


def handed(inner):
    return st.builds(lambda way, one: way.format(one), st.sampled_from(HARMS["handed"]), inner)


def read(value, name):
    half = max(1, len(name) // 2)
    return st.sampled_from(HARMS["read"]).map(lambda way: way.format(value, name, name[:half], name[half:]))


@st.composite
def harms(draw):
    """An expression that reaches what it must not, put together from ways to say it; and its imports."""
    kind = draw(st.sampled_from(["module", "frame", "builtin", "known"]))
    imports = "import functools, operator\n"
    if kind == "known":
        known = draw(st.sampled_from(OTHERS))
        return imports + known.setup, known.expression
    if kind == "builtin":
        value = st.just(draw(st.sampled_from(HARMS["builtins"])))
        expression = draw(st.recursive(value, handed, max_leaves=3))
    else:
        start = draw(st.sampled_from(HARMS["modules" if kind == "module" else "plain"]))
        alias = draw(st.sampled_from(["", "tool", "math"])) if kind == "module" else ""
        imports += f"import {start}{f' as {alias}' if alias else ''}\n" if kind == "module" else ""
        value = draw(st.recursive(st.just(alias or start), handed, max_leaves=3))
        name = draw(st.sampled_from(HARMS["names" if kind == "module" else "frames"]))
        ways = read(value, name)
        if kind == "module":
            ways |= st.sampled_from(HARMS["taken"]).map(lambda way: way.format(value))
        expression = draw(st.just(f"{value}.{name}") if name.endswith("()") else ways)
    return imports, draw(st.sampled_from(HARMS["called"])).format(expression)


def expressions(tree):
    """The places of expressions: a node, its field, and the position where that is a list."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.FormattedValue):
            continue
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                found.append((node, field, None))
            elif isinstance(value, list):
                found += [
                    (node, field, at)
                    for at, one in enumerate(value)
                    if isinstance(one, ast.expr) and isinstance(getattr(one, "ctx", ast.Load()), ast.Load)
                ]
    return found


PROGRAMS = [(files, new) for _, files, new in harmless()]


def is_held(sources, path, new):
    found = judge(from_sources(sources, {path: new}), sources, Policy())
    return bool(found.refused or found.shown)


@given(harm=harms())
@examples(80)
def test_no_composition_of_harm_passes(harm):
    imports, expression = harm
    new = f"{imports}\n{HOST}\n\nvalue = {expression}\n"
    ast.parse(new)
    # What is imported already is no excuse.
    for old in (HOST, f"{imports}\n{HOST}"):
        assert is_held({"shop.py": old}, "shop.py", new), expression


@given(harm=harms(), data=st.data())
@examples(80)
def test_no_place_in_a_program_hides_harm(harm, data):
    imports, expression = harm
    sources, new = data.draw(st.sampled_from(PROGRAMS))
    tree = ast.parse(new)
    node, field, at = data.draw(st.sampled_from(expressions(tree)))
    value = ast.parse(expression, mode="eval").body
    if at is None:
        setattr(node, field, value)
    else:
        getattr(node, field)[at] = value
    try:
        text = f"{imports}\n{ast.unparse(ast.fix_missing_locations(tree))}\n"
        compile(text, "shop", "exec")
    except (SyntaxError, ValueError):
        return  # no place for just any expression
    assert is_held(sources, "shop/code.py", text), text
