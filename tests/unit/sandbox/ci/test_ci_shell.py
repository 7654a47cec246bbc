"""Scripts as simple commands, each with its directory and its variables."""

import shlex

import pytest
from case_rows import values
from cost import cost
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from sandbox.ci.shell import MAX_SCRIPT, Word, simple_commands, tokens


def words(line):
    return [part.text if isinstance(part, Word) else (part,) for part in tokens(line)]


@every_case(
    ("line", "expected"),
    [
        *values("ci/shell_words.txt"),
        ("a \\\n b\\\nc", ["a", "bc"]),
        ("a # b 'c\nd", ["a", ("\n",), "d"]),
        ("cat <<EOF > x\npytest no\n  EOF\npytest yes", ["cat", ("\n",), ("\n",), "pytest", "yes"]),
        ("cat <<-'END' | sh\nit's\nEND\nb", ["cat", ("|",), "sh", ("\n",), ("\n",), "b"]),
        ("cat <<EOF\nno end", ["cat", ("\n",), "no", "end"]),
        ("a\r\nb\r\n", ["a", ("\n",), "b", ("\n",)]),
    ],
)
def test_words_and_separators(line, expected):
    assert words(line) == expected


@pytest.mark.slow
@given(st.lists(st.text(), min_size=1, max_size=5))
def test_words_that_were_quoted_come_back(texts):
    script = " ".join(map(shlex.quote, texts))
    found = list(tokens(script))
    assert [one.text for one in found if isinstance(one, Word)] == texts


def test_a_script_is_taken_apart_with_directories_and_variables():
    script = """\
cd backend  # where the code is
export MODE=fast
pip install -e . && pytest \\
    tests/unit > out.txt 2>&1
(cd ../other; pytest "a b")
docker run -v $PWD:/w image sh -c "cd deep && $RUN tests"
if [ -n "$CI" ]; then pytest last; fi
"""
    found = [
        (shlex.join(one.words), one.directory)
        for one in simple_commands(script, variables={"RUN": "coverage run -m pytest"})
        if any(word.endswith("pytest") for word in one.words) and one.words[0] != "docker"
    ]
    assert found == [
        ("pytest tests/unit", "backend"),
        ("pytest 'a b'", "other"),
        ("coverage run -m pytest tests", "backend/deep"),
        ("pytest last", "backend"),
    ]
    assert all(
        dict(one.environment)["MODE"] == "fast" for one in simple_commands(script) if "pytest" in one.words
    )


@every_case(
    ("script", "expected"),
    [
        *values("ci/shell_commands.txt"),
        ("A=1 B=2\nx $A ${B} $C", [("x 1 2 $C", ".")]),
        ("A=$(b -c d)\nx $A f", [("x '$(b -c d)' f", ".")]),
        ("B='c d'; A=$B\nx $A", [("x c d", ".")]),
        (
            "if [ $CI ]\nthen\n  x a\nelse\n  x b\nfi",
            [("[ $CI ]", "."), ("x a", "."), ("x b", "."), ("fi", ".")],
        ),
    ],
)
def test_a_shells_ways(script, expected):
    found = [(" ".join(shlex.quote(w) if " " in w else w for w in one.words), one.directory)
             for one in simple_commands(script)]  # fmt: skip
    assert found == expected


@every_case(
    "script",
    [
        "'",
        '"' * 30_000,
        "'\"" * 15_000,
        "(" * 50_000,
        "$(" * 20_000,
        "`" * 20_001,
        "\\\n" * 20_000,
        "cat <<A\n" * 5_000,
        "a #'\n" * 5_000,
        "A=$A$A$A$A$A$A$A$A\n" * 1_000 + "x $A",
        "export A" + "=" * 20_000,
        "sh -c 'sh -c \"sh -c pytest\"'",
        "sh -c " * 4_000,
        "cd a\n" * 5_000,
        "a >" + " " * 20_000,
        "> " * 10_000,
        "\0" * 20_000,
        "x" * 1_000_000,
    ],
)
def test_any_script_is_read_within_bounds(script):
    found = []
    assert cost(lambda: found.extend(simple_commands(script))) < 60
    assert sum(len(word) for one in found for word in one.words) < 10 * MAX_SCRIPT
