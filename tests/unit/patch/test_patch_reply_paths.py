"""Which file a path in a reply means."""

from every_case import every_case

from bot.patch.replies.paths import (
    diff_path,
    existing_path,
    meant_path,
    new_path_in_line,
    path_in_line,
    plain_path,
)

SOURCES = dict.fromkeys(
    ("cart/total.py", "cart/__init__.py", "shop/cart/total.py", "one.py", "docs/a.md"), ""
)


@every_case(
    ("path", "known"),
    [
        ("cart/total.py", "cart/total.py"),
        ("./cart/total.py", "cart/total.py"),
        ("././one.py", "one.py"),
        ("/home/me/shop/cart/total.py", "shop/cart/total.py"),  # the longer end
        ("/home/me/cart/total.py", "cart/total.py"),
        ("home/cart/total.py", None),
        ("total.py", None),
        ("/else.py", None),
    ],
)
def test_a_path_that_exists(path, known):
    assert existing_path(path, SOURCES) == known


@every_case(
    ("path", "known"),
    [
        ("total.py", None),  # two files are called so
        ("b/one.py", "one.py"),
        ("src/one.py", "one.py"),
        ("`one.py`:", "one.py"),
        ("cart\\total.py", "cart/total.py"),
        ("shop.cart.total", "shop/cart/total.py"),
        ("one", "one.py"),
        ("shop/cart/total", "shop/cart/total.py"),
        ("../one.py", None),
        ("x/../one.py", None),
        ("docs/b.md", None),
        ("home/shop/cart/total.py", "shop/cart/total.py"),
        ("lib/else.py", None),
        ("else/__init__.py", "cart/__init__.py"),
        ("__init__.py", "cart/__init__.py"),
        ("", None),
        ("#*", None),
    ],
)
def test_the_path_that_is_meant(path, known):
    assert meant_path(path, SOURCES) == known


def test_plain_paths_and_those_of_diffs():
    assert [plain_path(path) for path in (" a ", "./././a", "./", "a/./b")] == ["a", "a", "./", "a/./b"]
    assert diff_path("b/one.py", SOURCES, "b/") == "one.py"
    assert diff_path("one.py", SOURCES, "b/") == "one.py"
    assert diff_path("b/new.py", SOURCES, "b/") == "new.py"
    assert diff_path("b/one.py", {"b/one.py": "", "one.py": ""}, "b/") == "one.py"


@every_case(
    ("line", "path"),
    [
        ("**one.py**", "one.py"),
        ("# one.py", "one.py"),
        ("In one.py, the sum", "one.py"),
        ("In one.py and one.py.", "one.py"),
        ("In one.py and cart/total.py", None),
        ("In one, the sum", None),
        ("one", None),
        ("nothing.py", None),
        ("see (docs/a.md)", None),
        ("x " * 1_001 + "one.py", None),
    ],
)
def test_a_line_names_a_file(line, path):
    assert path_in_line(line, SOURCES) == path


def test_a_line_that_is_a_new_files_name():
    assert new_path_in_line("New File: `a/b-c.py`") == "a/b-c.py"
    assert new_path_in_line("### ./a.py") == "a.py"
    assert new_path_in_line("the file a.py") is None
    assert new_path_in_line("a.txt") is None
