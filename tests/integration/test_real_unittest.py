"""A real library with ``python -m unittest``: the same tests as unittest runs, and each with its verdict."""

import re
from collections import Counter

import pytest
from libraries import LIBRARIES

from sandbox.command import parse
from sandbox.resolve import resolve
from sandbox.snapshot import take
from sandbox.testing import SandboxTestbeds

pytestmark = [pytest.mark.network, pytest.mark.bubblewrap]

PYFLAKES = next(library for library in LIBRARIES if library.name == "pyflakes")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    ["discover pyflakes", "pyflakes.test.test_other pyflakes.test.test_api.TestMain", "-k test_undefined"],
)
def test_the_tests_are_as_many_as_unittest_runs(arguments, make_provider, library_source):
    provider, spec = make_provider("bubblewrap")
    project = take(library_source(PYFLAKES))
    command = f"python -m unittest {arguments}"
    with provider.open(spec) as sandbox:
        sandbox.unpack(project.archive())
        done = sandbox.exec([spec.python, *command.split()[1:]], timeout_s=120)
    assert done.exit_status == 0, done.stderr.decode()
    counted = re.search(rb"Ran (\d+) tests", done.stderr)
    assert counted is not None
    notes: list[str] = []
    resolved = resolve(parse(command), project)
    assert not resolved.note
    testbeds = SandboxTestbeds(
        provider=provider, spec=spec, snapshot=project, command=resolved.command, notify=notes.append
    )
    with testbeds.open() as bed:
        report = bed.run()
        statuses = Counter(result.status.value for result in report.results)
        assert (report.complete, report.failing, notes) == (True, (), [])
        assert sum(statuses.values()) == int(counted[1])
        first = report.passing[0].test
        broken = {PYFLAKES.module: b"raise RuntimeError('edited')\n"}
        assert not bed.run(tests=[first], changes=broken, quick=True).passing
        assert bed.run(tests=[first], quick=True).proves({first})
