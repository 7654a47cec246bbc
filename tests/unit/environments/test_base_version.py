"""The version to compare with: a directory, a diff taken back, or a commit; else there is a reason."""

import os
import time
from types import SimpleNamespace

import pytest
from dulwich import porcelain
from dulwich.repo import Repo
from git_support import NEW, OLD, base_of, diff_between

from bot.environments.versions.checkout import commit_time


@pytest.fixture
def repo(checkout):
    """A repository whose first commit has OLD in src/m.py; ``write`` commits other texts of it."""
    made = SimpleNamespace(
        top=checkout.top,
        git=checkout.repository,
        write=lambda text: checkout.commit({"src/m.py": text}),
        base=lambda wanted="auto", text=NEW: base_of(checkout.top, wanted, {"src/m.py": text}),
    )
    made.write(OLD)
    return made


def test_of_a_dirty_checkout_it_is_head_and_of_a_clean_one_the_parent(repo):
    found = repo.base()
    assert (found.name, found.sources, found.problem) == ("HEAD", {"src/m.py": OLD}, "")
    repo.write(NEW)
    found = repo.base()
    assert found.sources == {"src/m.py": OLD}
    assert found.name.endswith("the parent of HEAD")


def test_of_a_branch_it_is_where_the_branch_begins(repo):
    porcelain.branch_create(repo.git, "topic")
    repo.write("main went on\n")
    porcelain.checkout(repo.git, "topic")
    repo.write("in between\n")
    repo.write(NEW)
    found = repo.base()
    assert found.sources == {"src/m.py": OLD}
    assert found.name.endswith("where the branch begins")


def test_a_revision_by_its_name_and_a_project_below_the_top(repo):
    first = repo.write("earlier\n")
    repo.write(NEW)
    found = base_of(repo.top / "src", first.decode()[:10], {"m.py": NEW})
    assert found.sources == {"m.py": "earlier\n"}
    assert found.name == f"{first.decode()[:10]} ({first.decode()[:12]})"
    assert base_of(repo.top / "src", "main", {"m.py": "x\n"}).sources == {"m.py": NEW}


def test_bytes_that_are_no_utf_8_and_new_files(repo):
    repo.write("x = '\udcff'\n")
    head = {"src/m.py": "x = '\udcfe'\n", "src/new.py": "y\n"}
    assert base_of(repo.top, "main", head).sources == {"src/m.py": "x = '\udcff'\n"}


def test_a_revision_before_another(repo):
    for number in range(4):
        repo.write(f"x = {number}\n")
    for wanted, text in (
        ("HEAD~1", "x = 2\n"),
        ("main^^", "x = 1\n"),
        ("HEAD~", "x = 2\n"),
        ("HEAD^0~4", OLD),
    ):
        found = repo.base(wanted)
        assert (found.sources, found.problem) == ({"src/m.py": text}, "")
        assert found.name.startswith(wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        *("HEAD^2", "HEAD~9999999", "HEAD~1000", "no-such-branch", "v9.9", "0" * 40, "-x", "a..b", "\u00e9"),
        *("^", "/no/where"),
    ],
)
def test_a_revision_that_is_not_there_has_a_reason(repo, wanted):
    found = repo.base(wanted)
    assert (found.name, found.sources) == ("", {})
    assert found.problem
    assert "\n" not in found.problem


def test_a_damaged_repository_has_a_reason_and_so_has_an_empty_one(repo, tmp_path_factory):
    for file in (repo.top / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"damaged")
    assert repo.base().problem
    empty = tmp_path_factory.mktemp("empty")
    Repo.init(str(empty)).close()
    assert base_of(empty, "auto", {"m.py": NEW}).problem


def test_where_there_is_no_checkout_auto_says_nothing_and_a_name_does(tmp_path):
    assert base_of(tmp_path, "auto", {"m.py": NEW}).problem == ""
    assert base_of(tmp_path, "main", {"m.py": NEW}).problem.endswith("is no git checkout")


@pytest.mark.parametrize("wanted", ["none", ""])
def test_none_is_none(repo, wanted):
    assert repo.base(wanted).sources == {}


def test_a_directory(tmp_path):
    (tmp_path / "m.py").write_text(OLD)
    (tmp_path / "same.py").write_text("s\n")
    (tmp_path / "link.py").symlink_to("m.py")
    head = {"m.py": NEW, "same.py": "s\n", "link.py": NEW, "new.py": "n\n"}
    found = base_of(tmp_path, str(tmp_path), head)
    assert (found.name, found.sources) == (str(tmp_path), {"m.py": OLD})


def test_a_directory_of_something_else_has_a_reason_and_a_pipe_is_not_read(tmp_path):
    assert "has none of the project's Python files" in base_of(tmp_path, str(tmp_path), {"m.py": NEW}).problem
    os.mkfifo(tmp_path / "pipe")
    assert "neither" in base_of(tmp_path, str(tmp_path / "pipe"), {"m.py": NEW}).problem


def test_a_diff_is_taken_back_as_far_as_it_applies(tmp_path):
    old = {"m.py": "".join(f"x{n} = {n}\n" for n in range(40))}
    new = {"m.py": old["m.py"].replace("x3 = 3", "x3 = 4").replace("x30 = 30", "x30 = 31")}
    diff = diff_between(old, new)
    assert base_of(tmp_path, "auto", new, diff=diff).sources == old
    head = {"m.py": new["m.py"].replace("x31 = 31", "x31 = 0")}  # the second hunk's lines are not there
    found = base_of(tmp_path, "auto", head, diff=diff)
    assert found.sources == {"m.py": head["m.py"].replace("x3 = 4", "x3 = 3")}
    (tmp_path / "change.diff").write_text(diff)
    assert base_of(tmp_path, str(tmp_path / "change.diff"), new).sources == old


@pytest.mark.parametrize(
    "diff",
    [
        "no diff at all",
        "--- a/m.py\n+++ b/m.py\n@@ -1,9 +1,9 @@\n-x\n",
        "--- a/m.py\n+++ b/m.py\n@@ nonsense @@\n",
        "Binary files a/m.py and b/m.py differ\n",
        "--- /dev/null\n+++ b/m.py\n@@ -0,0 +1,2 @@\n+def f():\n+    return 2\n",
        "--- a/m.py\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
    ],
)
def test_a_diff_that_says_nothing_of_the_project_gives_no_base(tmp_path, diff):
    assert base_of(tmp_path, "auto", {"m.py": NEW}, diff=diff).sources == {}


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "shallow", "objects/aa", "refs/heads/x"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_a_repository_with_a_pipe_or_a_device_is_not_read(repo, name, kind):
    """A library would wait for the pipe, and read the device until the memory is full."""
    place = repo.top / ".git" / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place) if kind == "pipe" else place.symlink_to("/dev/zero")
    for wanted in ("auto", "main"):
        assert "no plain files" in repo.base(wanted).problem
    assert commit_time(repo.top) is None


def test_a_configuration_that_includes_files_is_not_read(repo):
    (repo.top / ".git" / "config").write_text("[include]\n\tpath = /dev/zero\n")
    assert "includes other files" in repo.base().problem
    assert commit_time(repo.top) is None


@pytest.mark.parametrize("how", ["a file", "a link", "alternates"])
def test_what_leads_to_another_repository_is_read_on_request_only(repo, tmp_path_factory, how):
    project = tmp_path_factory.mktemp("project")
    if how == "a file":
        (project / ".git").write_text(f"gitdir: {repo.top}/.git\n")
    elif how == "a link":
        (project / ".git").symlink_to(repo.top / ".git")
    else:
        Repo.init(str(project), default_branch=b"main").close()
        (project / ".git" / "objects" / "info").mkdir(exist_ok=True)
        (project / ".git" / "objects" / "info" / "alternates").write_text(f"{repo.top}/.git/objects\n")
    found = base_of(project, "auto", {"src/m.py": NEW})
    assert found.sources == {}
    assert found.problem
    if how == "a file":
        assert base_of(project, "main", {"src/m.py": NEW}).sources == {"src/m.py": OLD}


def test_hooks_and_sockets_of_git_are_no_matter(repo):
    (repo.top / ".git" / "hooks").mkdir(exist_ok=True)
    (repo.top / ".git" / "hooks" / "pre-commit").symlink_to("/bin/true")
    assert repo.base().sources == {"src/m.py": OLD}


def test_a_revision_comes_before_a_path_of_its_name_and_another_path_needs_no_dot(repo, monkeypatch):
    repo.write(NEW)
    for name in ("main", "other"):
        (repo.top / name / "src").mkdir(parents=True)
        (repo.top / name / "src" / "m.py").write_text("planted\n")
    monkeypatch.chdir(repo.top)
    head = {"src/m.py": "other\n"}
    found = base_of(repo.top, "main", head)
    assert found.sources == {"src/m.py": NEW}
    assert "./main" in found.note
    assert found.name.endswith("), the revision and not the path")
    assert base_of(repo.top, "./main", head).sources == {"src/m.py": "planted\n"}
    assert base_of(repo.top, str(repo.top / "main"), head).sources == {"src/m.py": "planted\n"}
    found = base_of(repo.top, "other", head)
    assert (found.sources, found.note) == ({"src/m.py": "planted\n"}, "")


def test_parts_of_one_file_are_taken_back_in_turn(tmp_path):
    texts = [{"m.py": f"a\nb{n}\nc\n"} for n in range(3)]
    diff = diff_between(texts[0], texts[1]) + diff_between(texts[1], texts[2])
    assert base_of(tmp_path, "auto", texts[2], diff=diff).sources == texts[0]


def test_a_file_that_a_diff_names_thousands_of_times_is_read_once(tmp_path):
    head = {"m.py": "".join(f"x{n} = {n}\n" for n in range(20_000))}
    part = "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n-y = 1\n+x0 = 0\n x1 = 1\n"
    start = time.process_time()
    found = base_of(tmp_path, "auto", head, diff=part * 3_000)
    assert time.process_time() - start < 2
    assert found.sources["m.py"].startswith("y = 1\n")
