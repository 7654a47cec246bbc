"""The table of options: the one place that says what can be configured.

From it come the options of the command line (``command_line``), the variables of the environment and the
inputs of the Action (``bot.config.sources``), the keys of the configuration file (``file``) and
``docs/configuration.md``. It imports next to nothing, since ``regreen --help`` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.config.options.github import GITHUB_OPTIONS
from bot.config.options.model import MODEL_OPTIONS
from bot.config.options.option import Option
from bot.config.options.sandbox import SANDBOX_OPTIONS

STRATEGIES = ("search", "single", "react", "reflect", "tools", "hybrid")
# What of the search can be left out; ``second-order`` are patches of two changes.
SEARCH_PARTS = ("spectra", "progress", "pruning", "alternatives", "second-order")
# A search tries thousands of candidates cheaply; each attempt of a model costs tokens.
DEFAULT_ATTEMPTS: Mapping[str, int] = {
    "search": 20_000,
    "single": 1,
    "react": 5,
    "reflect": 5,
    "tools": 5,
    "hybrid": 5,
}
_DAY = 86_400  # seconds

OPTIONS = (
    Option(
        name="strategy",
        group="Repair",
        kind="choice",
        choices=STRATEGIES,
        default="search",
        help="search needs no model; hybrid asks one where the search fails; the others ask one at once.",
    ),
    Option(
        name="test-command",
        group="Repair",
        metavar="COMMAND",
        otherwise="python -m pytest",
        help="How to run the tests: pytest, unittest, a program, or any command whose exit status tells.",
    ),
    Option(
        name="time-budget",
        group="Repair",
        kind="duration",
        default=300.0,
        minimum=1,
        maximum=7 * _DAY,
        help="For the whole repair, without building its environment.",
    ),
    Option(
        name="max-attempts",
        group="Repair",
        kind="count",
        minimum=1,
        maximum=10_000_000,
        otherwise=", ".join(f"{name}: {count}" for name, count in DEFAULT_ATTEMPTS.items()),
        help="Candidates to try at most.",
    ),
    Option(
        name="max-tokens",
        group="Repair",
        kind="count",
        default=200_000,
        minimum=0,
        maximum=10**12,
        help="Tokens that models may be asked for and answer with, together; 0 is no limit.",
    ),
    Option(
        name="max-cost",
        group="Repair",
        kind="number",
        default=0.0,
        minimum=0,
        maximum=1_000_000,
        help="US dollars that models may cost, as far as their prices are known; 0 is no limit.",
    ),
    Option(
        name="trajectory",
        group="Repair",
        metavar="FILE",
        otherwise="a file of each of the last runs",
        help="Write there what happens in the run, as 'regreen show' reads it.",
    ),
    Option(
        name="workers",
        group="Repair",
        kind="count",
        minimum=1,
        maximum=64,
        otherwise="one a core, within --sandbox-cpus",
        help="Candidates to run at the same time.",
    ),
    Option(
        name="search-without",
        group="For measurements",
        kind="names",
        choices=SEARCH_PARTS,
        help="Parts of the search to leave out, to see what they are worth.",
    ),
    Option(
        name="test-timeout",
        group="Tests",
        kind="duration",
        default=30.0,
        minimum=0.1,
        maximum=_DAY,
        help="A test that takes longer has failed; sooner, where it takes far longer than the others.",
    ),
    Option(
        name="collect-timeout",
        group="Tests",
        kind="duration",
        default=120.0,
        minimum=1,
        maximum=_DAY,
        help="For importing the project and collecting its tests; at most the time budget.",
    ),
    Option(
        name="suite-timeout",
        group="Tests",
        kind="duration",
        minimum=1,
        maximum=7 * _DAY,
        otherwise="the time budget",
        help="For one run of all tests, within a share of the time budget.",
    ),
    *SANDBOX_OPTIONS,
    *MODEL_OPTIONS,
    *GITHUB_OPTIONS,
)
BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
