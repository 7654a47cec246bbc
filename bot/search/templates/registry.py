"""All fix templates: every module of this package is imported, and each template registers itself."""

import pkgutil
from importlib import import_module

from bot.search import templates
from bot.search.templates.template import REGISTERED, Template

for _module in pkgutil.iter_modules(templates.__path__):
    if _module.name not in {"registry", "stream"}:
        import_module(f"{templates.__name__}.{_module.name}")

TEMPLATES: tuple[Template, ...] = tuple(sorted(REGISTERED, key=lambda one: one.fixes.__module__))
"""Their order settles ties and nothing else."""
