"""The metadata that is written where a project's own build fails: what its pyproject.toml declares."""

from importlib.metadata import Distribution

from every_case import every_case

from sandbox.environment.declarations.pyproject import UNKNOWN_VERSION, declared_metadata
from sandbox.environment.install import write_metadata

DECLARED = """
[project]
name = "Demo.Pkg"
version = "1.2"
[project.scripts]
demo = "demo.cli:main"
[project.entry-points.pytest11]
demo = "demo.plugin"
[project.entry-points."demo.hooks"]
first = "demo.hooks:First [extra]"
"""


def declared(text, **files):
    held = {"pyproject.toml": text, **files}
    return declared_metadata({path: data.encode() for path, data in held.items()})


def test_name_version_and_entry_points_are_found_as_after_a_build(tmp_path, monkeypatch):
    monkeypatch.setattr("sysconfig.get_path", lambda _name: str(tmp_path))
    found = declared(DECLARED)
    assert found.directory_name == "demo_pkg-1.2.dist-info"
    plain = {"name": found.name, "version": found.version, "entry_points": found.entry_points}
    write_metadata({"directory": found.directory_name, **plain})
    distribution = Distribution.at(tmp_path / found.directory_name)
    assert (distribution.name, distribution.version) == ("Demo.Pkg", "1.2")
    assert {(entry.group, entry.name, entry.value) for entry in distribution.entry_points} == {
        ("console_scripts", "demo", "demo.cli:main"),
        ("pytest11", "demo", "demo.plugin"),
        ("demo.hooks", "first", "demo.hooks:First [extra]"),
    }
    assert all(file.locate().is_file() for file in distribution.files)


def test_a_version_that_a_build_computes_is_the_source_distributions_or_the_newest_of_all():
    text = '[project]\nname = "demo"\ndynamic = ["version"]\n'
    assert declared(text, **{"PKG-INFO": "Name: demo\nVersion: 3.1\n"}).version == "3.1"
    assert declared(text).version == UNKNOWN_VERSION


@every_case(
    "text",
    ["", "[project", '[project]\nname = "../x"\n', '[project]\nname = "a\\nb"\n'],
)
def test_without_a_name_that_a_package_may_have_there_is_none(text):
    assert declared(text) is None


@every_case(
    "line",
    ['"a\\n[x]\\nb" = "demo:main"', 'a = "demo:main\\nb = x:y"', "a = 3", 'a = "rm -rf / ; demo"'],
)
def test_an_entry_that_would_add_lines_or_is_no_object_is_left_out(line):
    text = f'[project]\nname = "demo"\nversion = "1/../2"\n[project.scripts]\n{line}\n'
    found = declared(text)
    assert (found.version, found.entry_points) == (UNKNOWN_VERSION, "[console_scripts]")
