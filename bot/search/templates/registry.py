"""All fix templates: each module of this package that has ``TEMPLATES`` brings its own."""

import pkgutil
from importlib import import_module

from bot.search import templates
from bot.search.templates.template import Template

TEMPLATES: tuple[Template, ...] = tuple(
    template
    for module in sorted(found.name for found in pkgutil.iter_modules(templates.__path__))
    if module not in {"registry", "stream"}
    for template in getattr(import_module(f"{templates.__name__}.{module}"), "TEMPLATES", ())
)
"""Their order settles ties and nothing else."""
