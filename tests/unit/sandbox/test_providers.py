"""Each provider registers itself, and whoever reads that loads nothing that could run code."""

import pkgutil
import subprocess
import sys
from contextlib import ExitStack

from every_case import every_case
from providers import PROVIDERS

from sandbox import providers
from sandbox.providers import KINDS


def test_every_module_registers_its_kind_and_the_tests_know_it():
    modules = {module.name for module in pkgutil.iter_modules(providers.__path__)}
    assert modules - {"kind"} == set(KINDS) == {provider.id for provider in PROVIDERS}
    assert list(KINDS) == sorted(KINDS, key=lambda name: KINDS[name].rank)


@every_case("name", KINDS)
def test_a_kind_makes_the_provider_of_its_name(name):
    with ExitStack() as resources:
        made = KINDS[name].make(resources)
        assert (made.name, made.isolated) == (name, KINDS[name].isolated)
        builds = KINDS[name].builds(made)
        assert (builds is None) is (KINDS[name].build_traits is None)
        assert builds is None or builds.name == f"{name} build"


def test_what_is_registered_is_known_before_anything_that_runs_code_is_loaded():
    loaded = "import sandbox.providers, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    heavy = {"sandbox.docker", "sandbox.bubblewrap", "sandbox.process", "sandbox.session", "docker"}
    assert heavy.isdisjoint(ran.stdout.split())
