"""What a person says of each log: the verdict, and the command that ran the tests."""

CODE_TESTS = "code/tests"

# name: verdict, test command
SMALL = {
    "assertion": (CODE_TESTS, "pytest tests/unit"),
    "black_check": ("lint/format", None),
    "command_not_found": ("configuration/command", "tox -e py311"),
    "coverage_threshold": ("configuration/coverage", "pytest"),
    "cpp_compile": ("not_python/native", None),
    "database_down": ("infrastructure/service", "python manage.py test"),
    "disk_full": ("infrastructure/disk", None),
    "dns_failure": ("infrastructure/network", None),
    "git_clone_broke": ("infrastructure/network", None),
    "gitlab_timeout": ("infrastructure/timeout", "python -m pytest tests"),
    "green": ("passed", "pytest"),
    "image_build": ("not_python/container", None),
    "isort_check": ("lint/imports", None),
    "job_timeout": ("infrastructure/timeout", "pytest"),
    "killed_for_memory": ("infrastructure/memory", "pytest"),
    "local_pytest": (CODE_TESTS, "pytest"),
    "lock_outdated": ("dependency/lock", None),
    "missing_test_module": ("dependency/missing_module", "pytest"),
    "mypy_types": ("lint/types", None),
    "not_a_log": ("unknown", None),
    "nothing_collected": ("configuration/no_tests", "pytest unit_tests"),
    "npm_test": ("not_python/javascript", None),
    "own_import": ("code/import", "pytest"),
    "permission": ("configuration/permission", None),
    "pip_resolution": ("dependency/resolution", None),
    "plugin_missing": ("dependency/missing_module", "pytest"),
    "pre_commit": ("lint/hooks", None),
    "pytest_not_installed": ("dependency/missing_module", "python -m pytest tests"),
    "python_version": ("configuration/workflow", None),
    "retried_download_then_red": (CODE_TESTS, "pytest"),
    "ruff_check": ("lint/style", None),
    "ruff_check_full": ("lint/style", None),
    "runner_shutdown": ("infrastructure/runner", "pytest"),
    "script_crash": ("code/start", None),
    "settings_missing": ("configuration/settings", "python manage.py test"),
    "sphinx_warnings": ("lint/documentation", None),
    "tests_offline": ("infrastructure/network", "pytest"),
    "tox_two_environments": ("lint/format", "python -m pytest tests"),
    "unittest_failure": (CODE_TESTS, "PYTHONPATH=backend python -m unittest discover -s backend/tests"),
    "unknown_option": ("configuration/test_runner", "pytest --fast-only"),
    "uv_resolution": ("dependency/resolution", None),
    "wheel_build": ("dependency/build", None),
}

# The fourteen real logs: verdict, how many failing tests are worth a repair, the end of the test command, why
# so.
REAL = {
    "2024423709": (CODE_TESTS, 36, "python -m pytest gammapy", "a check of a constructor's argument fails"),
    "2163834915": (CODE_TESTS, 1, "pytest --ignore=examples/", "an assertion on the spans of a query"),
    "2283578153": (CODE_TESTS, 1, "python -m pytest gammapy", "a computed radius is another than expected"),
    "2360239904": (
        "dependency/version_conflict",
        0,
        "python -m pytest tests --ignore tests/integration",
        "six tests: moto uses an inside of responses that is gone; four: no name resolution",
    ),
    "2424147467": (CODE_TESTS, 1, "pytest unit/ functional/", "an assertion on a prompt's layout"),
    "2468864400": ("code/start", 0, "./runtests.py", "lru_cache without parentheses on Python 3.7"),
    "2496945256": (CODE_TESTS, 1, "python setup.py test", "an argument of __init__ is missing"),
    "2506527647": (
        CODE_TESTS,
        1,
        "python -m unittest discover -s inventree-python/test",
        "the server refuses a method, and connections that are refused on purpose stand in the log",
    ),
    "2511279398": ("passed", 0, "python -m unittest", "55 tests pass"),
    "2512030835": (CODE_TESTS, 5, "pytest kubernetes/e2e_test", "a syntax error in a module of the project"),
    "2512083654": ("flaky/crash", 0, "python runtests.py", "five runs die in two different tests"),
    "2516961170": (CODE_TESTS, 1, "python -m unittest discover selfdrive/car", "duplicates in a table"),
    "27403903613": ("passed", 0, "pytest ./tests", "45 tests pass, 2 fail as expected"),
    "27666867032": (CODE_TESTS, 1, "pytest tests", "a matrix is another than expected"),
}

# Logs of other tools and services, written after the rules and before anything was changed for them.
LATER = {
    "assert_script": "configuration/check",  # a check of the project's own, which no rule knows
    "azure_conda": "dependency/resolution",
    "checkout_lfs": "infrastructure/rate_limit",
    "circle_oom": "infrastructure/memory",
    "cov_total": "configuration/coverage",
    "db_host": "infrastructure/network",
    "deploy": "configuration/permission",
    "docker_pull": "infrastructure/network",
    "eslint": "not_python/javascript",
    "fail_fast_cancel": "infrastructure/cancelled",
    "mypy_stubs": "lint/types",
    "pip_oserror": "infrastructure/network",
    "pylint": "lint/style",
    "setup_py_syntax": "code/start",  # the file that does not parse is the project's own
    "tox3_flake8": "lint/style",
    "travis": CODE_TESTS,
}
