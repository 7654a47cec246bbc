"""Which tests the plugins of pytest act on: those are run with all hooks, others without."""

from types import SimpleNamespace

import pytest

from sandbox.runner.plugins import Foreign, modules_of


def item(*, marks=(), fixtures=(), **attributes):
    return SimpleNamespace(
        fixturenames=list(fixtures),
        iter_markers=lambda: [SimpleNamespace(name=mark) for mark in marks],
        obj=SimpleNamespace(**attributes),
    )


def test_a_plugin_that_is_known_leaves_an_ordinary_test_alone():
    foreign = Foreign({"_hypothesis_pytestplugin", "pytest_rerunfailures", "pytest_codspeed.plugin"})
    assert foreign.known
    assert not foreign.act_on(item(marks=["parametrize"], fixtures=["monkeypatch"]))


@pytest.mark.parametrize(
    "one",
    [
        item(marks=["flaky"]),
        item(marks=["parametrize", "benchmark"]),
        item(fixtures=["codspeed_benchmark"]),
        item(is_hypothesis_test=True),
    ],
)
def test_a_plugin_that_is_known_acts_on_tests_with_its_mark_or_fixture(one):
    assert Foreign({"_hypothesis_pytestplugin", "pytest_rerunfailures", "pytest_codspeed.plugin"}).act_on(one)


def test_a_mark_says_nothing_where_its_plugin_is_not_there():
    assert not Foreign(set()).act_on(item(marks=["flaky"]))


def test_a_plugin_that_nobody_read_may_act_on_any_test():
    foreign = Foreign({"conftest", "pytest_cov.plugin"})
    assert not foreign.known
    assert foreign.act_on(item())


def test_modules_are_those_of_others_than_pytest_and_the_reporter():
    ours = object()
    found = [
        SimpleNamespace(plugin=ours, function=SimpleNamespace(__module__="regreen_runner.reporter")),
        SimpleNamespace(plugin=None, function=SimpleNamespace(__module__="_pytest.runner")),
        SimpleNamespace(plugin=None, function=SimpleNamespace(__module__="conftest")),
        SimpleNamespace(plugin=None, function=SimpleNamespace()),
    ]
    assert modules_of(found, ours) == {"conftest", ""}
