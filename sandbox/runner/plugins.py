"""Plugins of pytest whose hooks around a test do nothing for most tests, and for which they do something.

Without them, and without pytest's own reports, a verdict on a short test takes a quarter of the time.
What each plugin does was read in its source, in the versions of November 2026. Whoever is not named here may
decide about any test.
"""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple


class Acts(NamedTuple):
    """Tests on which a plugin acts: those with one of these marks, or with one of these fixtures."""

    marks: Tuple[str, ...] = ()
    fixtures: Tuple[str, ...] = ()


REPORTS_ONLY = Acts()
BENCHMARKS = Acts(("benchmark", "codspeed_benchmark"), ("benchmark", "benchmark_weave", "codspeed_benchmark"))
PLUGINS: Dict[str, Acts] = {
    "_hypothesis_pytestplugin": Acts(),  # and on its own tests, see below
    "langsmith.pytest_plugin": Acts(("langsmith",)),
    "logfire._internal.integrations.pytest": REPORTS_ONLY,
    "pytest_asyncio.plugin": Acts(("asyncio",)),
    "pytest_benchmark.plugin": BENCHMARKS,
    "pytest_codspeed.plugin": BENCHMARKS,
    "pytest_cov.plugin": Acts(),  # it measures nothing here: see ``reporter``
    "pytest_dependency": Acts(("dependency",)),
    "pytest_forked": Acts(("forked",)),
    "pytest_github_actions_annotate_failures.plugin": REPORTS_ONLY,
    "pytest_html.basereport": REPORTS_ONLY,
    "pytest_html.plugin": REPORTS_ONLY,
    "pytest_instafail": REPORTS_ONLY,
    "pytest_pretty": REPORTS_ONLY,
    "pytest_randomly": Acts(),  # the seeds are not reset here: see ``reporter``
    "pytest_reportlog.plugin": REPORTS_ONLY,
    "pytest_rerunfailures": Acts(("flaky",)),
    "pytest_sugar": REPORTS_ONLY,
    "pytest_timeout": Acts(("timeout",)),
    "pytest_trio.plugin": Acts(("trio",)),
    "syrupy": REPORTS_ONLY,
}
# Those that call coroutine functions, and leave it to pytest to call all others.
FOR_COROUTINES = frozenset({"aiohttp.pytest_plugin", "anyio.pytest_plugin", "pytest_asyncio.plugin"})


class Foreign:
    """The plugins among ``modules`` that implement a hook; ``known`` says whether all were read."""

    def __init__(self, modules: Set[str]) -> None:
        self.known = modules <= set(PLUGINS)
        acts = [PLUGINS[module] for module in modules if module in PLUGINS]
        self._marks = {mark for one in acts for mark in one.marks}
        self._fixtures = {fixture for one in acts for fixture in one.fixtures}

    def act_on(self, item: Any) -> bool:
        """Whether one of them may decide how ``item`` ends."""
        return (
            not self.known
            or bool(self._fixtures.intersection(item.fixturenames))
            or any(mark.name in self._marks for mark in item.iter_markers())
            # Of Hypothesis or not: its plugin says more about these, and counts what they did.
            or getattr(item.obj, "is_hypothesis_test", False) is True
        )


def modules_of(implementations: List[Any], ours: Optional[Any]) -> Set[str]:
    """The modules, other than pytest's and the plugin ``ours``, that have one of ``implementations``."""
    modules = {
        str(getattr(one.function, "__module__", "")) for one in implementations if one.plugin is not ours
    }
    return {module for module in modules if not module.startswith("_pytest.")}
