"""What `regreen bench libraries` runs: the list, out of archives with known digests and of clones."""

import io
import re
import tarfile
import zipfile
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
import yaml
from every_case import every_case
from git_history import bare_clone, commit, git

from benchmarks.fixes.mine import EXCLUDED
from benchmarks.libraries.catalogue import CATALOGUE, LIBRARY, items
from benchmarks.libraries.sources import Commit, Release
from benchmarks.runs.pins import digest
from bot.errors import ConfigurationError, MachineError

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


def release(cache, content):
    """A release whose archive with ``content`` is in the cache already."""
    archive = cache / "releases" / "tiny-1.0.archive"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(content)
    return Release(name="tiny", version="1.0", sha256=digest(archive), cache=cache)


def tarball(*members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("tiny-1.0/tiny.py", "x = 1\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content", [tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"x = 1\n")), zipped()], ids=["tar", "zip"]
)
def test_a_release_is_laid_out_without_the_directory_in_its_archive(tmp_path, content):
    found = release(tmp_path / "cache", content)
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert project == tmp_path / "work" / "tiny-1.0"
    assert [path.name for path in project.iterdir()] == ["tiny.py"]
    assert [path.name for path in project.parent.iterdir()] == ["tiny-1.0"]


def test_another_archive_than_the_release_is_refused(tmp_path):
    found = release(tmp_path, tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"")))
    (tmp_path / "releases" / "tiny-1.0.archive").write_bytes(b"something else")
    with pytest.raises(MachineError, match="is not the release tiny"):
        found.lay_out(tmp_path / "work")


LINK = tarfile.TarInfo("tiny-1.0/out")
LINK.type, LINK.linkname = tarfile.SYMTYPE, "../../.."


@pytest.mark.parametrize(
    "content",
    [
        tarball((LINK, b""), (tarfile.TarInfo("tiny-1.0/out/evil"), b"evil")),
        tarball((tarfile.TarInfo("../evil"), b"evil")),
        b"no archive",
    ],
    ids=["a link out", "a path out", "no archive"],
)
def test_nothing_is_written_outside_of_an_archives_directory(tmp_path, content):
    with pytest.raises(MachineError, match="cannot be unpacked"):
        release(tmp_path / "cache", content).lay_out(tmp_path / "work" / "tiny")
    assert not list(tmp_path.rglob("evil"))
    assert not list((tmp_path / "work").iterdir())


def test_a_checkout_is_at_its_commit_and_has_its_history(tmp_path):
    first = commit(tmp_path / "made", {"tiny.py": "x = 1\n"})
    commit(tmp_path / "made", {"tiny.py": "x = 2\n"})
    bare_clone(tmp_path / "made", tmp_path / "clones", "owner/tiny")
    found = Commit(repository="owner/tiny", commit=first, cache=tmp_path, clones=tmp_path / "clones")
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert (project / "tiny.py").read_text("utf-8") == "x = 1\n"
    assert git(project, "log", "--format=%H") == first
    with pytest.raises(MachineError, match="git: "):
        replace(found, commit="0" * 40).lay_out(tmp_path / "nothing")
