"""Where a checkout lies on GitHub, by the remote in its git configuration, read as plain text.

No git command runs: the configuration of a repository can name programs.
"""

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bot.environments.versions.git_files import repository_places, small_file

OWN_CHECKOUT = Path(__file__).parents[3]
"""Where Regreen itself lies: a checkout of it, or a directory of installed packages."""

_SECTION = re.compile(r'\s*\[remote "(?P<name>[^"\n]+)"\]\s*')
_URL = re.compile(r"\s*url\s*=\s*(?P<url>\S+)\s*")
_NAME = "[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+?"
_PLACE = re.compile(
    rf"(?:(?:https?|ssh|git)://(?:[^@/\s]+@)?(?P<host>[A-Za-z0-9.-]+)(?::\d+)?/|"
    rf"(?:[^@/\s:]+@)?(?P<short>[A-Za-z0-9.-]+):)(?P<name>{_NAME})(?:\.git)?/?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A repository on a server: ``name`` is owner and repository."""

    host: str
    name: str

    @property
    def url(self) -> str:
        """Its page."""
        return f"https://{self.host}/{self.name}"


def remote_of(top: Path) -> Remote | None:
    """Where the checkout at ``top`` comes from: ``origin``, else its only remote; None where nothing says."""
    try:
        text = small_file(repository_places(top / ".git")[-1] / "config")
    except (OSError, ValueError):
        return None
    urls: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        if line.lstrip().startswith("["):
            found = _SECTION.fullmatch(line)
            section = found["name"] if found else ""
        elif section and (url := _URL.fullmatch(line)):
            urls.setdefault(section, url["url"])
    only = next(iter(urls.values())) if len(urls) == 1 else ""
    return read_place(urls.get("origin", only))


def installed_from(package: str = "regreen") -> Remote | None:
    """Where the installed ``package`` comes from, as pip notes it of one from git; None for any other."""
    try:
        noted = json.loads(distribution(package).read_text("direct_url.json") or "{}")
        return read_place(str(noted["url"])) if noted.get("vcs_info") else None
    except (PackageNotFoundError, ValueError, OSError, KeyError, AttributeError):
        return None


def read_place(url: str) -> Remote | None:
    """The repository that a git address names; None where it is no address of a server."""
    found = _PLACE.fullmatch(url)
    if found is None or ".." in found["name"]:
        return None
    return Remote(host=(found["host"] or found["short"]).lower(), name=found["name"])
