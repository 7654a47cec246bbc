"""What the job that publishes refuses although the job that proposes let it through."""

import base64

from every_case import every_case
from fakes.action import RIGHT, TESTS, WRONG, shop
from fakes.github import Link, Submodule, serve
from fakes.proposals import TEST, edit, proposal, published

from bot.delivery import judging
from bot.domain import Patch, SpanEdit
from bot.patch.diff import unified_diff
from bot.patch.text import decode, shown_surrogates

FIXED = {"shop/prices.py": RIGHT}
SPECIAL_CASE = WRONG.replace(
    b"    return net - tax\n",
    b"    if net == 100 and tax == 19:\n        return 119\n    return net - tax\n",
)
BACKEND = b'[build-system]\nrequires = []\nbuild-backend = "_make"\nbackend-path = ["."]\n'
CHECK = b"from shop.prices import with_tax\n\n\ndef check_tax():\n    assert with_tax(100, 19) == 119\n"
CHECKED = {"checks/check_prices.py": CHECK.replace(b"119", b"81")}
PROTECTED = "checks/check_prices.py is protected"
PYTEST = b'[tool.pytest.ini_options]\npython_files = ["check_*.py"]\n'
MANY = [f"tests/test_{number}.py::test_x" for number in range(20)]


def case(new, why, *, begin=None, failing=(TEST,)):
    """What a patch makes of a repository, what is said of it, what is there, and which tests it repairs."""
    return new, why, begin or {}, failing


def changed(*paths, **more):
    """A repository with files at ``paths``, and a change to the last of them."""
    begin = {**dict.fromkeys(paths, b"x = 1\n"), **more}
    return case({paths[-1]: b"x = 2\n"}, f"{paths[-1]} is protected", begin=begin)


def added(path, beside, content=b"x = 1\n"):
    """A repository with something at ``beside``, and a new file whose path is in its way."""
    return case({path: b"x = 1\n"}, path, begin={beside: content})


REFUSED = {
    "harm": case({"shop/prices.py": b"import os; os.system('id')\n" + RIGHT}, "new use of os"),
    "an exit": case({"shop/prices.py": b"exit(0)\n" + RIGHT}, "exit"),
    "no Python": case({"shop/prices.py": b"(\n" + RIGHT}, "syntax error"),
    "no failing test": case({"shop/prices.py": SPECIAL_CASE}, "no failing test was seen to pass", failing=()),
    "a test's own input, behind others": case(
        {"shop/prices.py": SPECIAL_CASE}, "own input is special-cased", failing=[*MANY, TEST]
    ),
    "a test's own input, in a part": case(
        {"api/shop/prices.py": SPECIAL_CASE},
        "own input is special-cased",
        begin={"api/shop/prices.py": WRONG, "api/tests/test_api.py": TESTS},
        failing=["tests/test_api.py::test_x"],
    ),
    "a test of another name, configured": case(
        CHECKED, PROTECTED, begin={"pyproject.toml": PYTEST, "checks/check_prices.py": CHECK}
    ),
    "a test of another name, failing": case(
        CHECKED,
        PROTECTED,
        begin={"checks/check_prices.py": CHECK},
        failing=["checks/check_prices.py::check_tax"],
    ),
    "a backend": changed("services/api/_make.py", **{"services/api/pyproject.toml": BACKEND}),
    "a build": changed("services/api/setup.py", "services/api/build.py"),
    "documentation": changed("services/api/setup.py", "services/api/docs/conf.py"),
    "continuous integration": changed("services/api/setup.py", "services/api/ci/deploy.py"),
    "another case": added("shop/Prices.py", "shop/prices.py"),
    "a package": added("shop/util.py", "shop/util/helpers.py"),
    "a submodule": added("vendor/x.py", "vendor", Submodule("a" * 40)),
    "a link": added("link/x.py", "link", Link("shop")),
}


@every_case("name", REFUSED)
def test_it_is_refused(tmp_path_factory, name):
    new, why, begin, failing = REFUSED[name]
    with serve() as github:
        place = shop(github, begin=begin)
        ran = published(place, tmp_path_factory.mktemp("run"), proposal(place, new, failing=failing))
    assert why in ran.log, ran.log
    assert (ran.status, place.writes) == (5, [])


@every_case("failing", [TEST, "shop/prices.py::shop.prices.with_tax"])
def test_what_repairs_a_test_or_an_example_in_the_source_is_published(tmp_path_factory, failing):
    with serve() as github:
        place = shop(github)
        ran = published(place, tmp_path_factory.mktemp("run"), proposal(place, FIXED, failing=[failing]))
    assert ran.outputs["delivery"] == "suggestion", ran.log


@every_case("halves", [(b"# \xe2", b"\x80\xae\n"), (b"pr\xd1", b"\x96ce = 1\n")])
def test_a_hidden_character_whose_bytes_are_two_edits_is_refused(tmp_path_factory, halves):
    path = "shop/prices.py"
    with serve() as github:
        place = shop(github)
        document = proposal(place, {path: RIGHT})
        edits = [*(edit(path, 0, 0, half) for half in halves), *document["edits"]]
        patch = Patch(
            edits=tuple(
                SpanEdit(
                    path=path,
                    start=one["start"],
                    end=one["end"],
                    replacement=decode(base64.b64decode(one["text"])),
                )
                for one in edits
            )
        )
        diff = shown_surrogates(unified_diff(patch, {path: WRONG.decode()}))
        ran = published(place, tmp_path_factory.mktemp("run"), {**document, "edits": edits, "diff": diff})
    assert "not valid Unicode" in ran.log, ran.log
    assert (ran.status, place.writes) == (5, [])


def test_a_file_that_loses_all_is_for_a_person(github, tmp_path):
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, {"shop/prices.py": b"\n"}))
    assert ran.outputs["delivery"] == "comment", ran.log


def test_a_patch_is_for_a_person_where_the_tests_are_too_large(github, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "_TEST_BYTES", 100)
    place = shop(github)
    ran = published(place, tmp_path, proposal(place, FIXED))
    assert ran.outputs["delivery"] == "comment", ran.log
    assert "too large to be compared with the patch" in ran.summary
