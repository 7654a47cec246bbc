"""A faithful stand-in for GitHub: a real HTTP server with state, for tests.

It answers what ``bot.github`` asks: repositories, Git data with real shas, pull requests with diffs computed
from their trees, reviews under GitHub's rules, comments, labels, runs, jobs, logs and tarballs by redirect to
another server that must see no token. Its answers are checked against the models that githubkit generates
from GitHub's own description (``tests/contract/test_github_stand_in.py``).

    with serve() as github:
        repository = github.world.repository("octo/app", {"a.py": b"x = 1\\n"})
        github.world.push(repository, "feature", {"a.py": b"x = 2\\n"})
        pull = github.world.pull(repository, "feature")
        client = connect(repository="octo/app", token=github.world.actions_token(), api_url=github.url)
"""

from fakes.github.faults import Fault, secondary_limit
from fakes.github.http import serve
from fakes.github.server import GitHubServer
from fakes.github.trees import Executable, Link, Submodule
from fakes.github.world import World

__all__ = [
    "Executable",
    "Fault",
    "GitHubServer",
    "Link",
    "Submodule",
    "World",
    "secondary_limit",
    "serve",
]
