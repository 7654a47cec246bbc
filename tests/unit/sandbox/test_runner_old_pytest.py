"""What the reporter asks of pytest is there under other names before pytest 3.4."""

from types import SimpleNamespace

from every_case import every_case

from sandbox.runner.reporter import DECISIVE_HOOKS, Reporter, _stop_name, implementations


def test_all_that_implement_a_hook_are_found_and_who_decides_how_a_test_ends(request):
    assert implementations(request.config.hook.pytest_runtest_call)
    assert implementations(SimpleNamespace(get_hookimpls=lambda: ["c"])) == ["c"]
    foreign = SimpleNamespace(plugin=object(), function=test_a_run_is_ended_by_the_name_that_pytest_has)
    old = SimpleNamespace(_nonwrappers=[foreign], _wrappers=["b"])
    assert implementations(old) == [foreign, "b"]
    hook = SimpleNamespace(_nonwrappers=[foreign], _wrappers=[])
    hooks = SimpleNamespace(**dict.fromkeys(DECISIVE_HOOKS, hook))
    found = Reporter.foreign_hooks(SimpleNamespace(), SimpleNamespace(hook=hooks))
    assert len(found) == len(DECISIVE_HOOKS)


@every_case(("session", "name"), [({"shouldfail": False}, "shouldfail"), ({}, "shouldstop")])
def test_a_run_is_ended_by_the_name_that_pytest_has(request, session, name):
    assert _stop_name(request.session) == "shouldfail", "today's"
    assert _stop_name(SimpleNamespace(shouldstop=False, **session)) == name
