"""What is found in a project's declarations: one small project a form, and the plan that comes of it."""

import json

from every_case import every_case
from sections import sections
from snapshots import snapshot

from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.environment.plans.plan import UvExport
from sandbox.environment.plans.planner import plan_environment

ALL = tuple(f"3.{minor}" for minor in range(8, 15))
UV_LOCK = 'version = 1\n[[package]]\nname = "demo"\n'


def plan(files, *, available=ALL, setup_command=""):
    return plan_environment(snapshot(files), available=available, setup_command=setup_command)


FORMS = sections("environment_forms.txt")
SAID = {"needs", "constraints", "python", "explains", "built"}


@every_case("form", FORMS)
def test_each_form_is_read(form):
    said = {name: form.parts[name].rstrip() for name in SAID & form.parts.keys()}
    made = plan({path: text for path, text in form.parts.items() if path not in said})
    found = {
        "needs": "\n".join(made.requirements),
        "constraints": "\n".join(made.constraints),
        "python": made.python.version,
    }
    assert {name: said.get(name, value) for name, value in found.items()} == found
    assert said.get("explains", "") in made.explain()
    if "built" in said:
        assert (made.project is not None) == bool(said["built"])
        assert said["built"] in (made.project.reason if made.project else "")


def test_a_project_without_dependencies_needs_nothing_built():
    files = {"module.py": "", "test_module.py": "", "pyproject.toml": "[tool.pytest.ini_options]\n"}
    assert plan(files).trivial
    assert not plan({**files, "requirements.txt": "six"}).trivial


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
