"""A call that does not fit: the functions that the message speaks of, and the calls that may be meant."""

import ast

from bot.search.templates.changes import callee_name
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project


class Site:
    """The functions that a message speaks of, few in all, and the calls that its innermost frames make."""

    def __init__(self, qualified: str, failure: Failure, project: Project) -> None:
        parts = [part for part in qualified.split(".") if part != "<locals>"]
        self.name = parts[-1]
        owner = parts[-2] if len(parts) > 1 and f"{parts[-2]}.<locals>" not in qualified else ""
        self.functions = project.functions(self.name, owner)[:3]
        names = {self.name, owner} if self.name == "__init__" else {self.name}
        self.spots = list(project.spots(failure)) if failure.frames else list(project.calls(names))
        self.calls = [
            (spot, call)
            for spot in (self.spots[:2] if failure.frames else self.spots)
            for call in spot.of(ast.Call)
            if callee_name(call) in names
        ]
        # A call in a test, or in a library, is as it should be: the definition is what is wrong.
        innermost = failure.frames[0].path if failure.frames else ""
        self.caller_fixed = not self.calls or (bool(innermost) and not project.may_change(innermost))
