"""The part of the table of options that is about GitHub and the Action; see ``bot.config.options``."""

from bot.config.options.option import Option

MODES = ("repair", "propose", "publish")
DELIVERIES = ("auto", "suggestion", "pull-request", "commit", "comment", "none")
OCCASIONS = ("patch", "always", "never")
YES_NO = ("true", "false")

GITHUB_OPTIONS = (
    Option(
        name="mode",
        group="GitHub",
        kind="choice",
        choices=MODES,
        default="repair",
        scope="run",
        help="propose writes a proposal; publish checks and delivers it; repair does both.",
    ),
    Option(
        name="proposal",
        group="GitHub",
        metavar="FILE",
        default="regreen-proposal.json",
        scope="run",
        help="The proposal's file in the workspace, for propose and publish.",
    ),
    Option(
        name="pull-request",
        group="GitHub",
        kind="count",
        minimum=1,
        maximum=2**53,
        scope="run",
        help="The pull request to repair.",
    ),
    Option(
        name="run-id",
        group="GitHub",
        kind="count",
        minimum=1,
        maximum=2**53,
        scope="run",
        help="The failed workflow run to repair.",
    ),
    Option(
        name="branch",
        group="GitHub",
        metavar="NAME",
        scope="run",
        help="The branch to repair, after its latest failed run.",
    ),
    Option(
        name="config-path",
        group="GitHub",
        metavar="PATH",
        default=".github/regreen.yml",
        scope="run",
        help="The file of options, read from the base branch only.",
    ),
    Option(
        name="delivery",
        group="GitHub",
        kind="choice",
        choices=DELIVERIES,
        default="auto",
        scope="action",
        help="How a patch is delivered. auto: suggestions, else pull request, else comment.",
    ),
    Option(
        name="comment-on",
        group="GitHub",
        kind="choice",
        choices=OCCASIONS,
        default="patch",
        scope="action",
        help="When to comment: with a patch, always, or never.",
    ),
    Option(
        name="draft",
        group="GitHub",
        kind="choice",
        choices=YES_NO,
        default="true",
        scope="file",
        help="Whether a pull request is opened as a draft.",
    ),
    Option(
        name="labels",
        group="GitHub",
        metavar="LABEL,...",
        default="regreen",
        scope="file",
        help="Labels of a pull request, separated by commas.",
    ),
    Option(
        name="max-attempts-per-pull",
        group="GitHub",
        kind="count",
        default=5,
        minimum=1,
        maximum=1000,
        scope="file",
        help="The most repairs of one pull request, except on request.",
    ),
    Option(
        name="max-per-day",
        group="GitHub",
        kind="count",
        default=10,
        minimum=1,
        maximum=10_000,
        scope="file",
        help="The most repairs of one pull request within a day.",
    ),
    Option(
        name="github-token",
        group="GitHub",
        secret=True,
        variables=("GITHUB_TOKEN",),
        scope="run",
        help="The token for GitHub's API.",
    ),
)
