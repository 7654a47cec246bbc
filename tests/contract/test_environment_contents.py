"""What says that an environment is the same on another machine, for every provider."""

import dataclasses

import pytest
from providers import PROVIDERS

from sandbox.environment.contents import contents, difference
from sandbox.errors import SandboxError
from sandbox.providers import KINDS


@pytest.fixture(params=PROVIDERS)
def place(request, make_provider):
    return make_provider(request.param)


def test_the_interpreter_the_packages_the_image_and_our_code_are_the_contents(place):
    found = contents(*place)
    assert found == contents(*place)
    assert not difference(found, found)
    for beginning in ("Python 3.", "pytest-", "Regreen's code "):
        assert [name for name in found if name.startswith(beginning)], beginning
    images = [name for name in found if name.startswith("image sha256:")]
    assert len(images) == KINDS[place[0].name].from_image


def test_an_environment_that_is_not_there_is_an_error(place):
    provider, spec = place
    with pytest.raises(SandboxError):
        contents(provider, dataclasses.replace(spec, python="/nowhere/python", image="regreen-test:nowhere"))
