"""Which files a repair may change: Python sources that are there, and nothing else without a person."""

from every_case import every_case
from sections import GOLDEN

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge


def judged(path, sources, new="a = 2\n"):
    return judge(from_sources(sources, {path: new}), sources, Policy())


REFUSED = (GOLDEN / "refused_paths.txt").read_text("utf-8").splitlines()


@every_case("path", REFUSED)
@every_case("exists", [True, False])
def test_what_runs_builds_or_configures_is_refused(path, exists):
    assert judged(path, {path: "a = 1\n"} if exists else {"shop/a.py": ""}).refused


@every_case(
    "path",
    [
        "shop/build.py",
        "shop/tasks.py",
        "shop/ci/run.py",
        "shop/conf.py",
        "tasks.py",
        "conf.py",
        "a/requirements.py",
        "gradle_tools.py",
        "release.py",
        "shop.py",
        "a.pyi",
        "scripts/x.py",
    ],
)
def test_python_sources_that_are_there_are_free(path):
    assert judged(path, {path: "a = 1\n"}) == judged("shop.py", {"shop.py": "a = 1\n"})


@every_case("path", ["shop/data.json", "shop/rates.csv", "README.md", "shop/page.html", "shop/words.txt"])
def test_data_is_for_a_person(path):
    found = judged(path, {path: "1\n"}, "2\n")
    assert (found.refused, found.shown) == ((), (f"{path} is data, not code",))
    assert judged(path, {"shop.py": ""}, "2\n").refused


def test_a_new_module_is_for_a_person():
    found = judged("shop/cart.py", {"shop/__init__.py": ""})
    assert (found.refused, found.shown) == ((), ("shop/cart.py is a new file",))


@every_case(
    ("path", "known"),
    [
        *(
            ("yaml.py", "shop.py"),
            ("requests.py", "shop.py"),
            ("src/pip.py", "shop.py"),
            ("numpy/__init__.py", "a.py"),
        ),
        *(("shop/__init__.py", "shop.py"), ("shop.py", "shop/__init__.py"), ("shop.py", "shop/cart.py")),
        *(("Shop.py", "shop/__init__.py"), ("a/shop/__init__.py", "a/shop.py"), ("shop.py", "shop.pyi")),
    ],
)
def test_a_new_file_that_takes_the_place_of_a_module_is_refused(path, known):
    assert judged(path, {known: "a = 1\n"}).refused


def test_an_import_is_known_by_the_projects_own_code_and_not_by_its_tests():
    sources = {
        "shop/cart.py": "x = 1\n",
        "shop/rates.py": "import numpy as np\n",
        "helpers.py": "y = 1\n",
        "tests/test_cart.py": "import pandas\n",
        "setup.py": "import babel\n",
    }

    def shown(line):
        found = judged("shop/cart.py", sources, f"{line}\nx = 1\n")
        assert found.refused == ()
        return found

    for line in (
        "import numpy",
        "from numpy.linalg import norm",
        "import helpers",
        "from shop.rates import np",
    ):
        assert shown(line).shown == (), line
    assert shown("import numpy").witnesses == ("shop/rates.py",)
    assert shown("import helpers").witnesses == ("helpers.py",)
    assert shown("import shop").witnesses == ()
    for line in ("import pandas", "import babel", "import never_heard_of"):
        (why,) = shown(line).shown
        assert "which the project imports nowhere" in why
