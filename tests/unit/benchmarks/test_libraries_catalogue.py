"""What `regreen bench libraries` runs: the list that comes with it, and lists that are none."""

import re
from collections import Counter
from functools import partial

import pytest
import yaml
from every_case import every_case

from benchmarks.fixes.mine import EXCLUDED
from benchmarks.libraries.catalogue import CATALOGUE, LIBRARY, items
from bot.errors import ConfigurationError

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SHA256 = "0" * 64


@pytest.fixture
def read(tmp_path):
    return partial(items, cache=tmp_path)


def catalogue(tmp_path, **parts):
    path = tmp_path / "catalogue.yaml"
    path.write_text(yaml.safe_dump({"format": 1, "rules": {}, **parts}), "utf-8")
    return path


def test_the_list_is_long_enough_and_names_nothing_twice(read):
    found = read()
    groups = Counter(item.group for item in found)
    assert groups.pop(LIBRARY) >= 66
    assert set(groups) == {"checkout 2024", "checkout 2025", "checkout 2026"}
    assert min(groups.values()) == max(groups.values()) >= 42
    assert len({item.name for item in found}) == len(found)


def test_what_judges_elsewhere_is_not_in_the_list(read):
    names = {re.sub(r".*/|@.*", "", item.name).casefold() for item in read()}
    assert names & EXCLUDED == {"httpx", "starlette"}  # which judge by their histories alone


def test_each_rule_and_each_skipped_project_has_its_reason():
    plain = yaml.safe_load(CATALOGUE.read_text("utf-8"))
    assert set(plain["rules"]) == {"libraries", "repositories"}
    assert all(len(rule) > 100 for rule in plain["rules"].values())
    assert all(skipped["reason"] for skipped in plain["skipped"])


def test_each_commit_was_made_in_its_year():
    for repository in yaml.safe_load(CATALOGUE.read_text("utf-8"))["repositories"]:
        for year, at in repository["commits"].items():
            assert str(at["date"]).startswith(f"{year}-"), repository["name"]


def test_a_commit_has_the_options_of_its_repository_unless_it_has_its_own(read, tmp_path):
    path = catalogue(
        tmp_path,
        libraries=[{"name": "six", "version": "1.0", "sha256": SHA256}],
        repositories=[
            {
                "name": "Owner/six",
                "options": {"test_command": "pytest a"},
                "commits": {
                    2024: {"commit": COMMIT, "date": "2024-01-02"},
                    2025: {"commit": COMMIT, "date": "2025-01-02", "options": {"test_command": "pytest b"}},
                },
            }
        ],
    )
    found = read(path)
    assert [(item.name, item.options) for item in found] == [
        ("six", {}),
        ("Owner/six@2024", {"test_command": "pytest a"}),
        ("Owner/six@2025", {"test_command": "pytest b"}),
    ]


@every_case(
    "parts",
    [
        {"format": 2},
        {"libraries": [{"name": "../six", "version": "1", "sha256": SHA256}]},
        {"libraries": [{"name": "six", "version": 1.2, "sha256": SHA256}]},
        {"libraries": [{"name": "six", "version": "1", "sha256": "0"}]},
        {"repositories": [{"name": "six", "commits": {}}]},
        {"repositories": [{"name": "o/six", "commits": {2024: {"commit": "--help", "date": "2024-01-01"}}}]},
        {"libraries": [{"name": "six", "version": "1", "sha256": SHA256, "options": {"colour": 1}}]},
        None,
    ],
)
def test_another_file_is_refused_in_one_line(read, tmp_path, parts):
    path = catalogue(tmp_path, **parts or {})
    if parts is None:
        path.write_text("a: [", "utf-8")
    with pytest.raises(ConfigurationError) as raised:
        read(path)
    assert "\n" not in str(raised.value)
