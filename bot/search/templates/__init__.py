"""Fix templates: fixes that a failure's own message names, found without search.

A misspelt name, a missing import, a wrong arity, a file that does not parse: the interpreter says what is
wrong and where, in any module of the project, so a handful of candidates is worth trying before all
others. Wrong values, which no message explains, are left to the operators.
"""

from bot.search.templates.stream import from_templates

__all__ = ["from_templates"]
