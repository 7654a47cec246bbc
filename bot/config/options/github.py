"""The part of the table of options that is about GitHub and the Action; see ``bot.config.options``."""

from __future__ import annotations

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
        help="propose looks for a patch and writes down a proposal; publish checks one and delivers it; "
        "repair does both.",
    ),
    Option(
        name="proposal",
        group="GitHub",
        metavar="FILE",
        default="regreen-proposal.json",
        scope="run",
        help="Where in the workspace propose writes its proposal, and publish reads it.",
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
        help="The file of options in the repository; it is read from the base branch, never from a pull "
        "request.",
    ),
    Option(
        name="delivery",
        group="GitHub",
        kind="choice",
        choices=DELIVERIES,
        default="auto",
        scope="action",
        help="How a patch is handed over. auto: suggestions in the review where they fit, else a pull "
        "request, else a comment. commit: onto the pull request's branch.",
    ),
    Option(
        name="comment-on",
        group="GitHub",
        kind="choice",
        choices=OCCASIONS,
        default="patch",
        scope="action",
        help="When to comment: with a patch, always (also on why there is none), or never.",
    ),
    Option(
        name="draft",
        group="GitHub",
        kind="choice",
        choices=YES_NO,
        default="true",
        scope="action",
        help="Whether a pull request is opened as a draft.",
    ),
    Option(
        name="labels",
        group="GitHub",
        metavar="LABEL,...",
        default="regreen",
        scope="action",
        help="Labels of a pull request, separated by commas.",
    ),
    Option(
        name="max-attempts-per-pull",
        group="GitHub",
        kind="count",
        default=5,
        minimum=1,
        maximum=1000,
        scope="action",
        help="Repairs of one pull request at most; asking with a comment is always possible.",
    ),
    Option(
        name="max-per-day",
        group="GitHub",
        kind="count",
        default=10,
        minimum=1,
        maximum=10_000,
        scope="action",
        help="Repairs of one pull request within a day at most.",
    ),
    Option(
        name="github-token",
        group="GitHub",
        secret=True,
        variables=("GITHUB_TOKEN",),
        scope="run",
        help="The token to speak to GitHub with.",
    ),
)
