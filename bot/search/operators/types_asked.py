"""Questions about a value's type and attributes that leave one answer out."""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, Operator

_MAX_CLASSES = 8
_QUESTIONS = {"isinstance", "issubclass"}


class OneMoreClass(Operator[ast.Call]):
    """``isinstance(x, A)`` that forgets a class beside ``A``: ``isinstance(x, (A, B))``."""

    name = "one more class"
    prior = 0.4
    kinds = (ast.Call,)

    def _mutate(self, node: ast.Call, context: Context) -> Iterator[Mutation]:
        if getattr(node.func, "id", "") not in _QUESTIONS or len(node.args) != 2:
            return
        asked = node.args[1]
        given = [context.code(one) for one in (asked.elts if isinstance(asked, ast.Tuple) else [asked])]
        for index, other in enumerate(_classes(given, node, context)):
            weight = max(0.3, 1.0 - 0.1 * index)
            yield context.put(
                asked, f"({', '.join([*given, other])})", weight=weight, why=f"accept {other} too"
            )


def _classes(given: list[str], node: ast.Call, context: Context) -> list[str]:
    """Classes that the file uses in the way of ``given``, those of the function at hand first."""
    owner = next((one.rpartition(".")[0] for one in given), "")
    here, elsewhere = dict[str, None](), dict[str, None]()
    function = context.source.function_of(node)
    for part in ast.walk(context.source.tree):
        if isinstance(part, ast.Attribute) and owner:
            found = context.code(part)
            fits = found.rpartition(".")[0] == owner
        elif isinstance(part, ast.Name) and not owner:
            found, fits = part.id, part.id[:1].isupper() and not part.id.isupper()
        elif isinstance(part, ast.ClassDef) and not owner:
            found, fits = part.name, True
        elif isinstance(part, ast.alias) and not owner:
            found = (part.asname or part.name).partition(".")[0]
            fits = found[:1].isupper() and not found.isupper()
        else:
            continue
        if fits and found.rpartition(".")[2][:1].isupper() and found not in given:
            near = function is not None and context.source.function_of(part) is function
            (here if near else elsewhere).setdefault(found)
    return list({**here, **elsewhere})[:_MAX_CLASSES]


class AttributeThatIsNone(Operator[ast.Call]):
    """``hasattr(x, "y")`` where ``x.y`` may be there and None: ``getattr(x, "y", None)``."""

    name = "attribute that is None"
    prior = 0.4
    kinds = (ast.Call,)

    def _mutate(self, node: ast.Call, context: Context) -> Iterator[Mutation]:
        if getattr(node.func, "id", "") == "hasattr" and len(node.args) == 2:
            value, name = map(context.code, node.args)
            yield context.put(node, f"getattr({value}, {name}, None)")
        elif getattr(node.func, "id", "") == "getattr" and len(node.args) == 2:
            end = context.source.segment(node.args[1])[1]
            yield context.replace(end, end, ", None", why="None where the attribute is missing")
