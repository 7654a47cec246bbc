"""What is found in a project's declarations: one small project a form, and the plan that comes of it."""

import json

from every_case import every_case
from sections import sections
from snapshots import snapshot

from sandbox.environment import plan_environment
from sandbox.environment.candidate_plans import candidate_plans
from sandbox.environment.plan import UvExport

ALL = tuple(f"3.{minor}" for minor in range(8, 15))
UV_LOCK = 'version = 1\n[[package]]\nname = "demo"\n'


def plan(files, *, available=ALL, setup_command=""):
    return plan_environment(snapshot(files), available=available, setup_command=setup_command)


FORMS = sections("environment_forms.txt")


@every_case("form", FORMS)
def test_each_form_is_read(form):
    files = dict(form.parts)
    requirements = files.pop("needs").splitlines()
    assert list(plan(files).requirements) == requirements


def test_a_project_without_dependencies_needs_nothing_built():
    files = {"module.py": "", "test_module.py": "", "pyproject.toml": "[tool.pytest.ini_options]\n"}
    assert plan(files).trivial
    assert not plan({**files, "requirements.txt": "six"}).trivial


def test_a_file_that_cannot_be_read_is_left_out_and_named():
    text = plan({"pyproject.toml": "[project\n"}).explain()
    assert "left out: pyproject.toml cannot be read" in text


def test_poetry_lock_holds_the_declared_to_exact_versions():
    made = plan(
        {
            "pyproject.toml": '[tool.poetry]\nname = "demo"\n[tool.poetry.dependencies]\nsix = "*"\n',
            "poetry.lock": '[[package]]\nname = "six"\nversion = "1.15.0"\n'
            '[[package]]\nname = "two"\nversion = "1"\n[[package]]\nname = "two"\nversion = "2"\n'
            '[[package]]\nname = "here"\nversion = "1"\n[package.source]\ntype = "directory"\nurl = "here"\n',
        }
    )
    assert made.requirements == ("six", "pytest")
    assert made.constraints == ("six==1.15.0",)


def test_uv_lock_is_exported_with_the_groups_for_tests():
    made = plan(
        {
            "pyproject.toml": '[project]\nname = "demo"\ndependencies = ["six"]\n'
            "[project.optional-dependencies]\n"
            'test = ["pytest"]\n[dependency-groups]\ntests = ["mock"]\n',
            "uv.lock": UV_LOCK,
            "member/pyproject.toml": '[project]\nname = "member"\n',
        }
    )
    assert made.export == UvExport(extras=("test",), groups=("tests",))
    assert made.requirements == ("pytest",)
    assert set(made.inputs) == {"pyproject.toml", "uv.lock", "member/pyproject.toml"}


def test_a_setup_py_that_computes_its_dependencies_is_built_and_never_run_here(tmp_path):
    trace = tmp_path / "trace"
    made = plan(
        {
            "setup.py": f"open({str(trace)!r}, 'w')\nfrom setuptools import setup\n"
            "setup(name='demo', install_requires=open('needs').read().split(),\n"
            "      extras_require={'test': ['mock']})\n"
        }
    )
    assert not trace.exists()
    assert made.project is not None
    assert made.project.with_dependencies
    assert made.project.extras == ("test",)


def test_a_local_dependency_is_found_in_the_project_and_none_outside():
    made = plan({"requirements/all.txt": "", "requirements.txt": "./vendor/six\n../secret\n/etc/passwd\n"})
    assert made.needs_files
    assert made.requirements[0] == "{project}/vendor/six"
    assert not any("secret" in requirement for requirement in made.requirements)


MONOREPO = {
    "pyproject.toml": "[tool.ruff]\n",
    "api/pyproject.toml": '[project]\nname = "demo-api"\ndependencies = ["deprecated"]\n',
    "sdk/pyproject.toml": '[project]\nname = "demo-sdk"\ndependencies = ["demo-api == 1.dev", "six"]\n'
    '[project.optional-dependencies]\nfast = ["orjson"]\n',
    "tests/tools/setup.py": "from setuptools import setup\n"
    "setup(name='demo-tools', install_requires=['mock'])\n",
}


@every_case(
    "lines",
    [
        "-e api\n-e sdk[fast]\n-e tests/tools\n",  # as seen from the top, where pip runs
        "--editable=api\n-e ./sdk[fast]\n./tests/tools\n",
        "-e ../api\n-e ../sdk[fast]\n-e file:../tests/tools\n",  # as seen from the file
    ],
)
def test_the_other_packages_of_a_repository_are_linked_and_what_they_need_is_installed(lines):
    made = plan({**MONOREPO, "requirements/test.txt": lines + "iniconfig\n"})
    assert made.editable == ("api", "sdk", "tests/tools")
    assert set(made.requirements) == {"deprecated", "six", "orjson", "mock", "iniconfig", "pytest"}


def test_a_word_without_a_slash_is_a_directory_after_the_option_for_links_only():
    made = plan({**MONOREPO, "requirements/test.txt": "-e api\nsdk\n-e ../../outside\n-e missing\n"})
    assert made.editable == ("api",)
    assert "sdk" in made.requirements
    assert not any("outside" in requirement for requirement in made.requirements)


def test_the_links_of_a_job_are_found_without_a_slash():
    steps = json.dumps([{"run": "pip install -e api -e sdk -e six pytest"}, {"run": "pytest sdk"}])
    workflow = f"on: push\njobs: {{test: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    files = {**MONOREPO, ".github/workflows/ci.yml": workflow, "sdk/test_it.py": ""}
    made = candidate_plans(snapshot(files), available=ALL).plans[0]
    assert {made.member, *made.editable} == {"api", "sdk"}
    assert {"deprecated", "six", "pytest"} <= set(made.requirements)
    assert not any("demo-api" in requirement for requirement in made.requirements)


@every_case(
    ("files", "reason"),
    [
        (
            {"setup.py": "from setuptools import setup, Extension\nsetup(ext_modules=[Extension('a', [])])"},
            "extension",
        ),
        ({"pyproject.toml": '[build-system]\nrequires = ["maturin"]\n[project]\nname = "a"'}, "Rust"),
        ({"pyproject.toml": '[project]\nname = "a"\n[project.scripts]\na = "a:main"\n'}, "entry points"),
        ({"pyproject.toml": '[build-system]\nrequires = ["hatch-vcs"]\n[project]\nname = "a"'}, "version"),
        (
            {
                "pyproject.toml": '[project]\nname = "a"\n',
                "a/__init__.py": "from importlib.metadata import version",
            },
            "metadata",
        ),
        ({"pyproject.toml": '[project]\nname = "a"\ndependencies = ["six"]\n', "a.py": ""}, ""),
        ({"requirements.txt": "six\n", "a.py": "import importlib.metadata"}, ""),
    ],
)
def test_the_project_is_built_only_for_a_reason(files, reason):
    made = plan(files)
    assert (made.project is not None) == bool(reason)
    assert reason in (made.project.reason if made.project else "")


SOURCES = {
    "pyproject.toml": '[project]\nname = "demo"\n[project.scripts]\na = "demo:main"\n',
    "src/demo/__init__.py": '__version__ = "1"\n',
    "src/demo/core.py": "def f(): return 1\n",
    "tests/test_core.py": "",
}


def test_an_edit_of_a_body_finds_the_same_environment_and_one_of_a_declaration_another():
    first = plan(SOURCES).digest()
    assert plan({**SOURCES, "src/demo/core.py": "def f(): return 2\n"}).digest() == first
    assert plan({**SOURCES, "tests/test_core.py": "def test(): pass\n"}).digest() == first
    assert plan({**SOURCES, "src/demo/__init__.py": '__version__ = "2"\n'}).digest() != first
    assert plan({**SOURCES, "requirements-test.txt": "six"}).digest() != first
    assert plan(SOURCES, available=["3.9"]).digest() != first
    assert plan(SOURCES, setup_command="true").digest() != first


def test_the_source_of_an_extension_decides_over_its_environment():
    native = {
        **SOURCES,
        "setup.py": "from setuptools import setup, Extension\nsetup()",
        "src/demo/fast.c": "a",
    }
    first = plan(native).digest()
    assert plan({**native, "src/demo/core.py": "def f(): return 2\n"}).digest() == first
    assert plan({**native, "src/demo/fast.c": "b"}).digest() != first


def test_a_setup_command_replaces_what_was_detected():
    made = plan(SOURCES, setup_command="pip install -e .[ci]")
    assert made.requirements == ()
    assert made.project is None
    assert "runs: pip install -e .[ci]" in made.explain()


@every_case(
    ("files", "version", "reason"),
    [
        ({}, "3.13", "does not say"),
        ({".python-version": "3.10.4\n"}, "3.10", ".python-version"),
        ({"runtime.txt": "python-3.9.18\n"}, "3.9", "runtime.txt"),
        ({"tox.ini": "[tox]\nenvlist = py{38,310}-django, lint\n"}, "3.10", "tox"),
        ({"setup.py": "'Programming Language :: Python :: 3.8'"}, "3.8", "classifiers"),
        ({"pyproject.toml": '[project]\nname = "a"\nrequires-python = ">=3.9,<3.12"\n'}, "3.11", "admitted"),
        ({"pyproject.toml": '[project]\nname = "a"\nrequires-python = "==3.9.7"\n'}, "3.9", ""),
        ({"Pipfile.lock": '{"_meta": {"requires": {"python_version": "3.10"}}}'}, "3.10", "Pipfile"),
        (
            {
                ".python-version": "3.9\n",
                "pyproject.toml": '[project]\nname = "a"\nrequires-python = ">=3.10"\n',
                "tox.ini": "[tox]\nenvlist = py312\n",
            },
            "3.12",
            "not 3.9 of .python-version",
        ),
    ],
)
def test_the_python_is_chosen_and_the_choice_explained(files, version, reason):
    made = plan(files)
    assert made.python.version == version
    assert reason in made.explain()


def test_a_python_that_is_not_to_be_had_is_named():
    made = plan({".python-version": "3.7\n"}, available=["3.11"])
    assert made.python.version == "3.11"
    assert made.python.reason == "not 3.7 of .python-version: not to be had here"
    old = plan({"pyproject.toml": '[project]\nname="a"\nrequires-python = "<3.8"\n'}, available=["3.11"])
    assert "nearest choice" in old.python.reason
