"""The culprit: the smallest part of the change without which the failing tests pass, seen by running them."""

import time

import pytest
from agent_support import failed_result, repaired, report, result, runtime
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds, ScriptedTestbed
from hypothesis import given
from hypothesis import strategies as st
from sections import sections
from snapshots import snapshot

from bot.agent.model.briefing.brief import brief_of
from bot.agent.nodes.culprit import MAX_OF_NEW, MAX_RUNS, culprit
from bot.agent.state import RepairState
from bot.domain import Baseline, Before, Patch, Suspicion
from bot.environments.versions.base_version import base_version
from bot.patch.apply import apply
from bot.request import Budget
from bot.result import Outcome
from bot.search.difference import pieces
from bot.search.difference.pieces import hunks

SOURCES = sections("sources/agent_culprit.txt")[0].parts
TESTS, BASE, HEAD = SOURCES["TESTS"], SOURCES["BASE"], SOURCES["HEAD"]
FILES = {"shop.py": HEAD, "test_shop.py": TESTS}
LONG = "def price():\n{}    return {}\n"
ASKED = {
    "shop.py": LONG.format("", "5"),
    "test_shop.py": "import shop\n\n\ndef test_price():\n    assert shop.price() == 10\n",
}


def found(base, *, files=FILES, testbed=None, suspicions=(), kinds=(), **request):
    bed = testbed or FakeTestbed(files)
    seen = bed.run() if testbed is None else report()
    made = runtime(files=files, testbed=bed, base=base, base_name="the base", **request)
    failing = seen.failing or (result("t.py::a"),)
    before = Baseline(failing=failing, passing=seen.passing, runs=3, before=kinds)
    return culprit(RepairState(baseline=before, suspicions=suspicions), made), bed


def test_the_guilty_line_is_found_and_comes_before_the_other_suspicious_ones():
    others = (Suspicion(path="shop.py", line=6, score=0.9), Suspicion(path="shop.py", line=8, score=0.2))
    update, _ = found({"shop.py": BASE}, suspicions=others)
    seen = update["culprit"]
    assert (seen.lines, seen.size, seen.changed, seen.minimal) == ((("shop.py", (8, 8)),), 1, 3, True)
    assert seen.tests == ("test_shop.py::test_price",)
    assert seen.sentence == (
        "shop.py:8: 1 of 3 changed lines makes the difference: without, one failing test passed; "
        "compared with the base"
    )
    assert [(one.line, one.score) for one in update["suspicions"]] == [(8, 1.0), (6, 0.9)]


def test_a_part_is_found_where_the_test_needs_another_part_of_the_change():
    """Without the whole change the test fails as well: what it calls is new."""
    base = BASE.replace("def label", "def name")
    tests = TESTS.replace("== 5", '== 5 and shop.label(1) == "new: 1"')
    where = (Suspicion(path="shop.py", line=8, score=0.5),)
    update, _ = found({"shop.py": base}, files={"shop.py": HEAD, "test_shop.py": tests}, suspicions=where)
    assert update["culprit"].lines == (("shop.py", (8, 8)),)


def test_a_line_is_found_where_the_test_needs_the_line_beside_it():
    """Both are of one block, and the test fails without the whole block as well."""
    files = {"shop.py": "def price(amount):\n    rate = 3\n    extra = 2\n    return amount * rate + extra\n"}
    files["test_shop.py"] = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 7\n"
    base = files["shop.py"].replace("rate = 3", "rate = 4").replace("extra = 2", "extra = 1")
    where = tuple(Suspicion(path="shop.py", line=line, score=0.5) for line in (2, 3, 4))
    update, _ = found({"shop.py": base}, files=files, suspicions=where)
    assert update["culprit"].lines == (("shop.py", (3, 3)),)


def test_a_lost_statement_among_blank_lines_is_found_by_the_lines_beside_it():
    """The test fails without the whole change as well, and no test executes a blank line."""
    head = HEAD.replace("amount < 0:", "amount < 0:\n\n        # nothing\n").replace("+ extra", "- extra")
    base = head.replace("# nothing\n", "# nothing\n        extra = 0\n").replace("def label", "def name")
    tests = "import shop\n\n\ndef test_lost():\n    assert shop.label(1) and shop.price(-1, 1) == 0\n"
    head = head.replace("        return 0", "        return extra")
    base = base.replace("        return 0", "        return extra")
    where = (Suspicion(path="shop.py", line=head.splitlines().index("        return extra") + 1, score=0.5),)
    update, _ = found({"shop.py": base}, files={"shop.py": head, "test_shop.py": tests}, suspicions=where)
    (edit,) = update["culprit"].edits
    assert edit.replacement == "        extra = 0\n"


def test_a_line_of_a_text_that_looks_like_a_comment_is_part_of_the_culprit():
    code = 'TEXT = """\\\n{}\n{}\n"""\n'
    files = {"shop.py": code.format("## Title", "Body")}
    files["test_shop.py"] = "import shop\n\n\ndef test_text():\n    assert shop.TEXT.startswith('# ')\n"
    update, _ = found({"shop.py": code.format("# Title", "body")}, files=files)
    (path, (first, _)) = update["culprit"].lines[0]
    assert (path, first) == ("shop.py", 2)


def test_two_parts_that_both_have_to_go_are_cut_into_lines():
    head = "def f(d):\n    a = 2\n    d.update(kk=1)\n\n\ndef g(d):\n    a = 2\n    return d['kk']\n"
    base = head.replace("kk", "k").replace("= 2", "= 1")
    test = (
        "import shop\n\n\ndef test_it():\n    d = {}\n    shop.f(d)\n"
        "    assert (shop.g(d), list(d)) == (1, ['k'])\n"
    )
    update, _ = found({"shop.py": base}, files={"shop.py": head, "test_shop.py": test})
    assert update["culprit"].size == 2


def test_the_tests_of_the_culprit_are_all_that_pass_without_it():
    names = [f"f{number}" for number in range(6)]
    head = "".join(f"def {name}():\n    return {number}\n\n\n" for number, name in enumerate(names))
    test = "import shop\n" + "".join(
        f"\n\ndef test_{name}():\n    assert shop.{name}() == {number - 10}\n"
        for number, name in enumerate(names)
    )
    base = "".join(f"def {name}():\n    return {number - 10}\n\n\n" for number, name in enumerate(names))
    update, _ = found({"shop.py": base}, files={"shop.py": head, "test_shop.py": test})
    seen = update["culprit"]
    assert seen.size == len(seen.tests)


@every_case("is_needed", [True, False])
def test_a_part_that_tests_of_the_change_need_is_not_blamed_where_another_one_may_be(is_needed):
    code = (
        "def rate():\n    return {}\n\n\ndef extra():\n    return {}\n\n\n"
        "def price():\n    return 10 if 1 in (rate(), extra()) else 0\n"
    )
    before = "import shop\n\n\ndef test_price():\n    assert shop.price() == 10\n"
    own = "\n\ndef test_rate():\n    assert shop.rate() == 2\n" if is_needed else ""
    files = {"shop.py": code.format(2, 3), "test_shop.py": before + own}
    where = (Suspicion(path="shop.py", line=2, score=0.9), Suspicion(path="shop.py", line=6, score=0.5))
    base = {"shop.py": code.format(1, 1), "test_shop.py": before}
    update, _ = found(base, files=files, suspicions=where)
    line = 6 if is_needed else 2
    assert update["culprit"].lines == (("shop.py", (line, line)),)
    assert update["culprit"].needed == ()


@every_case(("kind", "is_blamed"), [(Before.NEW, False), (Before.CHANGED, False), (Before.REGRESSION, True)])
def test_what_a_new_test_is_about_is_not_blamed_for_its_failure(kind, is_blamed):
    """All that passes without it is a test that never passed with anything else."""
    before = "import shop\n\n\ndef test_price():\n    assert shop.price() == 10\n"
    own = "\n\ndef test_half():\n    assert shop.price() == 5\n"
    files = {"shop.py": "def price():\n    return 5\n", "test_shop.py": before + own}
    base = {"shop.py": "def price():\n    return 10\n", "test_shop.py": before}
    update, _ = found(base, files=files, kinds=(("test_shop.py::test_price", kind),))
    assert ("culprit" in update) is is_blamed


@every_case(
    ("kind", "lines", "is_shown"),
    [
        (Before.NEW, MAX_OF_NEW, True),
        (Before.NEW, MAX_OF_NEW + 1, False),
        (Before.REGRESSION, MAX_OF_NEW + 1, True),
    ],
)
def test_much_that_a_new_test_passes_without_is_searched_and_not_shown(kind, lines, is_shown):
    """What is taken back is another way to what the test asks for, and says little of what is wrong."""
    base = {"shop.py": LONG.format("    x = 10\n" * (lines - 1), "x")}
    update, _ = found(base, files=ASKED, kinds=(("test_shop.py::test_price", kind),))
    assert update["culprit"].shown is is_shown


@every_case(("lines", "is_shown"), [(MAX_OF_NEW, True), (MAX_OF_NEW + 1, False)])
def test_a_culprit_that_is_not_shown_is_no_part_of_the_result(lines, is_shown):
    base = {"shop.py": LONG.format("    x = 10\n" * (lines - 1), "x")}
    made = repaired(
        ASKED,
        base=base,
        base_name="main",
        base_whole=True,
        base_lacks=frozenset({"test_shop.py"}),
        base_testbeds=FakeTestbeds.of(base),
        strategy="culprit",
    )
    assert (made.culprit is not None) is is_shown
    assert made.reason.startswith(
        "the culprit is found" if is_shown else "the tests, which are new, pass without 6"
    )


@every_case(
    ("base", "is_run"),
    [
        ({"shop.py": HEAD.replace("new: ", "other: ")}, True),
        ({"test_shop.py": TESTS.replace("== 5", "== 7")}, False),  # tests are no part of the change
        ({}, False),
        ({"shop.py": HEAD}, False),
        *(({"shop.py": text}, False) for text in ("x = '\0'\n", "\udcff\udcfe" * 50, "def broken(:\n")),
    ],
)
def test_a_change_that_is_not_to_blame_has_no_culprit_and_without_one_nothing_is_run(base, is_run):
    update, bed = found(base)
    assert set(update) <= {"elapsed"}
    assert (len(bed.runs) > 1) is any(run.changes for run in bed.runs) is is_run


def test_no_more_runs_than_agreed():
    """The smallest part that was seen is given, and said not to be minimal."""
    lines = 400
    files = {"shop.py": "".join(f"x{n} = 1\n" for n in range(lines))}
    base = {"shop.py": "".join(f"x{n} = {n % 2}\n" for n in range(lines))}

    class Whole(ScriptedTestbed):
        """The test passes without the whole change only."""

        def run(self, **asked):
            super().run(**asked)
            everything = asked["changes"]["shop.py"].decode() == base["shop.py"]
            return report(result("t.py::a")) if everything else report()

    bed = Whole(*[report()] * 500)
    update, _ = found(base, files=files, testbed=bed)
    assert len(bed.runs) <= MAX_RUNS + 1
    assert update["culprit"].minimal is False
    assert "perhaps fewer" in update["culprit"].sentence


def test_a_repair_uses_the_old_version_and_says_so():
    found = repaired(FILES, base={"shop.py": BASE}, base_name="main")
    assert found.outcome is Outcome.PATCHED
    assert found.culprit is not None
    assert "-    return amount * RATE + extra\n+    return amount * RATE - extra" in found.diff
    assert found.first_plausible_attempt == 1


def test_a_repair_follows_a_rename_to_the_place_that_it_missed():
    """The old name is gone: to bring it back would do as well, and is not what the change wants."""
    head = HEAD.replace("RATE = 3", "PER_UNIT = 3").replace("+ extra", "- extra")
    head += "\n\ndef double(amount):\n    return 2 * amount * PER_UNIT\n"
    base = BASE + "\n\ndef double(amount):\n    return 2 * amount * RATE\n"
    found = repaired({**FILES, "shop.py": head}, base={"shop.py": base}, base_name="main")
    assert found.outcome is Outcome.PATCHED
    assert "-    return amount * RATE - extra\n+    return amount * PER_UNIT - extra" in found.diff
    assert found.first_plausible_attempt == 1


def test_a_culprit_is_told_where_no_patch_is_found():
    """What the old version did not do either, no candidate can do; the search is not given any."""
    files = {**FILES, "test_shop.py": TESTS + "\n\ndef test_never():\n    assert shop.price(0, 0) == 'x'\n"}
    found = repaired(files, base={"shop.py": BASE}, budget=Budget(attempts=3))
    assert found.outcome is not Outcome.PATCHED
    assert found.culprit.lines == (("shop.py", (8, 8)),)


def test_a_model_is_shown_what_takes_the_culprit_back():
    update, _ = found({"shop.py": BASE})
    bed = FakeTestbed(FILES)
    before = Baseline(failing=bed.run().failing, runs=3)
    made = runtime(files=FILES, testbed=bed)
    brief = brief_of(RepairState(baseline=before, **update), made.context, room=2_000)
    assert "-    return amount * RATE + extra\n+    return amount * RATE - extra\n" in brief.culprit
    assert brief_of(RepairState(baseline=before), made.context, room=2_000).culprit == ""


def test_a_change_of_twenty_thousand_lines(tmp_path):
    """It is compared in seconds, and costs no more runs than another."""
    paths = [f"m{n}.py" for n in range(20)]
    head = dict.fromkeys(paths, "".join(f"x{n} = {n}\n" for n in range(2_000)))
    for path in paths:
        (tmp_path / path).write_text("".join(f"x{n} = {n + n % 2}\n" for n in range(2_000)))
    start = time.process_time()
    version = base_version(tmp_path, str(tmp_path), snapshot(head))
    suspicions = tuple(Suspicion(path="m1.py", line=line, score=0.5) for line in range(1, 2_000))
    bed = ScriptedTestbed(report(failed_result("t.py::a")))
    update, _ = found(version.sources, files=head, testbed=bed, suspicions=suspicions)
    assert time.process_time() - start < 30
    assert "culprit" not in update
    assert 0 < len(bed.runs) <= MAX_RUNS + 1


def test_a_file_with_twenty_thousand_lines_is_compared_in_seconds():
    head = "".join(f"x{n} = {n}\n" for n in range(20_000))
    base = "".join(f"x{n} = {n + n % 2}\n" for n in range(20_000))
    start = time.process_time()
    parts = hunks({"m.py": base}, {"m.py": head})
    assert time.process_time() - start < 5
    assert len(parts) == 10_000
    assert apply(Patch(edits=parts), {"m.py": head}) == {"m.py": base}


@given(st.lists(st.integers(0, 9), max_size=40), st.lists(st.integers(0, 9), max_size=40))
def test_long_files_are_compared_as_others_are(old, new):
    texts = ["".join(f"x = {n}\n" for n in numbers) for numbers in (old, new)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pieces, "MAX_PAIRS", 0)
        parts = hunks({"m.py": texts[0]}, {"m.py": texts[1]})
    assert apply(Patch(edits=parts), {"m.py": texts[1]}).get("m.py", texts[1]) == texts[0]
