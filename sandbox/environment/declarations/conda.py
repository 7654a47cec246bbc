"""Reads conda's environment files as requirements, by the names that packages have in the package index."""

import re
from collections.abc import Mapping

from sandbox.ci.managers import split_conda
from sandbox.ci.workflows.workflow_file import load_workflow
from sandbox.environment.declarations.declared import Declared
from sandbox.formats import texts, unique

FILES = (
    *("environment.yml", "environment.yaml", "environment-dev.yml", "environment-test.yml"),
    *("environment_dev.yml", "ci/environment.yml", "continuous_integration/environment.yml"),
    "requirements/environment.yml",
)
# Packages that are called otherwise in the package index.
_NAMES = {
    "pytorch": "torch",
    "pytorch-cpu": "torch",
    "matplotlib-base": "matplotlib",
    "opencv": "opencv-python",
    "msgpack-python": "msgpack",
    "py-xgboost": "xgboost",
    "pytables": "tables",
    "python-graphviz": "graphviz",
    "ruamel_yaml": "ruamel.yaml",
    "importlib_metadata": "importlib-metadata",
    "dask-core": "dask",
    "jupyter_client": "jupyter-client",
    "ipython_genutils": "ipython-genutils",
    "snappy": "python-snappy",
    "lz4": "lz4",
}
# What conda installs beside Python's packages: interpreters, compilers, libraries, programs.
_NOT_PYTHON = re.compile(
    r"python(?:_abi)?$|pip$|nomkl|mkl|openblas|libblas|.*compiler.*|gcc.*|gxx.*|clang.*|cmake|make|ninja|git|"
    r"lib[a-z0-9]+|openssl|ca-certificates|nodejs|r-.*|openjdk|graphviz|pandoc|hdf5|zlib|conda.*|mamba|_.*|"
    r"cudatoolkit|cudnn|nccl|boost.*|eigen|fftw|gdal|proj|geos|curl|wget|tk|sqlite|xz|bzip2|pkg-config"
)


def read_environment(files: Mapping[str, bytes], path: str = "") -> Declared | None:
    """What the environment file at ``path``, or the first that there is, asks for; None without one."""
    found = path or next((name for name in FILES if name in files), "")
    document = load_workflow(files.get(found, b""))
    if not isinstance(document, dict):
        return None
    requirements: list[str] = []
    python = ""
    dependencies = document.get("dependencies")
    for item in dependencies if isinstance(dependencies, list) else ():
        if isinstance(item, dict):
            requirements += texts(item.get("pip"))
        elif isinstance(item, str):
            name, version = split_conda(item)
            if name == "python":
                python = version
            elif name and not _NOT_PYTHON.fullmatch(name):
                requirements.append(f"{_NAMES.get(name, name)}{version}")
    kept = unique(item for item in requirements if not item.startswith("-"))
    return Declared(source=found, runtime=kept, requires_python=python)
