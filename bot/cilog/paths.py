"""Say which files of a traceback belong to the project, and name them relative to its root.

Judged by the text alone: the machine that wrote the log is not this one, so nothing looks at the disk.
"""

import re
from collections.abc import Iterable

# Where the known hosts check a project out, and where container images commonly put it.
_CHECKOUTS = re.compile(
    r"(?:/home/runner/work|/Users/runner/work|/__w|[A-Za-z]:/a)/[^/]+/[^/]+/"  # GitHub
    r"|/github/workspace/"
    r"|(?:/home/vsts/work|/Users/runner/work|/__w)/\d+/s/|[A-Za-z]:/a/\d+/s/"  # Azure
    r"|/builds/[^/]+/[^/]+/"  # GitLab
    r"|/home/travis/build/[^/]+/[^/]+/"
    r"|/home/circleci/(?:project|repo)/|/root/(?:project|repo)/"
    r"|/var/(?:lib/jenkins|jenkins_home)/(?:jobs/[^/]+/)?workspace/[^/]+/"
    r"|[A-Za-z]:/projects/[^/]+/"  # AppVeyor
    r"|/opt/atlassian/pipelines/agent/build/"
    r"|/tmp/cirrus-ci-build/"
    r"|/(?:usr/src/)?(?:app|code|src|repo|project|workspace)/|/workspaces/[^/]+/"
)
_DRIVE = re.compile(r"[A-Za-z]:/")
_FOREIGN = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|\.tox|\.nox|lib/python\d[^/]*|hostedtoolcache)/"
    r"|/Python\d+/[Ll]ib/"
)


def project_path(text: str, *, roots: Iterable[str] = ()) -> str | None:
    """The path relative to the project's root, or None where the file is not the project's.

    ``roots`` are directories that the log names as roots (pytest's ``rootdir``); they come before the
    places where hosts check projects out. A root without a slash is the name of the project's directory,
    wherever it lies.
    """
    path = text.strip().replace("\\", "/")
    if not path or path.startswith(("<", "~")) or _FOREIGN.search(path):
        return None
    if path.startswith("/") or _DRIVE.match(path):
        relative = _below(path, tuple(roots))
        if relative is None:
            return None
        path = relative
    while path.startswith("./"):
        path = path[2:]
    parts = path.split("/")
    return None if not path or ".." in parts or "" in parts else path


def _below(path: str, roots: tuple[str, ...]) -> str | None:
    for root in roots:
        prefix = root.replace("\\", "/").rstrip("/") + "/"
        if "/" in prefix[:-1] and path.startswith(prefix):
            return path[len(prefix) :]
    if found := _CHECKOUTS.match(path):
        return path[found.end() :]
    for root in roots:
        at = path.find(f"/{root}/") if root and "/" not in root.replace("\\", "/") else -1
        if at != -1:
            return path[at + len(root) + 2 :]
    return None
