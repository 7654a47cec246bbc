"""Rules about checks that are no tests, such as style and types, and about other languages."""

from __future__ import annotations

from bot.triage.table import rule

RULES = (
    rule(
        "lint/format",
        0.95,
        why="a formatter would write files otherwise",
        example="would reformat src/widgets/core.py",
        patterns=(
            r"\d+ files? would be reformatted",
            r"^would reformat \S+",
            r"^Would reformat: \S+",
        ),
    ),
    rule(
        "lint/imports",
        0.95,
        why="isort would order the imports otherwise",
        example="ERROR: /home/runner/work/w/w/src/core.py Imports are incorrectly sorted and/or formatted.",
        patterns=(r"Imports are incorrectly sorted and/or formatted",),
    ),
    rule(
        "lint/types",
        0.95,
        why="a type checker found errors",
        example="Found 3 errors in 2 files (checked 41 source files)",
        patterns=(
            r"^Found \d+ errors? in \d+ files? \(checked",
            r"^\d+ errors?, \d+ warnings?, \d+ informations?",
            r"^\S+\.pyi?:\d+(?::\d+)?: error: .*\[[\w-]+\]$",
            r"^\s+\S+\.pyi?:\d+:\d+ - error: ",
        ),
    ),
    rule(
        "lint/style",
        0.9,
        why="a linter found something",
        example="src/widgets/core.py:3:1: F401 'os' imported but unused",
        patterns=(
            r"^(?:\./)?\S+\.pyi?:\d+:\d+:? \[?[A-Z]{1,4}\d{2,5}(?:\([\w-]+\))?\]?:? ",
            r"^Found \d+ errors?\.?(?: \(|$)",
            r"\[\*\] \d+ fixable with",
            r"Your code has been rated at",
            r"^\*{13} Module ",
            r"^error\[[A-Z]+\d+\]:",
            r"^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?[A-Z`\[].*",
            r"^>> Issue: \[B\d+:",
        ),
    ),
    rule(
        "dependency/vulnerable",
        0.9,
        why="an audit found packages with known vulnerabilities",
        example="Found 3 known vulnerabilities in 2 packages",
        patterns=(r"^Found \d+ known vulnerabilit", r"\d+ vulnerabilit\w+ (?:reported|found)$"),
    ),
    rule(
        "configuration/upload",
        0.85,
        why="a report could not be handed in",
        example="Error: Codecov: Failed to properly upload report",
        patterns=(
            r"Codecov: Failed to",
            r"There was an error running the uploader",
            r"coveralls.*(?:422|failed)",
        ),
    ),
    rule(
        "lint/hooks",
        0.9,
        why="a hook of pre-commit failed",
        example="- files were modified by this hook",
        patterns=(
            r"^- hook id: ",
            r"files were modified by this hook",
            r"pre-commit\.ci",
            r"\.{5,}Failed$",
        ),
    ),
    rule(
        "lint/documentation",
        0.9,
        why="the documentation did not build without warnings",
        example="build finished with problems, 1 warning (with warnings treated as errors).",
        patterns=(
            r"build finished with problems",
            r"Warning, treated as error:",
            r"warnings? \(with warnings treated as errors\)",
            r"Aborted with \d+ warnings? in strict mode",
            r"Sphinx error:",
        ),
    ),
    rule(
        "lint/packaging",
        0.9,
        why="a check of the project's files failed",
        example="lists of files in version control and sdist do not match!",
        patterns=(
            r"lists of files in version control and sdist do not match",
            r"^Checking dist/.*: FAILED",
            r"(?:suggested|missing from) MANIFEST\.in",
            r"codespell: ",
            r"^\S+:\d+: \w+ ==> \w+$",
            r"No new newsfragments found on this branch",
        ),
    ),
    rule(
        "not_python/javascript",
        0.9,
        why="a tool of JavaScript failed",
        example="npm ERR! code ELIFECYCLE",
        patterns=(
            r"^npm ERR! ",
            r"^npm error ",
            r"error Command failed with exit code",
            r"^error TS\d+:",
            r": error TS\d+:",
            r"ERR_PNPM_",
            r"^ELIFECYCLE",
            r"^Test Suites: \d+ failed",
            r"\d+ problems? \(\d+ errors?, \d+ warnings?\)$",
        ),
    ),
    rule(
        "not_python/rust",
        0.9,
        why="Rust's compiler or tests failed",
        example="error: could not compile `widgets` (lib) due to 2 previous errors",
        patterns=(
            r"^error\[E\d{4}\]",
            r"^error: could not compile",
            r"^test result: FAILED\.",
        ),
    ),
    rule(
        "not_python/go",
        0.9,
        why="Go's compiler or tests failed",
        example="--- FAIL: TestWidget (0.00s)",
        patterns=(
            r"^--- FAIL: \w+",
            r"^FAIL\t\S+",
            r"^go: .*: (?:no required module|unknown revision)",
            r"^\S+\.go:\d+:\d+: ",
        ),
    ),
    rule(
        "not_python/native",
        0.85,
        why="a compiler of C or C++ failed",
        example="src/widget.cpp:12:3: error: use of undeclared identifier 'gear'",
        patterns=(
            r"^\S+\.(?:c|cc|cpp|cxx|h|hpp|cu|pyx):\d+(?::\d+)?: (?:fatal )?error: ",
            r"^CMake Error",
            r"^ninja: build stopped",
            r"^make(?:\[\d+\])?: \*\*\* \[.*\.o\] Error",
            r"ld returned 1 exit status",
            r"^The following tests FAILED:$",
        ),
    ),
    rule(
        "not_python/jvm",
        0.9,
        why="a build for the Java machine failed",
        example="FAILURE: Build failed with an exception.",
        patterns=(
            r"^\[ERROR\] Failed to execute goal",
            r"^BUILD FAILED in",
            r"^FAILURE: Build failed with an exception",
            r"^\[ERROR\] BUILD FAILURE",
        ),
    ),
    rule(
        "not_python/container",
        0.85,
        why="a container image did not build",
        example=(
            'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2'
        ),
        patterns=(
            r"^ERROR: failed to solve: ",
            r"^The command '/bin/sh -c .*' returned a non-zero code",
            r"^Error: buildx failed with",
            r"failed to build: executor failed",
        ),
    ),
)
