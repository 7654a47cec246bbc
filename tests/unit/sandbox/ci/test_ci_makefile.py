"""What a call of make runs: targets, prerequisites, variables, other directories and files, limits."""

from cost import cost
from every_case import every_case
from sections import sections

from sandbox.ci.tools.makefile import MAX_FILE, MAX_LINE, MAX_LINES, script_of

SOURCES = sections("sources/ci_makefile.txt")[0].parts
MAKEFILE = SOURCES["MAKEFILE"]


def lines(command, makefile=MAKEFILE, *, name="Makefile", **more):
    return script_of(command.split(), {name: makefile.encode()}, **more).splitlines()


def test_prerequisites_come_first_and_each_line_is_a_shell_of_its_own():
    assert lines("make -j2 test") == [
        "(pip install -e .)",
        "(true pip)",
        "(generate)",
        "(true pip)",
        "(generate)",
        "(python -m pytest -x --strict tests  --last)",
        "(cd docs && make html)",
        "(echo $HOME )",
    ]
    assert lines("make") == [*lines("make test"), "(ruff check)"]


@every_case(
    ("command", "expected"),
    [
        ("make lint", "(ruff check)"),
        ("make lint lint", "(ruff check)"),
        ("make -j 4 lint", "(ruff check)"),
        ("make -j lint", "(ruff check)"),
        ("make -k --no-print-directory lint", "(ruff check)"),
        ("make gone", ""),
        ("make loop", "(pytest loop)"),
    ],
)
def test_targets(command, expected):
    assert "\n".join(lines(command)) == expected


def test_the_jobs_variables_count_where_the_file_does_not_set_them():
    given = {"PYTEST": "py.test", "GONE": "here", "ARGS": "-q"}
    found = lines("make test", variables=given)
    assert "(py.test -x --strict tests  --last)" in found
    assert "(echo $HOME here)" in found
    assert "(pytest -v tests  --last)" in lines("make ARGS=-v PYTEST=pytest test", variables=given)


def test_other_directories_and_files():
    files = {
        "sub/Makefile": b"t:\n\tpytest sub\n",
        "ci/test.mk": b"t:\n\tpytest ci\n",
        "GNUmakefile": b"t:\n\tpytest top\n",
        "Makefile": b"t:\n\tpytest no\n",
    }
    assert script_of(["make", "t"], files) == "(pytest top)"
    assert script_of(["make", "-C", "sub", "t"], files) == "cd sub\n(pytest sub)"
    assert script_of(["make", "--directory=sub", "t"], files) == "cd sub\n(pytest sub)"
    assert script_of(["make", "t"], files, directory="sub") == "(pytest sub)"
    assert script_of(["make", "-C", "../ci", "-f", "test.mk", "t"], files, directory="sub") == (
        "cd ../ci\n(pytest ci)"
    )
    assert script_of(["make", "-C", "gone", "t"], files) == ""
    assert script_of(["make", "--file=gone.mk", "t"], files) == ""
    assert script_of(["make"], {}) == ""


NAMES = " ".join(f"t{n}" for n in range(4_000))
HOSTILE = {
    "variables that grow": "A="
    + "$(B)" * 1_000
    + "\nB="
    + "$(C)" * 1_000
    + "\nC="
    + "x" * 4_000
    + "\nt:\n\t$(A)\n",
    "a variable of itself": "A=$(A)$(A)\nt:\n\t$(A)\n",
    "a variable that is added to": "A += $(A)x\n" * 9_000 + "t:\n\t$(A)\n",
    "many targets of one recipe": f"{NAMES}:\n" + "\tx\n" * 80_000,
    "many prerequisites of many targets": f"{NAMES}: {NAMES}\n" * 4 + "\tx\n",
    "a chain": "".join(f"t{n}: t{n + 1}\n\tx\n" for n in range(9_000)),
    "one target again and again": "t:\n\tx\n" * 40_000,
    "a long line": "t:\n\t" + "x" * 150_000,
    "blanks": "t" + " " * 150_000 + "x\n",
    "colons": ":" * 150_000,
    "backslashes": "t: \\\n" * 30_000,
    "references without end": "t:\n\t" + "$(" * 50_000,
    "zero bytes": "\0" * 150_000 + ":\n\tx\n",
    "too long": "t:\n\tx\n" + "#" * MAX_FILE,
}


@every_case("text", HOSTILE.values())
def test_a_hostile_makefile_is_read_within_bounds(text):
    files = {"Makefile": text.encode()}
    found = []
    assert cost(lambda: found.append(script_of(["make", "t", "t0"], files))) < 60
    assert len(found[0].splitlines()) <= MAX_LINES
    assert max(map(len, found[0].splitlines()), default=0) <= MAX_LINE + 2
