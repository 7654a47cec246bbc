"""The standard library as import statements see it: what moved where, and what each module offers."""

import importlib
from functools import cache

# Where Python 3 keeps what Python 2, or an older 3, kept elsewhere (docs.python.org, "What's New").
MODULES_MOVED = {
    "ConfigParser": "configparser",
    "Queue": "queue",
    "SocketServer": "socketserver",
    "StringIO": "io",
    "cStringIO": "io",
    "cPickle": "pickle",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
    "httplib": "http.client",
    "Cookie": "http.cookies",
    "cookielib": "http.cookiejar",
    "Tkinter": "tkinter",
    "__builtin__": "builtins",
    "thread": "_thread",
    "itertools.izip": "itertools",
    "HTMLParser": "html.parser",
    "BaseHTTPServer": "http.server",
    "copy_reg": "copyreg",
    "imp": "importlib",
    "UserDict": "collections",
    "UserList": "collections",
    "asyncio.compat": "asyncio",
    "distutils.version": "packaging.version",
}
ABSTRACT = frozenset(
    [
        "Mapping",
        "MutableMapping",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "Callable",
        "Hashable",
        "Set",
        "MutableSet",
        "Sized",
        "Container",
        "Generator",
        "Awaitable",
        "Coroutine",
        "KeysView",
        "ItemsView",
        "ValuesView",
        "Collection",
    ]
)
MEMBERS_MOVED = {
    ("fractions", "gcd"): ("math", "gcd"),
    ("itertools", "izip"): ("", "zip"),
    ("itertools", "imap"): ("", "map"),
    ("itertools", "ifilter"): ("", "filter"),
    ("itertools", "izip_longest"): ("itertools", "zip_longest"),
    ("string", "maketrans"): ("", "str.maketrans"),
    ("time", "clock"): ("time", "perf_counter"),
    ("inspect", "getargspec"): ("inspect", "getfullargspec"),
    ("urllib", "urlencode"): ("urllib.parse", "urlencode"),
    ("urllib", "quote"): ("urllib.parse", "quote"),
    ("urllib", "urlopen"): ("urllib.request", "urlopen"),
    ("cgi", "escape"): ("html", "escape"),
}
# Modules that can be asked for their names: importing them does nothing but define those.
_ASKED = frozenset(
    [
        "abc",
        "array",
        "base64",
        "bisect",
        "calendar",
        "cmath",
        "collections",
        "collections.abc",
        "contextlib",
        "copy",
        "csv",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fnmatch",
        "fractions",
        "functools",
        "glob",
        "hashlib",
        "heapq",
        "html",
        "io",
        "itertools",
        "json",
        "logging",
        "math",
        "numbers",
        "operator",
        "os",
        "os.path",
        "pathlib",
        "pprint",
        "queue",
        "random",
        "re",
        "secrets",
        "shlex",
        "shutil",
        "statistics",
        "string",
        "struct",
        "sys",
        "tempfile",
        "textwrap",
        "threading",
        "time",
        "types",
        "typing",
        "unicodedata",
        "urllib.parse",
        "uuid",
        "zlib",
        "asyncio",
    ]
)


@cache
def members(module: str) -> tuple[str, ...]:
    """The public names of a standard module; none of one that is not safe to import."""
    if module not in _ASKED:
        return ()
    return tuple(name for name in dir(importlib.import_module(module)) if not name.startswith("_"))
