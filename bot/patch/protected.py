"""Which files a repair has no business with, and which names no file may have.

The list is about what decides a test run or a build: tests, configuration, dependencies, CI, and the
hooks by which Python runs code at start.
"""

from __future__ import annotations

import sys
import unicodedata

from bot.patch.globs import folded, matches
from bot.patch.text import Sources, is_encodable

MAX_PATH_BYTES = 1024
MAX_NAME_BYTES = 255

TESTS: tuple[str, ...] = (
    *(
        "test_*.py",
        "*_test.py",
        "*_tests.py",
        "test.py",
        "tests.py",
        "conftest.py",
        "*.feature",
        "*.ambr",
        "*.snap",
    ),
    *("**/tests/**", "**/test/**", "**/testing/**", "**/test_*/**", "**/testdata/**", "**/__snapshots__/**"),
)
PROTECTED: tuple[str, ...] = (
    *TESTS,
    # hidden files and directories: .github, .gitlab-ci.yml, .pre-commit-config.yaml, .coveragerc, .env ...
    *(".*", "**/.*/**"),
    # test runners and linters
    *(
        "pytest.ini",
        "pytest.toml",
        "tox.ini",
        "tox.toml",
        "noxfile.py",
        "unittest.cfg",
        "nose.cfg",
        "mypy.ini",
    ),
    *("ruff.toml", "pylintrc", "pyrightconfig.json", "codecov.y*ml"),
    # builds and packaging
    *("pyproject.toml", "setup.*", "MANIFEST.in", "hatch_build.py", "hatch.toml", "versioneer.py"),
    *(
        "Makefile*",
        "GNUmakefile",
        "*.mk",
        "justfile",
        "Taskfile*",
        "SConstruct",
        "meson.build",
        "CMakeLists.txt",
    ),
    *("*.cmake", "WORKSPACE", "WORKSPACE.*", "MODULE.bazel", "BUILD", "BUILD.bazel", "pants.toml"),
    *("fabfile.py", "dodo.py", "buildout.cfg"),
    # dependencies
    *(
        "requirements*.txt",
        "requirements*.in",
        "**/requirements/**",
        "constraints*.txt",
        "*.lock",
        "Pipfile*",
    ),
    *(
        "package.json",
        "package-lock.json",
        "environment*.y*ml",
        "uv.toml",
        "poetry.toml",
        "pdm.toml",
        "pip.conf",
    ),
    *("runtime.txt", "conda*.y*ml", "**/meta.yaml"),
    # continuous integration, containers and ownership
    *("action.y*ml", "Dockerfile*", "*.dockerfile", "Containerfile*", "docker-compose*", "compose*.y*ml"),
    *("Jenkinsfile*", "azure-pipelines*", "appveyor.y*ml", "bitbucket-pipelines.yml", "cloudbuild.y*ml"),
    *(
        "buildspec.y*ml",
        "circle.yml",
        "wercker.yml",
        "renovate.json*",
        "CODEOWNERS",
        "Vagrantfile",
        "Procfile",
    ),
    # code that Python or pip runs unasked, and installed packages
    *(
        "sitecustomize.py",
        "usercustomize.py",
        "**/sitecustomize/**",
        "**/usercustomize/**",
        "*.pth",
        "*.egg-link",
    ),
    *(
        "**/*.egg-info/**",
        "**/*.dist-info/**",
        "**/site-packages/**",
        "**/node_modules/**",
        "**/__pycache__/**",
    ),
    # compiled files
    *(
        "*.pyc",
        "*.pyo",
        "*.so",
        "*.pyd",
        "*.dll",
        "*.dylib",
        "*.exe",
        "*.whl",
        "*.egg",
        "*.zip",
        "*.gz",
        "*.pkl",
    ),
)

_TEST_PACKAGES = {
    "pytest",
    "_pytest",
    "pluggy",
    "iniconfig",
    "nose",
    "hypothesis",
    "xdist",
    "coverage",
    "exceptiongroup",
}
_SHADOWING = frozenset(sys.stdlib_module_names) | _TEST_PACKAGES


def is_test_path(path: str) -> bool:
    """Whether ``path`` is a test or part of a test suite, by its name."""
    return matches(path, TESTS)


def name_problem(path: str) -> str | None:
    """Why no file may be called ``path``, whatever the configuration allows; None when it may."""
    shown = ascii(path)[:120]
    if not path:
        return "a path is empty"
    if not is_encodable(path) or any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in path
    ):
        return f"the path {shown} holds control, invisible or undecodable characters"
    if path.startswith(("/", "~")) or path[1:2] == ":":
        return f"the path {shown} is absolute"
    if "\\" in path:
        return f"the path {shown} holds a backslash"
    parts = path.split("/")
    if any(part in {"", ".", ".."} or not part.strip(". ") for part in parts):
        return f"the path {shown} is not a plain relative path"
    if len(path.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        return f"the path {shown} is too long"
    if any(part == ".git" or part.startswith("git~") for part in folded(path).split("/")):
        return f"the path {shown} lies in the repository's own storage"
    return None


def creation_problem(path: str, sources: Sources) -> str | None:
    """Why ``path``, which does not exist, may not be created; None when it may."""
    if not path.endswith(".py"):
        return f"{path} would be created: only .py files may be"
    if any(folded(known) == folded(path) for known in sources):
        return f"{path} differs from an existing file only in case or spelling"
    parts = folded(path).removesuffix(".py").split("/")
    top = parts[1] if len(parts) > 1 and parts[0] in {"src", "lib"} else parts[0]
    if top in _SHADOWING:
        return f"{path} would shadow the module {top}"
    if any(known.startswith(path + "/") for known in sources):
        return f"{path} is a directory"
    if any(path.startswith(known + "/") for known in sources):
        return f"{path} lies below a file"
    return None
