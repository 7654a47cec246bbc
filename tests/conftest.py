"""What every test may need: the providers that work here, and the rule about those that do not."""

from __future__ import annotations

import fcntl
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from fakes.chatserver import completion, serving
from lean_environment import make
from libraries import Library, NotFetched, fetch, index_answers
from providers import LEAN
from ready_regreen import Regreen, ready

from bot.config.options import OPTIONS
from bot.internal_errors import STRICT, InternalErrors, collected
from sandbox.base import SandboxProvider, SandboxSpec
from sandbox.environment.builder import Overrides
from sandbox.errors import SandboxUnavailable
from sandbox.providers import KINDS

if TYPE_CHECKING:
    from github_fixture import Bench


# Whoever runs the tests may have configured Regreen for themselves: that is not what is tested.
for _option in OPTIONS:
    for _variable in (_option.variable, *_option.variables):
        os.environ.pop(_variable, None)

# A defect that a run would outlive ends it in a test, in this process and in those that a test starts.
os.environ[STRICT] = "1"


@pytest.fixture(scope="session")
def _met() -> Iterator[InternalErrors]:
    with collected() as defects:
        yield defects


@pytest.fixture(autouse=True)
def _no_internal_errors(request, _met) -> Iterator[None]:
    """Fails a test in which a defect was met, even where somebody caught it once more."""
    yield
    found = _met.forget()
    assert "outlived" in request.fixturenames or not found, "; ".join(map(str, found))


@pytest.fixture
def outlived(monkeypatch) -> Iterator[InternalErrors]:
    """For tests of what a run outlives: the defects that this one met; none of them fails it."""
    monkeypatch.delenv(STRICT)
    with collected() as defects:
        yield defects


@pytest.fixture(scope="session")
def make_provider() -> Iterator[Callable[[str], tuple[SandboxProvider, SandboxSpec]]]:
    """A provider by its name with a spec that works here; skips (in CI: fails) where it is missing."""
    with ExitStack() as resources:
        providers = {name: kind.make(resources) for name, kind in KINDS.items()}

        def make(name: str) -> tuple[SandboxProvider, SandboxSpec]:
            provider, spec = providers[name], SandboxSpec(python=sys.executable)
            try:
                provider.check()
                if KINDS[name].from_image:
                    image = os.environ.get("REGREEN_TEST_IMAGE", "")
                    if not image:
                        _skip_unless_in_ci("REGREEN_TEST_IMAGE names no base image")
                    spec = KINDS[name].plain(provider, Overrides(sandbox_image=image))
            except SandboxUnavailable as error:
                _skip_unless_in_ci(str(error))
            return provider, replace(spec, environment=LEAN)

        yield make


@pytest.fixture(scope="session")
def project_environment(tmp_path_factory) -> Path:
    """A virtual environment as a project has it: pytest and nothing else, made without the network.

    Activated (``VIRTUAL_ENV``), it is what ``regreen fix`` runs the project's tests with. The environment of
    these tests would do, but loading its plugins takes seconds in each sandbox.
    """
    directory = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        directory = directory.parent  # of all workers: who comes first makes it
    with (directory / "environment.lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not held.tell():
            make(directory / "environment")
            held.write("made")
    return directory / "environment"


def pytest_configure(config) -> None:
    """Without the slow tests, those of properties try fewer examples."""
    if config.option.markexpr == "not slow":
        from examples import load_quick_profile  # it imports Hypothesis

        load_quick_profile()


def pytest_collection_modifyitems(items) -> None:
    """What asks an engine or a package index, or opens sandboxes, has a second try, which the summary shows.

    A busy engine now and then loses a file of an image, an index an answer, and a busy machine has no
    process ready in time: once in some 5,000 tests. A test of a contract that fails twice has failed.
    """
    for item in items:
        of_contract = "contract" in item.path.parts
        if of_contract or item.get_closest_marker("docker") or item.get_closest_marker("network"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded stays: no collection of garbage need look at it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item) -> None:
    """In CI a test that needs the package index runs, and fails by itself where there is none.

    A test that needs a real model is never required: its weights cannot be fetched everywhere.
    """
    if item.get_closest_marker("model"):
        if find_spec("xllamacpp") is None:
            pytest.skip("llama.cpp is not installed: pip install 'regreen[local]'")
        if not Path(os.environ.get("REGREEN_TEST_MODEL", "")).expanduser().is_file():
            pytest.skip("REGREEN_TEST_MODEL names no GGUF file")
    if item.get_closest_marker("bubblewrap") and (reason := _no_bubblewrap()):
        _skip_unless_in_ci(reason)
    if item.get_closest_marker("network") and os.environ.get("CI") != "true" and not index_answers():
        pytest.skip("the package index does not answer")


@cache
def _no_bubblewrap() -> str:
    """Why bubblewrap does not work here; empty where it does."""
    try:
        KINDS["bubblewrap"].make(ExitStack()).check()
    except SandboxUnavailable as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def library_source(tmp_path_factory) -> Callable[[Library], Path]:
    """The source tree of a real library; skips (in CI: fails) where the package index does not answer."""

    @cache
    def source(library: Library) -> Path:
        try:
            return fetch(library, tmp_path_factory.mktemp(library.name))
        except NotFetched as error:
            _skip_unless_in_ci(str(error))

    return source


def _skip_unless_in_ci(reason: str) -> NoReturn:
    """Skip on a developer's machine; fail where everything has to be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI must have it: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def regreen() -> Iterator[Regreen]:
    """Runs ``regreen`` with some arguments as a process of its own, whose libraries are loaded already."""
    with ready() as run:
        yield run


@pytest.fixture
def model_server() -> Iterator[Callable[[list[str]], str]]:
    """Starts a model server with given replies; returns its base URL."""
    with ExitStack() as servers:
        yield lambda replies: servers.enter_context(serving([completion(text) for text in replies])).url


@pytest.fixture
def require() -> Callable[[str], NoReturn]:
    """Says that something is missing: skips the test, or fails it in CI."""
    return _skip_unless_in_ci


@pytest.fixture
def github() -> Iterator[Bench]:
    """A GitHub with a repository, and a client for it."""
    from github_fixture import bench  # it imports PyGithub, which takes its time

    with bench() as one:
        yield one
