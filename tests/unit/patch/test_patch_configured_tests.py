"""Which files are tests by the project's configuration, or since a test in them failed."""

from every_case import every_case

from bot.patch.globs import matches
from bot.patch.policy.files.own_rules import configured_tests, named_tests

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


@every_case(
    "data", [b"\xff python_files", b"[python_files", b"python_files = 1", b"[tool]\npytest = 'python_files'"]
)
def test_a_file_that_cannot_be_read_names_none(data):
    assert configured_tests({"pyproject.toml": data}) == ()


def test_a_failing_test_names_its_file_and_an_example_in_a_docstring_does_not():
    tests = [
        *("checks/prices.py::check_tax[a.b]", "checks/prices.py::Check::check_b", "src/shop/tax.py"),
        *(
            "src/shop/prices.py::shop.prices.total",
            "src/shop/prices.py::prices",
            "shop/__init__.py::shop.total",
        ),
        *("docs/use.rst::use.rst", "python manage.py test"),
    ]
    assert named_tests(tests) == ("checks/prices.py",)
