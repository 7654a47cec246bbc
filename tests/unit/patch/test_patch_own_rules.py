"""Which files are tests, or the build backend, by the project's own configuration."""

from every_case import every_case

from bot.patch.globs import matches
from bot.patch.policy.files.own_rules import backend_files, configured_tests, named_tests, project_files
from bot.patch.policy.gate import PROTECTED, Policy

IN_TOML = b'[tool.pytest.ini_options]\npython_files = ["check_*.py", "*_spec.py"]\n'


@every_case(
    ("name", "text"),
    [
        ("pyproject.toml", IN_TOML),
        ("pyproject.toml", b'[tool.pytest]\npython_files = "check_*.py *_spec.py"\n'),
        ("pytest.toml", b'[pytest]\npython_files = ["check_*.py", "*_spec.py"]\n'),
        ("pytest.ini", b"[pytest]\naddopts = -q\npython_files = check_*.py *_spec.py\n"),
        (".pytest.ini", b"[pytest]\npython_files: check_*.py\n\n    # more\n  *_spec.py\ntestpaths = x\n"),
        ("tox.ini", b"[tox]\nenvlist = py\n\n[pytest]\npython_files =\n    check_*.py\n    *_spec.py\n"),
        ("pytest.ini", b"[pytest]\naddopts = -q -o 'python_files=check_*.py *_spec.py' -x\n"),
        (
            "pytest.ini",
            b"[pytest]\naddopts = --override-ini=python_files=check_*.py\n -o python_files=*_spec.py -x\n",
        ),
        ("pyproject.toml", b'[tool.pytest]\naddopts = ["-o", "python_files=check_*.py *_spec.py", "-x"]\n'),
        ("setup.cfg", b"[tool:pytest]\r\npython_files =\r\n    check_*.py\r\n    *_spec.py\r\n"),
    ],
)
def test_each_configuration_names_its_tests(name, text):
    found = configured_tests({name: text, "a.py": b""})
    assert all(matches(path, found) for path in ("check_a.py", "a/b/check_a.py", "a/cart_spec.py"))
    assert not any(matches(path, found) for path in ("shop/prices.py", "check.py", "x.py"))


def test_a_configuration_is_for_its_own_directory():
    found = configured_tests({"api/pyproject.toml": IN_TOML})
    assert matches("api/check_a.py", found)
    assert matches("api/a/check_a.py", found)
    assert not matches("web/check_a.py", found)


@every_case(
    ("word", "path"),
    [
        ("checks/spec_*.py", "checks/spec_a/b.py"),
        ("./checks/spec_*.py", "checks/spec_b.py"),
        ("[Cc]heck_*.py", "Check_a.py"),
        ("check_*", "check_a.py"),
    ],
)
def test_a_pattern_means_what_pytest_reads_in_it(word, path):
    assert matches(path, configured_tests({"pytest.ini": f"[pytest]\npython_files = {word}\n".encode()}))


@every_case("word", ["*.py", "*", "[a-z]*.py", "src/*.py", "t*.py"])
def test_a_pattern_that_most_sources_match_protects_none(word):
    assert configured_tests({"pytest.ini": f"[pytest]\npython_files = {word}\n".encode()}) == ()


def test_a_failing_test_names_its_file_and_an_example_in_a_docstring_does_not():
    tests = [
        *("checks/prices.py::check_tax[a.b]", "checks/prices.py::Check::check_b", "src/shop/tax.py"),
        *("src/shop/prices.py::shop.prices.total", "src/shop/prices.py::prices"),
        *("shop/__init__.py::shop.total", "docs/use.rst::use.rst", "python manage.py test"),
        *(
            "shop/tax.py::ruff::format",
            "shop/tax.py::mypy",
            "shop/tax.py::FLAKE8",
            "checks/prices.py::black_box",
        ),
    ]
    assert named_tests(tests) == ("checks/prices.py",)


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


@every_case(
    "data",
    [
        *(b"\xff python_files", b"[python_files", b"python_files = 1", b"[tool]\npytest = 'python_files'"),
        *(b"\xff", b"[", b"build-system = 1", b"[build-system]\nbackend-path = [1]"),
    ],
)
def test_a_file_that_cannot_be_read_names_none(data):
    assert configured_tests({"pyproject.toml": data}) == ()
    assert backend_files({"pyproject.toml": data}) == ()


def test_what_builds_a_project_lies_at_its_top():
    found = (*PROTECTED, *project_files({"api/pyproject.toml": b"", "api/shop/a.py": b""}))
    assert all(matches(path, found) for path in ("build.py", "ci/a.py", "api/build.py", "api/ci/a/b.py"))
    assert all(matches(path, found) for path in ("api/docs/conf.py", "web/doc/conf.py"))
    assert not any(
        matches(path, found) for path in ("api/shop/build.py", "api/shop/ci/run.py", "web/build.py")
    )
