"""The kinds of sandboxes. Every module of this package is imported, and its ``KIND`` is registered.

Programs that may run nothing read this as well: a module here loads what it needs when that is used.
"""

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from sandbox.providers.kind import ProviderKind

_FOUND: list[ProviderKind] = [
    module.KIND
    for name in pkgutil.iter_modules(__path__)
    if hasattr(module := import_module(f"{__name__}.{name.name}"), "KIND")
]
KINDS: Mapping[str, ProviderKind] = {kind.name: kind for kind in sorted(_FOUND, key=lambda kind: kind.rank)}
