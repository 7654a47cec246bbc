import pytest

from notebook import Notebook


@pytest.fixture
def book():
    return Notebook()
