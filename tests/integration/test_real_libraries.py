"""Real libraries, built from their source distributions and tested in a sandbox by their own tests."""

import os
from collections import Counter
from dataclasses import replace

import pytest
from libraries import TESTED
from providers import ISOLATED

from sandbox.command import PytestCommand
from sandbox.environment.builder import Overrides
from sandbox.environment.prepare import prepare_environment
from sandbox.snapshot import take
from sandbox.testing import SandboxTestbeds

pytestmark = pytest.mark.network

VERSION_AND_PLACE = """
import importlib.metadata, importlib, sys
print(importlib.metadata.version(sys.argv[1]))
print(importlib.import_module(sys.argv[1]).__file__)
"""


# In Docker, but for the one whose environment takes most steps without compiling anything.
CASES = [
    pytest.param(*sandbox.values, library, id=f"{sandbox.id}-{library.name}", marks=sandbox.marks)
    for library in TESTED
    for sandbox in ISOLATED
    if (sandbox.id == "bubblewrap") is (library.name == "jinja2")
]


@pytest.mark.slow
@pytest.mark.parametrize(("sandbox", "library"), CASES)
def test_its_own_tests_pass_and_an_edit_takes_effect(
    sandbox, library, make_provider, library_source, tmp_path
):
    provider, _ = make_provider(sandbox)
    project = take(library_source(library))

    def prepare(said):
        return prepare_environment(
            project,
            provider,
            overrides=Overrides(
                base_image=os.environ.get("REGREEN_TEST_IMAGE", "") if sandbox == "docker" else ""
            ),
            cache_directory=tmp_path,
            notify=said.append,
        )

    prepared = prepare([])
    if not prepared.seconds:  # the engine has it from an earlier run
        provider.client.images.remove(prepared.spec.image, force=True)
        prepared = prepare([])
    assert prepared.seconds > 0
    again = prepare(said := [])
    assert again == replace(prepared, seconds=0.0)
    assert said == again.explanation.splitlines(), "no step of a build, only the plan"

    testbeds = SandboxTestbeds(
        provider=provider,
        spec=prepared.spec,
        snapshot=prepared.snapshot,
        # As a user types it: 'pytest' puts no directory of the project on the path by itself.
        command=PytestCommand(add_root_to_path=False),
        environment=prepared.variables,
    )
    with testbeds.open() as testbed:
        report = testbed.run()
        assert report.complete, report.problem or report.output
        statuses = Counter(result.status.value for result in report.results)
        assert not report.failing, report.failing[:3]
        assert statuses["passed"] >= library.passing
        first = next(result.test for result in report.results if result.status.value == "passed")
        broken = testbed.run(tests=[first], changes={library.module: b"raise RuntimeError('edited')\n"})
        assert not any(result.status.value == "passed" for result in broken.results)
        assert testbed.run(tests=[first]).failing == ()
    _assert_installed(provider, prepared, library)


def _assert_installed(provider, prepared, library):
    """The metadata is there, what is imported is the workspace, and extension modules are in use."""
    with provider.open(prepared.spec) as sandbox:
        sandbox.unpack(prepared.snapshot.archive())
        # No variable is passed on: a subprocess that a test starts with an empty environment finds it too.
        done = sandbox.exec(["python", "-c", VERSION_AND_PLACE, library.name], timeout_s=30)
        assert done.exit_status == 0, done.stderr.decode()
        version, place = done.stdout.decode().split()
        assert version == library.version
        assert place.startswith("/workspace/")
        if library.kind == "compiled extension":
            argv = ["python", "-c", "from markupsafe import _speedups as s; print(s.__file__)"]
            assert b"/workspace/src/markupsafe/_speedups." in sandbox.exec(argv, timeout_s=30).stdout
