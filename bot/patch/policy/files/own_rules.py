"""Which files a project's own configuration makes tests or parts of a build."""

from collections.abc import Mapping

from bot.patch.policy.files.build_backend import MARKERS, backend_files, project_files
from bot.patch.policy.files.configured_tests import CONFIGURATIONS, configured_tests

RULE_FILES = tuple(dict.fromkeys((*MARKERS, *CONFIGURATIONS)))
"""The names of the files that :func:`own_rules` reads."""


def own_rules(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Glob patterns of what no patch may change beyond ``PROTECTED``, by the project's ``files``."""
    return (*backend_files(files), *project_files(files), *configured_tests(files))
