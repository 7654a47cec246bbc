"""``regreen lint-fix`` as a user runs it: a real tool in a real sandbox."""

import json
import sys

import pytest

UNTIDY = "import os\nimport sys\n\n\ndef total( a,b ):\n    return a+b\n"
TEST = "from shop import total\ndef test_total( ):\n    assert total(1,2)==3\n"


@pytest.fixture
def fix(project, run_regreen, environment):
    environment |= {"REGREEN_SANDBOX_PYTHON": sys.executable, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    rules = '[lint]\nselect = ["F401"]\n'
    root = project({"ruff.toml": rules, "shop.py": UNTIDY, "test_shop.py": TEST})

    def run(*options):
        return root, json.loads(run_regreen("lint-fix", root, "--json", *options).stdout)

    return run


@pytest.mark.slow
def test_a_formatter_named_by_a_log_fixes_code_and_tests_and_the_tests_still_pass(fix, tmp_path):
    log = tmp_path / "ci.log"
    log.write_text(
        "##[group]Run ruff format --check .\n\x1b[36;1mruff format --check .\x1b[0m\n"
        "shell: /usr/bin/bash -e {0}\n##[endgroup]\nWould reformat: shop.py\nWould reformat: test_shop.py\n"
        "2 files would be reformatted\n##[error]Process completed with exit code 1.\n"
    )
    root, result = fix("--log", str(log), "--apply")

    assert (result["outcome"], result["failing_before"]) == ("patched", ["ruff format --check ."])
    assert result["evidence"]["fail_to_pass"] == ["ruff format --check ."]
    assert result["evidence"]["pass_to_pass"] == 1
    assert "def total(a, b):\n    return a + b\n" in (root / "shop.py").read_text()
    assert "def test_total():" in (root / "test_shop.py").read_text()


@pytest.mark.slow
def test_the_safe_fixes_of_a_linter(fix):
    root, result = fix("--check", "ruff check shop.py", "--apply")

    assert result["outcome"] == "patched", result["reason"]
    assert (root / "shop.py").read_text() == UNTIDY.replace("import os\nimport sys\n", "")
    assert (root / "test_shop.py").read_text() == TEST


def test_nothing_is_delivered_where_the_check_still_fails_or_passes_or_the_tool_is_missing(fix):
    _, passing = fix("--check", "ruff check test_shop.py")
    _, missing = fix("--check", "isort --check .")

    assert (passing["outcome"], passing["diff"]) == ("not_reproduced", "")
    assert missing["outcome"] == "no_patch"
    assert "isort is not in the environment" in missing["reason"]
