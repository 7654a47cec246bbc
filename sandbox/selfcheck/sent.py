"""Programs that are sent inside as text: modules of one package, and a call of the last of them."""

from collections.abc import Sequence
from functools import cache
from importlib import resources

_START = """\
import json, sys, types
def load(name, text):
    module = sys.modules["sent." + name] = types.ModuleType("sent." + name)
    module.__package__ = "sent"
    exec(compile(text, "<sent." + name + ">", "exec"), module.__dict__)
    return module
sys.modules["sent"] = types.ModuleType("sent")
sys.modules["sent"].__path__ = []
"""


@cache
def program(package: str, modules: Sequence[str], call: str) -> str:
    """A program that loads ``modules`` of ``package`` and then runs ``call``, with the last as ``module``."""
    directory = resources.files(package)
    texts = {name: directory.joinpath(f"{name}.py").read_text("utf-8") for name in modules}
    loads = [f"module = load({name!r}, {text!r})\n" for name, text in texts.items()]
    return f"{_START}{''.join(loads)}{call}\n"
