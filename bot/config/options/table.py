"""The table of options: the one place that says what can be configured.

From it come the options of the command line (``command_line``), the variables of the environment and the
inputs of the Action (``bot.config.sources``), the keys of the configuration file (``file``) and
``docs/configuration.md``. It imports next to nothing, since ``regreen --help`` reads it.
"""

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
        help="search uses no model, hybrid after the search, others always.",
    ),
    Option(
        name="test-command",
        group="Repair",
        metavar="COMMAND",
        otherwise="python -m pytest",
        help="Runs the tests: pytest, unittest, or any command with an exit status.",
    ),
    Option(
        name="working-directory",
        group="Repair",
        metavar="DIRECTORY",
        scope="file",
        otherwise="the project's top",
        help="Where the test command runs, below the project's top.",
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
        otherwise=f"search: {DEFAULT_ATTEMPTS['search']}, single: 1, others: {DEFAULT_ATTEMPTS['react']}",
        help="The most candidates to try.",
    ),
    Option(
        name="max-tokens",
        group="Repair",
        kind="count",
        default=200_000,
        minimum=0,
        maximum=10**12,
        help="The most tokens, in prompts and replies together; 0: no limit.",
    ),
    Option(
        name="max-cost",
        group="Repair",
        kind="number",
        default=0.0,
        minimum=0,
        maximum=1_000_000,
        scope="file",
        help="The most US dollars for models with known prices; 0: no limit.",
    ),
    Option(
        name="trajectory",
        group="Repair",
        metavar="FILE",
        otherwise="a file that is kept for some runs",
        help="Record the run there, for 'regreen show'.",
    ),
    Option(
        name="workers",
        group="Repair",
        kind="count",
        minimum=1,
        maximum=64,
        otherwise="one per core",
        help="Candidates to run at the same time.",
    ),
    Option(
        name="search-without",
        group="For measurements",
        kind="names",
        choices=SEARCH_PARTS,
        scope="file",
        help="Parts of the search to leave out.",
    ),
    Option(
        name="test-timeout",
        group="Tests",
        kind="duration",
        default=30.0,
        minimum=0.1,
        maximum=_DAY,
        help="For one test; less for a test far slower than the others.",
    ),
    Option(
        name="collect-timeout",
        group="Tests",
        kind="duration",
        default=120.0,
        minimum=1,
        maximum=_DAY,
        scope="file",
        help="For importing the project and collecting its tests.",
    ),
    Option(
        name="suite-timeout",
        group="Tests",
        kind="duration",
        minimum=1,
        maximum=7 * _DAY,
        otherwise="the time budget",
        help="For one run of all tests.",
    ),
    *SANDBOX_OPTIONS,
    *MODEL_OPTIONS,
    *GITHUB_OPTIONS,
)
BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
