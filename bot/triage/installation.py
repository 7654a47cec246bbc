"""Rules about what tests need: packages that resolve, build and import, and a runner that starts."""

from __future__ import annotations

from bot.triage.table import rule

RULES = (
    rule(
        "dependency/resolution",
        0.95,
        why="the installer found no set of releases that fits",
        example="ERROR: No matching distribution found for widgets==9.9",
        patterns=(
            r"No matching distribution found for",
            r"Could not find a version that satisfies the requirement",
            r"ResolutionImpossible",
            r"No solution found when resolving",
            r"[Vv]ersion solving failed",
            r"because these package versions have conflicting dependencies",
            r"SolverProblemError",
        ),
    ),
    rule(
        "dependency/resolution",
        0.95,
        why="the package manager found no set of packages that fits",
        example="PackagesNotFoundError: The following packages are not available from current channels:",
        patterns=(
            r"PackagesNotFoundError",
            r"UnsatisfiableError",
            r"LibMambaUnsatisfiableError",
            r"nothing provides .* needed by",
            r"Could not solve for environment specs",
            r"E: Unable to locate package",
            r"has no installation candidate",
        ),
    ),
    rule(
        "dependency/resolution",
        0.9,
        why="a package does not support this Python",
        example="ERROR: Package 'widgets' requires a different Python: 3.7.17 not in '>=3.9'",
        patterns=(
            r"requires a different Python",
            r"Requires-Python",
            r"requires-python .* (?:does not|is not)",
            r"Package '.*' requires a different Python",
            r"python version .* is not supported",
            r"The current project's supported Python range",
        ),
    ),
    rule(
        "dependency/lock",
        0.95,
        why="the lock file does not fit what it locks",
        example=(
            "pyproject.toml changed significantly since poetry.lock was last generated. poetry.lock is "
            "not up to date"
        ),
        patterns=(
            r"THESE PACKAGES DO NOT MATCH THE HASHES",
            r"Hashes are required in --require-hashes mode",
            r"(?:poetry|pdm|Pipfile)\.lock.{0,60}(?:out.of.date|not up to date|changed significantly)",
            r"pyproject\.toml changed significantly since",
            r"lockfile .{0,60}(?:needs to be updated|out of date|outdated)",
            r"lock file .{0,40}is not compatible",
        ),
    ),
    rule(
        "dependency/build",
        0.9,
        why="a package could not be built",
        example="ERROR: Failed building wheel for widgets",
        patterns=(
            r"Failed building wheel for",
            r"Failed to build .{1,80}(?:when|installable wheels)",
            r"metadata-generation-failed",
            r"error: subprocess-exited-with-error",
            r"Getting requirements to build wheel .*error",
            r"Preparing metadata .*: finished with status 'error'",
            r"Could not build wheels for",
            r"command .*setup\.py.* failed",
            r"legacy-install-failure",
        ),
    ),
    rule(
        "dependency/version_conflict",
        0.9,
        why="two packages do not fit each other",
        example=(
            "ImportError: cannot import name 'escape' from 'widgets' "
            "(/usr/lib/python3/site-packages/widgets/__init__.py)"
        ),
        patterns=(
            r"(?:pkg_resources\.)?(?:ContextualVersionConflict|VersionConflict|DistributionNotFound)\b",
            r"cannot import name .* from '(?!__main__)[\w.]+' \(.*(?:site|dist)-packages",
            r"A module that was compiled using NumPy 1",
            r"numpy\.dtype size changed",
            r"undefined symbol: ",
            r"version `GLIBC[\w.]*' not found",
        ),
    ),
    rule(
        "dependency/version_conflict",
        0.6,
        why="one package failed to find something in another",
        example="/usr/lib/python3/site-packages/widgets/core.py:12: AttributeError",
        patterns=(
            r"[/\\](?:site|dist)-packages[/\\].*:\d+: (?:AttributeError|ImportError|ModuleNotFoundError)$",
        ),
    ),
    rule(
        "dependency/version_conflict",
        0.35,
        why="pip warned that installed packages do not fit each other",
        example="widgets 1.0 requires gears<2, but you have gears 2.1 which is incompatible.",
        patterns=(
            r"dependency resolver does not currently take into account",
            r"which is incompatible\.$",
            r"has requirement .*, but you(?:'ll)? have",
            r"pip check",
        ),
    ),
    rule(
        "dependency/missing_module",
        0.85,
        why="a module is not installed",
        example="ModuleNotFoundError: No module named 'widgets'",
        patterns=(
            r"ModuleNotFoundError: No module named",
            r": No module named '?[\w.]+'?$",
            r"ImportError: No module named",
        ),
    ),
    rule(
        "dependency/missing_library",
        0.85,
        why="a library of the system is missing",
        example="ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
        patterns=(
            r"error while loading shared libraries",
            r"cannot open shared object file",
            r"fatal error: [\w./-]+\.h: No such file",
            r"pg_config executable not found",
            r"mysql_config(?:: | )not found",
            r"Library not loaded: ",
            r"DLL load failed",
        ),
    ),
    rule(
        "configuration/test_runner",
        0.9,
        why="the tests' own command line or configuration is wrong",
        example="ERROR: file or directory not found: test/unit",
        patterns=(
            r"error: unrecognized arguments: ",
            r"ERROR: (?:file or directory )?not found: ",
            r"ERROR: usage: ",
            r"^usage: (?:pytest|py\.test|tox|nox)\b",
            r"ERROR: Unknown config option",
            r"Unknown pytest\.mark",
            r"not found in `markers` configuration option",
            r"pytest: error: ",
            r"Unknown config option: ",
        ),
    ),
    rule(
        "configuration/test_runner",
        0.9,
        why="tox or nox was asked for what it cannot do",
        example="ROOT: HandledError| provided environments not found in configuration file: py399",
        patterns=(
            r"unknown environment '?\S+",
            r"tox\.tox_env\.errors",
            r"tox: error: ",
            r"provision.* failed",
            r"HandledError\|",
            r"Sessions not found: ",
            r"skipped because could not find python interpreter",
            r"InterpreterNotFound",
            r"could not find python interpreter",
        ),
    ),
    rule(
        "configuration/no_tests",
        0.8,
        why="no test was found to run",
        example="============================ no tests ran in 0.01s =============================",
        patterns=(
            r"^=* ?no tests ran in ",
            r"Process completed with exit code 5\b",
            r"^NO TESTS RAN\b",
            r"collected 0 items$",
        ),
    ),
    rule(
        "configuration/coverage",
        0.85,
        why="the tests passed, and too little of the code was covered",
        example="FAIL Required test coverage of 90% not reached. Total coverage: 87.40%",
        patterns=(
            r"FAIL Required test coverage of",
            r"Coverage failure: total of",
            r"Required test coverage of .* not reached",
            r"total coverage .* is less than fail-under",
        ),
    ),
    rule(
        "configuration/settings",
        0.85,
        why="a setting is missing or cannot be read",
        example="django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.",
        patterns=(
            r"ImproperlyConfigured\b",
            r"(?:environment variable|setting) .{1,60}(?:is )?(?:not set|missing|required)",
            r"KeyError: '[A-Z][A-Z0-9]*_[A-Z0-9_]+'$",
            r"TOMLDecodeError",
            r"tomllib\.",
            r"Invalid (?:TOML|YAML|statement)",
            r"configparser\.\w+Error",
            r"Error parsing .{0,40}pyproject\.toml",
        ),
    ),
)
