"""What the reporter asks of pytest is there under other names before pytest 3.4."""

from types import SimpleNamespace

from every_case import every_case

from sandbox.runner.reporter import DECISIVE_HOOKS, Reporter, _stop_name, implementations


def test_all_that_implement_a_hook_are_found():
    old = SimpleNamespace(_nonwrappers=["a"], _wrappers=["b"])
    assert implementations(old) == ["a", "b"]
    assert implementations(SimpleNamespace(get_hookimpls=lambda: ["c"])) == ["c"]


def test_todays_pytest_is_asked_by_its_own_name(request):
    assert implementations(request.config.hook.pytest_runtest_call)
    assert _stop_name(request.session) == "shouldfail"


@every_case(("session", "name"), [({"shouldfail": False}, "shouldfail"), ({}, "shouldstop")])
def test_a_run_is_ended_by_the_name_that_pytest_has(session, name):
    assert _stop_name(SimpleNamespace(shouldstop=False, **session)) == name


def test_who_decides_how_a_test_ends_is_known_there_too():
    foreign = SimpleNamespace(plugin=object(), function=test_all_that_implement_a_hook_are_found)
    hook = SimpleNamespace(_nonwrappers=[foreign], _wrappers=[])
    hooks = SimpleNamespace(**dict.fromkeys(DECISIVE_HOOKS, hook))
    found = Reporter.foreign_hooks(SimpleNamespace(), SimpleNamespace(hook=hooks))
    assert len(found) == len(DECISIVE_HOOKS)
