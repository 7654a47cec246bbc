"""The sandboxes that the runner's tests share: one for each CPython version, in a process or bubblewrap."""

import dataclasses
import os
import zlib

import interpreters
import pytest
from providers import PROVIDERS
from testbeds import maker

from sandbox.base import Limits

IN_BUBBLEWRAP = ("3.7", "3.13")
PRESENT = [version for version in interpreters.VERSIONS if interpreters.seems_present(version)]
VARIANTS = [
    *[pytest.param(f"process {version}", id=version) for version in PRESENT],
    *[
        pytest.param(f"bubblewrap {version}", id=f"{version}-bubblewrap", marks=pytest.mark.bubblewrap)
        for version in IN_BUBBLEWRAP
        if version in PRESENT
    ],
]


# These two run every case. The cases are dealt out to the others, so that each runs on a third version too;
# all that the others run is slow.
# REGREEN_EVERY_VERSION=1 runs all on all, which takes ten minutes more.
WHOLE = ("3.7", "3.13")
EVERYWHERE = (
    "test_the_interpreter_is_the_one",
    "test_however_a_test_ends",
    "test_changes_are_laid",
)
# What the interpreter alone decides; a sandbox around the same one adds nothing.
ON_EVERY_VERSION = (
    "test_failures_are_explained_alike",
    "test_the_traced_lines_are_the_same",
    "test_each_kind_of_change",
)


def dealt_elsewhere(items):
    """The cases of tables about programs that are another sandbox's: how one ends, no sandbox decides.

    Each case has its turn in one of them, and runs on three versions besides; what is no table runs in all.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        if item.path.name == "test_script_contract.py" and callspec and len(callspec.params) > 1:
            provider = callspec.params["make"]
            number = zlib.crc32(item.name.replace(provider, "", 1).encode())
            if PROVIDERS[number % len(PROVIDERS)].values[0] != provider:
                yield item


@pytest.hookimpl(tryfirst=True)  # before the slow ones are left out
def pytest_collection_modifyitems(config, items):
    if os.environ.get("REGREEN_EVERY_VERSION") == "1":
        return
    others = [param.id for param in VARIANTS if param.id not in WHOLE]
    left_out = list(dealt_elsewhere(items))
    for item in items:
        variant = getattr(item, "callspec", None) and item.callspec.params.get("variant")
        if not variant:
            continue
        provider, version = variant.split()
        name = version if provider == "process" else f"{version}-{provider}"
        if name not in WHOLE:
            item.add_marker(pytest.mark.slow)
        if item.originalname.startswith(EVERYWHERE):
            continue
        if item.originalname.startswith(ON_EVERY_VERSION):
            if provider != "process":
                left_out.append(item)
            continue
        dealt = zlib.crc32(item.name.replace(name, "").encode()) % len(others)
        if name not in WHOLE and others[dealt] != name:
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture(scope="session")
def python_of():
    """The interpreter with pytest for a version; skips (in CI: fails) where there is none."""

    def find(version):
        try:
            return interpreters.environment(version)
        except interpreters.InterpreterMissing as error:
            if os.environ.get("CI") == "true" and version in interpreters.REQUIRED_IN_CI:
                pytest.fail(f"CI must have it: {error}")
            pytest.skip(str(error))

    return find


@pytest.fixture(scope="module", params=VARIANTS)
def variant(request, make_provider, python_of):
    """A provider with a spec for one version, and the version."""
    name, version = request.param.split()
    provider, spec = make_provider(name)
    return provider, dataclasses.replace(spec, python=python_of(version)), version


@pytest.fixture(scope="module")
def make(variant):
    provider, spec, _version = variant
    return maker(provider, spec)


@pytest.fixture(scope="module")
def sandbox(variant):
    provider, spec, _version = variant
    limits = Limits(output_bytes=10_000, memory_mib=512, disk_mib=64)
    with provider.open(dataclasses.replace(spec, limits=limits)) as opened:
        yield opened
