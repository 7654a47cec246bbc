"""``print >>file, value``, which Python 3 takes for a shift and runs into."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.template import Template, template


def _to_file(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    del match
    for spot in project.spots(failure):
        context, statement = spot.context, spot.statement
        if not isinstance(statement, ast.Expr):
            return
        whole = statement.value
        shift, *shown = whole.elts if isinstance(whole, ast.Tuple) else [whole]
        if isinstance(shift, ast.BinOp) and context.code(shift.left) == "print":
            arguments = [*map(context.code, shown), f"file={context.code(shift.right)}"]
            code = f"print({', '.join(arguments)})"
            yield context.replace(*context.source.segment(statement), code, weight=1.0)
        return


TEMPLATES: tuple[Template, ...] = (
    template(
        "print to a file",
        "TypeError",
        r"unsupported operand type\(s\) for >>: 'builtin_function_or_method' and",
        _to_file,
    ),
)
