"""Reads conda's environment files as requirements, by the names that packages have in the package index."""

import re
from collections.abc import Mapping

from sandbox.ci.managers import split_conda
from sandbox.ci.workflows.workflow_file import load_workflow
from sandbox.environment.declarations.declared import Declared, known_packages
from sandbox.formats import texts, unique

FILES = (
    *("environment.yml", "environment.yaml", "environment-dev.yml", "environment-test.yml"),
    *("environment_dev.yml", "ci/environment.yml", "continuous_integration/environment.yml"),
    "requirements/environment.yml",
)


def read_environment(files: Mapping[str, bytes], path: str = "") -> Declared | None:
    """What the environment file at ``path``, or the first that there is, asks for; None without one."""
    found = path or next((name for name in FILES if name in files), "")
    document = load_workflow(files.get(found, b""))
    if not isinstance(document, dict):
        return None
    requirements: list[str] = []
    python, known = "", known_packages()["conda"]
    not_python, names = re.compile("|".join(known["not-python"])), known["names"]
    dependencies = document.get("dependencies")
    for item in dependencies if isinstance(dependencies, list) else ():
        if isinstance(item, dict):
            requirements += texts(item.get("pip"))
        elif isinstance(item, str):
            name, version = split_conda(item)
            if name == "python":
                python = version
            elif name and not not_python.fullmatch(name):
                requirements.append(f"{names.get(name, name)}{version}")
    kept = unique(item for item in requirements if not item.startswith("-"))
    return Declared(source=found, runtime=kept, requires_python=python)
