"""``regreen fix`` where one failing test is about the machine and another about the code."""

import json
import os

import pytest

SHOP = "def total(net, tax):\n    return net - tax\n"
TESTS = (
    "from shop import total\n\n\n"
    "def test_total():\n    assert total(100, 20) == 120\n    assert total(1, 0) == 1\n"
)
MACHINE = "import shop\n\nassert 0, 'for another interpreter'\n"


@pytest.fixture
def fix(tmp_path, project_environment, regreen):
    def run(files, *options):
        root = tmp_path / "project"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        environment = {
            **os.environ,
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "VIRTUAL_ENV": str(project_environment),
        }
        done = regreen("fix", root, "--sandbox", "process", "--json", *options, environment=environment)
        return json.loads(done.stdout)

    return run


def test_the_code_is_repaired_and_the_other_test_is_named(fix):
    found = fix({"shop.py": SHOP, "tests/test_shop.py": TESTS, "tests/test_machine.py": MACHINE})
    assert found["outcome"] == "patched", found["reason"]
    assert "+    return net + tax" in found["diff"]
    assert found["set_apart"] == {"tests/test_machine.py": "it runs no source line that a patch may change"}
    assert found["evidence"]["confidence"] == "low"


def test_a_value_made_while_importing_is_no_reason_to_set_a_test_apart(fix):
    shop = "def total(net, tax):\n    return net - tax\n\n\nRATE = 3\n"
    rate = "import shop\n\n\ndef test_rate():\n    assert shop.RATE == 4\n"
    found = fix(
        {"shop.py": shop, "tests/test_shop.py": TESTS, "tests/test_rate.py": rate}, "--time-budget", "8s"
    )
    assert found["set_apart"] == {}
    assert found["outcome"] != "patched" or "RATE = 4" in found["diff"]
