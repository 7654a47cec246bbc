"""Recognises the programs that do nothing but call ``unittest.main`` on their own cases."""

import ast

from sandbox.parsing import parsed

# What does not change which tests run, nor how they end.
_HARMLESS = {"verbosity", "failfast", "buffer", "catchbreak", "warnings", "tb_locals"}


def is_unittest_program(source: bytes) -> bool:
    """Whether the ``__main__`` part of a file is one plain call of ``unittest.main`` and nothing else."""
    tree = parsed(source)
    if tree is None:
        return False
    try:
        return _only_calls_unittest(tree)
    except RecursionError:  # an expression that can be parsed, and is too deep to be written out
        return False


def _only_calls_unittest(tree: ast.Module) -> bool:
    guards = [node for node in tree.body if isinstance(node, ast.If) and _asks_for_main(node.test)]
    if len(guards) != 1 or guards[0].orelse:
        return False
    body = [node for node in guards[0].body if not isinstance(node, ast.Import)]
    return len(body) == 1 and _calls_unittest(body[0], _names_of_main(tree))


def _asks_for_main(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return sorted(map(ast.unparse, (left, right))) == ["'__main__'", "__name__"]
    return False


def _names_of_main(tree: ast.Module) -> set[str]:
    """The expressions that mean ``unittest.main`` in a module."""
    names = {"unittest.main"}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "unittest":
            names |= {alias.asname or alias.name for alias in node.names if alias.name == "main"}
    return names


def _calls_unittest(statement: ast.stmt, names: set[str]) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function, args=[], keywords=keywords)):
            return ast.unparse(function) in names and {keyword.arg for keyword in keywords} <= _HARMLESS
    return False
