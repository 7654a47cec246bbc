import pytest

from web import NoRoute, Router
from web.patterns import Pattern


@pytest.mark.parametrize("path", ["/users/12x", "/users/12/", "/users/", "/users/x12", "x/users/12"])
def test_not_quite(path):
    assert Pattern("/users/<int:number>").match(path) is None


def test_rest_of_a_path():
    assert Pattern("/files/<path:name>").match("/files/a/b.txt") == {"name": "a/b.txt"}


def test_dots_are_dots():
    assert Pattern("/robots.txt").match("/robotsxtxt") is None
    assert Pattern("/<name>.json").match("/a.json") == {"name": "a"}
    assert Pattern("/<name>.json").match("/a.jsonl") is None


def test_root_only():
    router = Router()
    router.route("/")(lambda: "home")
    with pytest.raises(NoRoute):
        router.dispatch("GET", "/other")
