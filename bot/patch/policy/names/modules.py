"""What the policy knows of modules: which only compute, which members of others do, which are dangerous.

Data, and the questions that are asked of it. A module that is in no table is unknown: a person decides.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from bot.patch.policy.dangers import words

PURE_MODULES = words(
    """
    __future__ ast configparser mimetypes token abc array base64 binascii bisect calendar cmath collections
    colorsys contextlib contextvars copy csv dataclasses datetime decimal difflib enum errno fnmatch
    fractions functools graphlib hashlib heapq hmac html itertools json keyword locale math numbers operator
    pathlib posixpath ntpath pprint queue quopri random re reprlib secrets shlex stat statistics string
    stringprep struct textwrap time tomllib types typing typing_extensions unicodedata urllib.error
    urllib.parse http.HTTPStatus http.HTTPMethod warnings weakref xml.etree xml.sax.saxutils zlib zoneinfo
    glob os.path collections.abc ipaddress email.utils
    """
)
"""They compute, and reach neither other processes nor the network; a new import of one is allowed."""

_IN_PURE = words(
    """
    dataclasses.make_dataclass contextlib.redirect_stdout contextlib.redirect_stderr enum.global_enum
    functools.singledispatch functools.singledispatchmethod string.Formatter weakref.finalize
    typing.ForwardRef types.ModuleType
    types.CellType warnings.showwarning warnings.formatwarning warnings.simplefilter
    warnings.filterwarnings warnings.resetwarnings random.seed random.setstate locale.setlocale
    decimal.setcontext decimal.getcontext decimal.DefaultContext xml.sax.saxutils.prepare_input_source
    """
)
"""Members of pure modules that take code or names as strings, or that change what others do."""

SAFE_MEMBERS: Mapping[str, frozenset[str]] = {
    "os": words(
        """
        path sep altsep extsep pathsep linesep curdir pardir devnull name environ getenv fspath fsencode
        fsdecode PathLike getcwd listdir walk scandir DirEntry stat stat_result cpu_count urandom strerror
        error getpid get_terminal_size terminal_size access F_OK R_OK W_OK X_OK supports_fd readlink
        """
    ),
    "sys": words(
        """
        argv stdout stderr stdin version version_info platform maxsize maxunicode byteorder getsizeof intern
        exc_info float_info int_info hash_info getrecursionlimit implementation hexversion
        getdefaultencoding getfilesystemencoding is_finalizing getrefcount flags set_int_max_str_digits
        """
    ),
    "logging": words(
        """
        DEBUG INFO WARNING WARN ERROR CRITICAL FATAL NOTSET getLogger debug info warning warn error critical
        exception log Logger LoggerAdapter NullHandler StreamHandler Handler Formatter Filter LogRecord
        getLevelName addLevelName captureWarnings getLevelNamesMapping root
        """
    ),
    "traceback": words(
        """
        format_exc print_exc format_exception format_exception_only print_exception format_tb print_tb
        extract_tb format_list
        """
    ),
    "inspect": words(
        """
        signature Signature Parameter BoundArguments cleandoc getdoc getmro unwrap isfunction isclass
        ismethod ismodule isbuiltin isroutine isgenerator isgeneratorfunction iscoroutine
        iscoroutinefunction isawaitable isabstract isasyncgen isasyncgenfunction isdatadescriptor
        ismethoddescriptor getfullargspec getmodulename
        """
    ),
    "asyncio": words(
        """
        sleep gather wait wait_for create_task ensure_future run get_event_loop get_running_loop
        new_event_loop Event Lock Queue Semaphore BoundedSemaphore Condition Task Future TimeoutError
        CancelledError InvalidStateError iscoroutinefunction iscoroutine isfuture shield to_thread timeout
        TaskGroup Runner QueueEmpty QueueFull PriorityQueue LifoQueue FIRST_COMPLETED FIRST_EXCEPTION
        ALL_COMPLETED AbstractEventLoop as_completed Barrier run_coroutine_threadsafe wrap_future
        IncompleteReadError LimitOverrunError
        """
    ),
    "threading": words(
        """
        Lock RLock Event Condition Semaphore BoundedSemaphore Thread Timer Barrier BrokenBarrierError local
        current_thread main_thread get_ident active_count ThreadError
        """
    ),
    "concurrent": words("futures"),
    "concurrent.futures": words(
        """
        ThreadPoolExecutor Executor Future as_completed wait TimeoutError CancelledError BrokenExecutor
        FIRST_COMPLETED FIRST_EXCEPTION ALL_COMPLETED InvalidStateError
        """
    ),
    "io": words(
        """
        StringIO BytesIO TextIOWrapper BufferedReader BufferedWriter BufferedIOBase RawIOBase IOBase
        TextIOBase SEEK_SET SEEK_CUR SEEK_END UnsupportedOperation DEFAULT_BUFFER_SIZE text_encoding
        """
    ),
    "codecs": words(
        """
        encode decode BOM_UTF8 BOM_UTF16 BOM_UTF16_LE BOM_UTF16_BE BOM_UTF32 BOM_LE BOM_BE
        getincrementaldecoder getincrementalencoder IncrementalDecoder IncrementalEncoder escape_decode
        """
    ),
    "tempfile": words(
        "gettempdir TemporaryDirectory TemporaryFile NamedTemporaryFile SpooledTemporaryFile mkdtemp"
    ),
    "shutil": words("which get_terminal_size disk_usage Error SameFileError"),
    "gc": words("collect"),
    "platform": words("system python_version python_version_tuple python_implementation machine"),
    "uuid": words("UUID uuid3 uuid4 uuid5 SafeUUID NAMESPACE_DNS NAMESPACE_URL NAMESPACE_OID NAMESPACE_X500"),
    "signal": words("Signals strsignal valid_signals"),
    "importlib": words("metadata resources"),
    "importlib.metadata": words("version PackageNotFoundError metadata requires"),
    "importlib.resources": words("files as_file"),
    "urllib": words("parse error"),
    "http": words("HTTPStatus HTTPMethod"),
    "xml": words("etree"),
    "email": words("utils"),
}
"""Modules of which only these members are free; their plain import is, too."""

DANGEROUS_MODULES = words(
    """
    subprocess pty multiprocessing runpy code codeop ctypes cffi imp pkgutil zipimport posix nt
    posixsubprocess faulthandler marshal pickle cPickle shelve copyreg dill cloudpickle joblib jsonpickle
    regreen_runner timeit profile cProfile pdb bdb trace pstats compileall py_compile modulefinder
    rlcompleter cmd pip ensurepip venv site setuptools distutils pkg_resources lib2to3 idlelib antigravity
    turtledemo pydoc socket socketserver ssl select selectors urllib2 urllib3 requests httplib httplib2
    httpx aiohttp ftplib smtplib telnetlib poplib imaplib nntplib xmlrpc websocket websockets paramiko
    pycurl webbrowser wsgiref asyncore asynchat smtpd grpc zmq twisted fabric invoke sh plumbum pexpect
    execnet docker boto3 botocore builtins __builtin__ mmap resource fcntl termios tty syslog msvcrt winreg
    nis tracemalloc atexit logging.config logging.handlers urllib.request urllib.robotparser http.client
    http.server http.cookiejar asyncio.subprocess asyncio.base_events asyncio.unix_events
    concurrent.futures.process importlib.util importlib.machinery importlib.abc importlib.reload
    importlib.import_module importlib.invalidate_caches importlib.metadata.EntryPoint
    importlib.metadata.EntryPoints importlib.metadata.entry_points importlib.metadata.distribution
    importlib.metadata.distributions importlib.metadata.Distribution importlib.simple importlib.readers
    importlib.metadata.files importlib.metadata.PathDistribution
    """
)
"""They start commands, reach the network, run what a string holds, or reach into the interpreter."""

TEST_FRAMEWORKS = words("pytest _pytest unittest nose doctest hypothesis pluggy xdist mock")

# Words that are names of modules and of much else: seen as modules only where they are imported as such.
_PLAIN_WORDS = words(
    """
    code cmd site select resource profile trace test mock sh invoke docker pip turtle docker nt imp tty
    syslog fabric http html email signal platform token types queue string random time calendar copy
    operator stat struct numbers array bisect enum json csv re math warnings secrets statistics locale glob
    logging inspect xml io uuid urllib codecs asyncio threading concurrent tempfile traceback pathlib
    """
)
_CONSTANT = re.compile(
    r"SIG[A-Z0-9_]+|subprocess\.(PIPE|STDOUT|DEVNULL|CompletedProcess|TimeoutExpired)"
    r"|socket\.((AF|SOCK|SO|SOL|IPPROTO|SHUT|TCP|INADDR)_\w+|timeout|error|gaierror|herror)"
    r"|pickle\.(HIGHEST|DEFAULT)_PROTOCOL|(\w+\.)+[A-Z]\w*(Error|Exception|Warning)"
)


@cache
def is_dangerous_module(name: str) -> bool:
    """Whether ``name``, or a module that it is a part of, is among the dangerous ones."""
    if is_pure(name):
        return False
    parts = name.split(".")
    if any(".".join(parts[:size]) in DANGEROUS_MODULES for size in range(1, len(parts) + 1)):
        return True
    # Private parts of the standard library do what the public ones are forbidden to do.
    return parts[0].startswith("_") and parts[0] in sys.stdlib_module_names and parts[0] != "__future__"


def is_pure(name: str) -> bool:
    """Whether the dotted ``name`` is a pure module, or a member of one that only computes."""
    parts = name.split(".")
    known = next((size for size in range(1, len(parts) + 1) if ".".join(parts[:size]) in PURE_MODULES), 0)
    if not known or ".".join(parts[: known + 1]) in _IN_PURE:
        return False
    # What a pure module itself has imported, as in re.enum.sys, is not its own.
    through = any(is_module_word(part) or part in SAFE_MEMBERS for part in parts[known:])
    return not through and not any(one[0] == "_" for one in parts[known : known + 1])


def dangerous_within(parts: Sequence[str]) -> str:
    """The dangerous module among ``parts``, as in ``utils.http.client``; empty where there is none."""
    pairs = (".".join(pair) for pair in pairwise(parts))
    found = [*(one for one in parts if one not in _PLAIN_WORDS), *pairs]
    return next((one for one in found if one in DANGEROUS_MODULES), "")


def is_module_word(part: str) -> bool:
    """Whether an attribute of a module that is called ``part`` is most likely another module, not pure."""
    # enum imports builtins by this name.
    listed = part in sys.stdlib_module_names or part in DANGEROUS_MODULES or part == "bltns"
    return listed and part not in PURE_MODULES and part not in _PLAIN_WORDS


def is_safe_member(name: str) -> bool:
    """Whether ``name`` is a guarded module or begins with one of its free members."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        members = SAFE_MEMBERS.get(".".join(parts[:size]))
        if members is None:
            continue
        rest = parts[size:]
        if not rest or (size == 1 and parts[0] == "signal" and _CONSTANT.fullmatch(rest[0])):
            return True
        return rest[0] in members and not any(map(is_module_word, rest[1:]))
    return False


def is_constant_member(name: str) -> bool:
    """Whether ``name`` is a constant or an exception of a module, as ``subprocess.PIPE`` is."""
    return _CONSTANT.fullmatch(name) is not None


def is_module(name: str) -> bool:
    """Whether the dotted ``name`` is a module of the standard library, as far as is known here."""
    if not name.rpartition(".")[2][:1].islower():
        return False
    return name in sys.stdlib_module_names or name in PURE_MODULES or name in SAFE_MEMBERS


def is_standard(name: str) -> bool:
    """Whether ``name`` belongs to the standard library."""
    return name.partition(".")[0] in sys.stdlib_module_names


def test_framework(name: str) -> str | None:
    """The test framework that ``name`` belongs to, if it does."""
    root = name.partition(".")[0]
    return root if root in TEST_FRAMEWORKS else None
