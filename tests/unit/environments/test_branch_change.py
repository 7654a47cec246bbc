"""What a branch changes since it left HEAD."""

import pytest
from git_history import commit, git

from bot.environments.versions.branch_change import branch_change
from bot.environments.versions.git_files import UnreadableRepository


@pytest.fixture
def place(tmp_path):
    """A repository whose branch ``fix`` has left ``main``, which has gone on."""
    commit(tmp_path, {"part/a.py": "a = 1\n", "part/b.py": "b = 1\n", "top.py": "t = 1\n"})
    git(tmp_path, "checkout", "--quiet", "-b", "fix")
    commit(tmp_path, {"part/a.py": "a = 2\n", "part/new.py": "n = 1\n"})
    git(tmp_path, "checkout", "--quiet", "main")
    commit(tmp_path, {"part/b.py": "b = 2\n"})
    return tmp_path


def seen(project, name="fix"):
    return {one.path: (one.before, one.after, one.problem) for one in branch_change(project, name)}


def test_only_what_the_branch_changed_counts(place):
    new = {"a.py": (b"a = 1\n", b"a = 2\n", ""), "new.py": (None, b"n = 1\n", "")}
    assert seen(place) == {f"part/{name}": change for name, change in new.items()}
    assert seen(place / "part") == new


def test_what_no_patch_can_express_has_a_problem(place):
    git(place, "checkout", "--quiet", "fix")
    (place / "part/b.py").unlink()
    (place / "part/new.py").chmod(0o755)
    (place / "part/link.py").symlink_to("a.py")
    commit(place, {"top.py": "t = 2\n"})
    git(place, "checkout", "--quiet", "main")
    git(place, "checkout", "--quiet", "-b", "mode", "fix")
    (place / "part/a.py").chmod(0o755)
    commit(place, {})
    git(place, "checkout", "--quiet", "main")
    problems = {path: change[2] for path, change in seen(place / "part", "mode").items()}
    assert problems == {
        "a.py": "gets another mode",
        "b.py": "is deleted",
        "link.py": "is or was a link or a submodule",
        "new.py": "",
        "top.py": "lies outside of the project, whose tests say nothing of it",
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("main", "HEAD has all of main already: check out the version before it"),
        ("nothing", "git has no such version"),
        ("alone", "alone and HEAD have no commit in common"),
    ],
)
def test_what_cannot_be_compared_is_said(place, name, said):
    git(place, "checkout", "--quiet", "--orphan", "alone")
    commit(place, {"other.py": "o = 1\n"})
    git(place, "checkout", "--quiet", "main")
    with pytest.raises(UnreadableRepository, match=said):
        branch_change(place, name)
