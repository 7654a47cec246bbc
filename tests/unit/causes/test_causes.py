"""The names by which a checkout's own modules are imported."""

from every_case import every_case

from bot.causes.exceptions import top_level_names


@every_case(
    ("paths", "names"),
    [
        (["shop.py", "setup.py"], {"shop", "setup"}),
        (["src/shop/__init__.py", "src/shop/cart.py"], {"shop"}),
        (["lib/shop.pyi", "lib/_fast.pyx", "lib/notes.txt"], {"shop", "_fast"}),
        (
            ["packages/core/src/shop/__init__.py", "packages/core/src/shop/api/__init__.py"],
            {"packages", "shop"},
        ),
        (["libs/core/shop/__init__.py", "libs/core/tests/test_a.py"], {"libs", "shop"}),
        (["shop/api/__init__.py"], {"shop", "api"}),
        ([], set()),
        (["/".join("a" * 3_000) + "/__init__.py"], {"a"}),
    ],
)
def test_own_modules(paths, names):
    assert top_level_names(paths) == names
