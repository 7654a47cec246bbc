import pytest

from web import NoRoute, Router

router = Router()


@router.route("/")
def home():
    return "home"


@router.route("/users/<int:number>")
def user(number):
    return ("user", number)


@router.route("/users/<int:number>/posts", methods=["GET", "POST"])
def posts(number):
    return ("posts", number)


def test_root():
    assert router.dispatch("GET", "/") == "home"


def test_converted():
    assert router.dispatch("GET", "/users/12") == ("user", 12)


def test_longer_path():
    assert router.dispatch("POST", "/users/3/posts") == ("posts", 3)


def test_nothing_matches():
    with pytest.raises(NoRoute):
        router.dispatch("GET", "users")


def test_method():
    with pytest.raises(NoRoute, match="DELETE /users/1"):
        router.dispatch("DELETE", "/users/1")


def test_url_for():
    assert router.url_for(posts, number=4) == "/users/4/posts"
