"""Which files of a project are its own build backend."""

from every_case import every_case

from bot.patch.globs import matches
from bot.patch.policy.files.own_rules import backend_files, project_files
from bot.patch.policy.gate import PROTECTED, Policy


def project(system):
    return f"[build-system]\nrequires = []\n{system}\n".encode()


@every_case(
    ("system", "protected", "free"),
    [
        ('build-backend = "be"\nbackend-path = ["."]', ["be.py", "be/core.py"], ["src/be.py", "a.py"]),
        ('build-backend = "be.core:api"\nbackend-path = ["."]', ["be/core.py"], ["core.py"]),
        (
            'build-backend = "be"\nbackend-path = ["tools/build", "."]',
            ["tools/build/x.py", "be.py"],
            ["tools/x.py"],
        ),
        ('build-backend = "be"\nbackend-path = ["../x/.."]', ["be.py"], ["a.py"]),
        ('build-backend = "hatchling.build"', [], ["hatchling/build.py"]),
        ('build-backend = 1\nbackend-path = ["."]', [], ["1.py"]),
        ('build-backend = "be"\nbackend-path = "."', [], ["be.py"]),
        ("", [], ["be.py"]),
    ],
)
def test_the_backends_own_files_are_protected(system, protected, free):
    found = backend_files({"pyproject.toml": project(system), "a.py": b""})
    assert all(matches(path, found) for path in protected)
    assert not any(matches(path, found) for path in free)
    policy = Policy(protected=(*PROTECTED, *found))
    assert not any(policy.may_change(path) for path in protected)


def test_a_members_backend_is_its_own():
    found = backend_files({"lib/pyproject.toml": project('build-backend = "be"\nbackend-path = ["."]')})
    assert matches("lib/be.py", found)
    assert not matches("be.py", found)


@every_case("data", [b"\xff", b"[", b"build-system = 1", b"[build-system]\nbackend-path = [1]"])
def test_a_file_that_cannot_be_read_names_none(data):
    assert backend_files({"pyproject.toml": data}) == ()


def test_what_builds_a_project_lies_at_its_top():
    found = (*PROTECTED, *project_files({"api/pyproject.toml": b"", "api/shop/a.py": b""}))
    assert all(matches(path, found) for path in ("build.py", "ci/a.py", "api/build.py", "api/ci/a/b.py"))
    assert all(matches(path, found) for path in ("api/docs/conf.py", "web/doc/conf.py"))
    assert not any(
        matches(path, found) for path in ("api/shop/build.py", "api/shop/ci/run.py", "web/build.py")
    )
