"""The standard library as import statements see it: where names live, what moved, what modules offer."""

import builtins
import collections.abc
import importlib
import inspect
from collections.abc import Mapping
from functools import cache

# Names that code uses bare, by the module that they come from.
HOMES: Mapping[str, str] = {
    name: module
    for module, names in {
        "collections": "Counter defaultdict deque OrderedDict namedtuple ChainMap",
        "functools": "reduce lru_cache partial wraps cache cmp_to_key cached_property",
        "itertools": "chain product permutations combinations groupby accumulate islice zip_longest count",
        "math": "sqrt ceil floor gcd pi log prod isclose inf factorial comb",
        "dataclasses": "dataclass field",
        "datetime": "timedelta date timezone",
        "pathlib": "Path",
        "typing": "Any Optional List Dict Tuple Set Union Callable Iterable Iterator",
        "copy": "deepcopy",
        "decimal": "Decimal",
        "fractions": "Fraction",
        "enum": "Enum IntEnum",
        "operator": "itemgetter attrgetter",
        "string": "ascii_lowercase ascii_uppercase ascii_letters digits punctuation",
        "heapq": "heappush heappop heapify nlargest nsmallest",
        "bisect": "bisect_left bisect_right insort",
        "abc": "ABC abstractmethod",
        "contextlib": "contextmanager suppress",
    }.items()
    for name in names.split()
}
# Where Python 3 keeps what an older one kept elsewhere (docs.python.org, "What's New").
MODULES_MOVED = {
    "ConfigParser": "configparser", "Queue": "queue", "StringIO": "io", "cPickle": "pickle",
    "urllib2": "urllib.request", "urlparse": "urllib.parse", "asyncio.compat": "asyncio", "imp": "importlib",
    "distutils.version": "packaging.version",
}  # fmt: skip
MEMBERS_MOVED: Mapping[tuple[str, str], tuple[str, str]] = {
    **{("collections", name): ("collections.abc", name) for name in collections.abc.__all__},
    ("fractions", "gcd"): ("math", "gcd"),
    ("time", "clock"): ("time", "perf_counter"),
    ("inspect", "getargspec"): ("inspect", "getfullargspec"),
    ("cgi", "escape"): ("html", "escape"),
}
# Modules that can be asked for their names: importing them does nothing but define those.
_ASKED = frozenset(
    [
        *("abc", "asyncio", "base64", "bisect", "calendar", "collections", "collections.abc", "contextlib"),
        *("copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum", "fnmatch", "fractions"),
        *("functools", "glob", "hashlib", "heapq", "html", "io", "itertools", "json", "logging", "math"),
        *("numbers", "operator", "os", "os.path", "pathlib", "pprint", "queue", "random", "re", "secrets"),
        *("shlex", "shutil", "statistics", "string", "struct", "sys", "tempfile", "textwrap", "threading"),
        *("time", "types", "typing", "unicodedata", "urllib.parse", "uuid", "zlib"),
    ]
)


@cache
def members(module: str) -> tuple[str, ...]:
    """The public names of a standard module; none of one that is not safe to import."""
    if module not in _ASKED:
        return ()
    return tuple(name for name in dir(importlib.import_module(module)) if not name.startswith("_"))


def keywords(callee: str) -> tuple[str, ...]:
    """The parameters of a builtin function, or of one of a standard module; none where that is not known."""
    module, _, name = callee.rpartition(".")
    owner = importlib.import_module(module) if name in members(module) else builtins
    try:
        return tuple(inspect.signature(getattr(owner, name)).parameters)
    except (AttributeError, TypeError, ValueError):
        return ()
