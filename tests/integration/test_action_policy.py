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

SPECIAL_CASE = WRONG.replace(
    b"    return net - tax\n",
    b"    if net == 100 and tax == 19:\n        return 119\n    return net - tax\n",
)
BACKEND = b'[build-system]\nrequires = []\nbuild-backend = "_make"\nbackend-path = ["."]\n'


def publish(place, directory, new, **more):
    return published(place, directory, proposal(place, new, **more))


def refused(place, ran, why):
    assert why in ran.log, ran.log
    assert (ran.status, place.writes) == (5, [])


def test_a_patch_with_which_nothing_is_wrong_is_published(github, tmp_path):
    ran = publish(shop(github), tmp_path, {"shop/prices.py": RIGHT})
    assert ran.outputs["delivery"] == "suggestion", ran.log


def test_the_build_backend_of_a_part_of_the_repository_is_protected(github, tmp_path):
    path = "services/api/_make.py"
    begin = {"services/api/pyproject.toml": BACKEND, path: b"def build_wheel(d):\n    return d\n"}
    place = shop(github, begin=begin)
    ran = publish(place, tmp_path, {path: b"def build_wheel(d):\n    return d + d\n"})
    refused(place, ran, f"{path} is protected")


@every_case(
    ("code", "why"),
    [
        (b"import os; os.system('id')\n", "new use of os"),
        (b"exit(0)\n", "exit"),
        (b"(\n", "syntax error"),
    ],
)
def test_a_patch_that_does_harm_or_is_no_python_is_refused(tmp_path_factory, code, why):
    with serve() as github:
        place = shop(github)
        refused(place, publish(place, tmp_path_factory.mktemp("run"), {"shop/prices.py": code + RIGHT}), why)


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
        refused(place, ran, "not valid Unicode")


def test_a_file_that_loses_all_is_for_a_person(github, tmp_path):
    ran = publish(shop(github), tmp_path, {"shop/prices.py": b"\n"})
    assert ran.outputs["delivery"] == "comment", ran.log


def test_a_patch_without_a_failing_test_is_refused(github, tmp_path):
    place = shop(github)
    ran = publish(place, tmp_path, {"shop/prices.py": SPECIAL_CASE}, failing=())
    refused(place, ran, "no failing test was seen to pass")


def test_a_tests_own_input_is_known_however_many_other_files_are_named_first(github, tmp_path):
    place = shop(github)
    others = [f"tests/test_{number}.py::test_x" for number in range(20)]
    ran = publish(place, tmp_path, {"shop/prices.py": SPECIAL_CASE}, failing=(*others, TEST))
    refused(place, ran, "own input is special-cased")


def test_a_tests_own_input_is_known_in_a_part_of_the_repository(github, tmp_path):
    begin = {"api/shop/prices.py": WRONG, "api/tests/test_api.py": TESTS}
    place = shop(github, begin=begin)
    ran = publish(
        place, tmp_path, {"api/shop/prices.py": SPECIAL_CASE}, failing=["tests/test_api.py::test_x"]
    )
    refused(place, ran, "own input is special-cased")


def test_a_patch_is_for_a_person_where_the_tests_are_too_large(github, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "_TEST_BYTES", 100)
    ran = publish(shop(github), tmp_path, {"shop/prices.py": RIGHT})
    assert ran.outputs["delivery"] == "comment", ran.log
    assert "too large to be compared with the patch" in ran.summary


CHECK = b"from shop.prices import with_tax\n\n\ndef check_tax():\n    assert with_tax(100, 19) == 119\n"


@every_case(
    ("configuration", "failing"),
    [
        (b'[tool.pytest.ini_options]\npython_files = ["check_*.py"]\n', [TEST]),
        (b"", ["checks/check_prices.py::check_tax"]),
    ],
)
def test_a_test_of_another_name_is_protected(tmp_path_factory, configuration, failing):
    path = "checks/check_prices.py"
    with serve() as github:
        place = shop(github, begin={"pyproject.toml": configuration, path: CHECK})
        ran = publish(
            place, tmp_path_factory.mktemp("run"), {path: CHECK.replace(b"119", b"81")}, failing=failing
        )
        refused(place, ran, f"{path} is protected")


def test_a_source_is_free_where_an_example_in_it_fails(github, tmp_path):
    failing = ["shop/prices.py::shop.prices.with_tax"]
    ran = publish(shop(github), tmp_path, {"shop/prices.py": RIGHT}, failing=failing)
    assert ran.outputs["delivery"] == "suggestion", ran.log


@every_case(
    ("path", "known"),
    [
        ("shop/Prices.py", "shop/prices.py"),
        ("shop/util.py", "shop/util/helpers.py"),
        ("vendor/x.py", "vendor"),
        ("link/x.py", "link"),
    ],
)
def test_a_new_file_that_takes_anothers_place_is_refused(tmp_path_factory, path, known):
    odd = {"vendor": Submodule("a" * 40), "link": Link("shop")}
    with serve() as github:
        place = shop(github, begin={known: odd.get(known, b"x = 1\n")})
        ran = publish(place, tmp_path_factory.mktemp("run"), {path: b"x = 1\n"})
        refused(place, ran, path)


@every_case("path", ["services/api/build.py", "services/api/docs/conf.py", "services/api/ci/deploy.py"])
def test_what_builds_a_part_of_the_repository_is_protected(tmp_path_factory, path):
    with serve() as github:
        place = shop(github, begin={"services/api/setup.py": b"", path: b"x = 1\n"})
        ran = publish(place, tmp_path_factory.mktemp("run"), {path: b"x = 2\n"})
        refused(place, ran, f"{path} is protected")
