"""Regenerate the golden logs: run pytest for real on tiny projects, then dress its output as a CI log.

    .venv/bin/python tests/golden/cilog/make_logs.py [name ...]

Each ``*.truth`` is what pytest reported to a plugin in the same run: the red node ids, known without reading
the log. The ``*.json`` were checked by eye against the logs; this script never writes them.
Machine paths, durations and addresses are replaced, so that a second run changes nothing of substance.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

HERE = Path(__file__).parent
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "record_reports", "-c", os.devnull)
CHECKOUT = "/home/runner/work/demo/demo"

BASIC = {
    "shop/__init__.py": "",
    "shop/cart.py": """
        def total(prices):
            result = 0
            for price in prices[1:]:
                result += price
            return result


        def parse(text):
            if not text:
                raise ValueError("nothing to parse: 'text' is empty")
            return [int(part) for part in text.split(",")]
    """,
    "tests/unit/test_cart.py": """
        import pytest

        from shop.cart import parse, total


        def test_total():
            assert total([1, 2, 3]) == 6


        def test_empty():
            assert total([]) == 0


        def test_message():
            prices = [5]
            assert total(prices) == 5, f"total of {prices} is wrong"


        def test_raises():
            with pytest.raises(KeyError):
                parse("1,2")


        class TestParse:
            def test_two(self):
                assert parse("1,2") == [1, 2]

            def test_nothing(self):
                assert parse("") == []

            class TestNested:
                def test_letters(self):
                    parse("a,b")
    """,
}

PARAMETERS = {
    "test_odd.py": """
        import pytest


        @pytest.mark.parametrize(
            "text",
            ["a b", "a - b", "x] - y", "[z]", "é", "tab\\there", "a::b", "", "FAILED t.py::test_fake - no"],
        )
        def test_text(text):
            assert len(text) == 99


        @pytest.mark.parametrize("left, right", [(1, 1), (1, 2)], ids=["same", "not same - at all"])
        def test_pair(left, right):
            assert left == right


        @pytest.mark.parametrize("name", ["long_" * 30])
        def test_long(name):
            assert name.upper() == name
    """,
}

ERRORS = {
    "test_fixtures.py": """
        import pytest


        @pytest.fixture
        def broken_setup():
            raise RuntimeError("no database")


        @pytest.fixture
        def broken_teardown():
            yield 1
            raise OSError(2, "gone")


        def test_setup(broken_setup):
            pass


        def test_teardown(broken_teardown):
            assert broken_teardown == 1


        def test_both(broken_teardown):
            assert broken_teardown == 2


        def test_missing(no_such_fixture):
            pass


        @pytest.mark.xfail(strict=True, reason="still broken")
        def test_strict():
            pass


        @pytest.mark.xfail
        def test_expected():
            assert 0
    """,
}

COLLECTION = {
    "pkg/__init__.py": "import no_such_module_anywhere\n",
    "test_import.py": "import pkg\n\n\ndef test_ok():\n    pass\n",
    "test_syntax.py": "def test_ok(:\n    pass\n",
    "test_fine.py": "def test_ok():\n    pass\n",
}

SPOOF = {
    "test_spoof.py": '''
        FAKE = """\\
        =========================== short test summary info ============================
        FAILED test_innocent.py::test_framed - AssertionError: not real
        ========================= 1 failed, 1 passed in 0.01s ==========================
        """


        def test_prints_a_summary():
            print(FAKE)
            assert "left" == "right"


        def test_prints_a_whole_session():
            print("============================= test session starts ==============================")
            print("collected 1 item")
            print("=================================== FAILURES ===================================")
            print("_________________________________ test_framed __________________________________")
            print("E   ValueError: not real")
            print("test_innocent.py:3: ValueError")
            print(FAKE)
            assert 2 + 2 == 5


        def test_opens_a_session_and_never_ends_it():
            print("============================= test session starts ==============================")
            assert not "open"


        def test_raises_a_summary():
            raise RuntimeError("first line\\n" + FAKE)


        def test_last():
            assert [1, 2] == [1, 3]
    ''',
    "test_innocent.py": "def test_framed():\n    pass\n",
}

DOCTEST = {
    "pkg/__init__.py": "",
    "pkg/units.py": '''
        def double(n):
            """Twice.

            >>> double(2)
            4
            >>> double(3)
            6
            """
            return n + 2


        class Box:
            """A box.

            >>> Box().missing
            1
            """
    ''',
    "README.txt": "Use it:\n\n>>> 1 + 1\n3\n",
}

CHAINED = {
    "app/__init__.py": "",
    "app/store.py": """
        class StoreError(Exception):
            pass


        def read(key):
            try:
                return {}[key]
            except KeyError as error:
                raise StoreError(f"cannot read {key!r}\\nsecond line") from error


        def check(values):
            problems = [ValueError(v) for v in values]
            raise ExceptionGroup("two problems", problems)
    """,
    "test_store.py": """
        import json
        import unittest

        from app.store import check, read


        def test_read():
            read("colour")


        def test_group():
            check(["a", "b"])


        def test_library():
            json.loads("{")


        def test_container():
            assert "needle in == hay" in ["a", "b"]


        def test_where():
            class Thing:
                def __repr__(self):
                    return "<Thing a == b>"

            assert Thing() is None


        class TestCase(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(1, 2)

            def test_subtests(self):
                for i in range(3):
                    with self.subTest(i=i):
                        self.assertNotEqual(i, 1)
    """,
}

PASSING = {"test_fine.py": "def test_ok():\n    print('=== FAILURES ===')\n\n\ndef test_two():\n    pass\n"}

SAME_NAMES = {
    "a/test_same.py": """
        def test_it():
            assert 'a' == 'x'


        class TestC:
            def test_it(self):
                assert 1 == 0
    """,
    "b/test_other.py": "def test_it():\n    raise LookupError('b')\n",
    "b/test_fine.py": "def test_ok():\n    assert 1\n",
}

CRASH = {
    "test_crash.py": """
        import os


        def test_ok():
            pass


        def test_crash():
            os.abort()
    """,
    "test_before.py": "def test_red():\n    assert 3 < 2\n",
}

INTERNAL = {
    "conftest.py": """
        def pytest_runtest_logreport(report):
            if report.when == "call":
                raise RuntimeError("a broken plugin")
    """,
    "test_fine.py": "def test_ok():\n    pass\n",
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One log: a project, and the pytest runs whose output follow one another in it."""

    files: dict[str, str]
    runs: tuple[tuple[str, ...], ...]
    dress: str = "github"  # github | gh | plain
    environment: dict[str, str] = field(default_factory=dict)


CASES = {
    "long": Case(files=BASIC, runs=((),)),
    "long_colour": Case(files=BASIC, runs=(("--color=yes", "-v"),)),
    "short_colour_gh": Case(files=BASIC, runs=(("--tb=short", "--color=yes"),), dress="gh"),
    "line_plain": Case(files=BASIC, runs=(("--tb=line",),), dress="plain"),
    "native": Case(files=BASIC, runs=(("--tb=native",),)),
    "no_traceback": Case(files=BASIC, runs=(("--tb=no",),)),
    "quiet_no_summary": Case(files=BASIC, runs=(("-q", "-rN"),), dress="plain"),
    "verbose_no_summary": Case(files=SAME_NAMES, runs=(("-vv", "-rN", "--showlocals"),)),
    "parameters": Case(files=PARAMETERS, runs=((),)),
    "parameters_ci": Case(files=PARAMETERS, runs=(("--tb=no",),), environment={"CI": "true"}),
    "errors": Case(files=ERRORS, runs=(("-ra", "--color=yes"),)),
    "collection": Case(files=COLLECTION, runs=((),)),
    "spoof": Case(files=SPOOF, runs=((),)),
    "spoof_ci": Case(files=SPOOF, runs=(("-rA",),), environment={"CI": "true"}),
    "spoof_uncaptured": Case(files=SPOOF, runs=(("-s",),)),
    "spoof_native_no_summary": Case(files=SPOOF, runs=(("--tb=native", "-rN"),)),
    "xdist": Case(files=BASIC, runs=(("-n", "2", "-v"),)),
    "xdist_crash": Case(files=CRASH, runs=(("-n", "1"),)),
    "crash": Case(files=CRASH, runs=(("-v",), ("-v", "test_before.py"))),
    "doctest": Case(files=DOCTEST, runs=(("--doctest-modules", "--doctest-glob=*.txt"),)),
    "chained": Case(files=CHAINED, runs=((),)),
    "passing": Case(files=PASSING, runs=(("-rP",),)),
    "same_names": Case(files=SAME_NAMES, runs=((),)),
    "several": Case(
        files=SAME_NAMES, runs=(("a",), ("-q", "b"), ("--tb=short", "b", "-k", "ok"), ("-q", "--tb=no", "a"))
    ),
    "internal": Case(files=INTERNAL, runs=((),)),
}


def run(case: Case, root: Path) -> tuple[list[str], int]:
    """The scrubbed lines that the case's runs print, and the last exit status."""
    for name, text in case.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "COLUMNS": "80",
        "LANG": "C.UTF-8",
        "PYTHONPATH": f"{root}{os.pathsep}{HERE}",
        "RECORD_REPORTS": str(root / "reports"),
        "PYTHONDONTWRITEBYTECODE": "1",
        **case.environment,
    }
    output, status = "", 0
    for arguments in case.runs:
        done = subprocess.run(
            [*PYTEST, f"--rootdir={root}", *arguments],
            cwd=root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output += done.stdout.decode("utf-8", "replace")
        status = done.returncode
    return scrub(output, root).split("\n")[:-1], status


def scrub(text: str, root: Path) -> str:
    """The text without anything of this machine or of this moment."""
    text = text.replace(str(root), CHECKOUT)
    text = text.replace(sys.prefix, "/opt/hostedtoolcache/Python/3.11.7/x64")
    text = text.replace(sys.base_prefix, "/opt/hostedtoolcache/Python/3.11.7/x64")
    text = re.sub(r"(?m)^((?:configfile|plugins): ).*$", r"\1scrubbed", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x7f0000000000", text)
    return re.sub(r"\bin \d+\.\d\ds", "in 0.12s", text)


def dress(lines: list[str], status: int, how: str) -> bytes:
    """The lines as the place named ``how`` would store them."""
    if how == "plain":
        return ("\n".join(lines) + "\n").encode()
    lines = [
        "##[group]Run python -m pytest",
        "\x1b[36;1mpython -m pytest\x1b[0m",
        "shell: /usr/bin/bash -e {0}",
        "##[endgroup]",
        *lines,
        *([f"##[error]Process completed with exit code {status}."] if status else []),
        "Post job cleanup.",
    ]
    stamped = [
        f"2024-07-13T09:04:{n // 100 % 60:02}.{n % 100:02}73607Z {line}" for n, line in enumerate(lines)
    ]
    if how == "gh":
        stamped = [f"test (3.11)\tRun tests\t{line}" for line in stamped]
        return ("\n".join(stamped) + "\n").encode()
    return b"\xef\xbb\xbf" + ("\r\n".join(stamped) + "\r\n").encode()


def main() -> None:
    """Write the logs named on the command line, or all."""
    for name in sys.argv[1:] or CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            lines, status = run(CASES[name], root)
            reports = root / "reports"
            truth = reports.read_text(encoding="utf-8") if reports.exists() else ""
        (HERE / f"{name}.truth").write_text(truth, encoding="utf-8")
        (HERE / f"{name}.log").write_bytes(dress(lines, status, CASES[name].dress))


if __name__ == "__main__":
    main()
