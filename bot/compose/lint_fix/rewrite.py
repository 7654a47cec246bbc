"""Run a tool that rewrites files in a sandbox, and bring back what it changed.

What comes back was written in the sandbox, by whatever the project's environment calls by the tool's name: it
is read within limits and believed to be nothing but new texts for files that were there before.
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence

from bot.errors import PatchError
from sandbox.base import Sandbox

# Runs inside, on any Python from 3.7 on; the tool's own output is not shown, so that the last line is ours.
SCRIPT = """
import base64, json, os, subprocess, sys
def texts():
    found = {}
    for directory, directories, names in os.walk("."):
        directories[:] = [name for name in directories if not name.startswith(".") and name != "__pycache__"]
        for name in names:
            path = os.path.join(directory, name)
            if name.endswith((".py", ".pyi")) and os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as handle:
                    found[os.path.relpath(path, ".").replace(os.sep, "/")] = handle.read()
    return found
before, missing = texts(), []
for words in json.loads(sys.argv[1]):
    done = subprocess.run([sys.executable, "-m"] + words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if b"No module named" in done.stderr:
        missing.append(words[0])
after = texts()
changed = {path: base64.b64encode(text).decode() for path, text in after.items()
           if path in before and before[path] != text}
print("\\n" + json.dumps({"changed": changed, "missing": missing}))
"""


def rewrite(  # noqa: PLR0913 - what a run in a sandbox needs, each by its name
    sandbox: Sandbox,
    tools: Sequence[Sequence[str]],
    *,
    python: str,
    files: Mapping[str, bytes],
    environment: Mapping[str, str],
    timeout_s: float,
) -> dict[str, bytes]:
    """The new contents of those of ``files`` that ``tools``, words after ``python -m``, change.

    ``python`` is the sandbox's interpreter that has them; ``environment`` what it is started with.

    Raises:
        PatchError: a tool is not in the sandbox, takes too long, or changes more than can be brought back.
        sandbox.errors.SandboxError: the sandbox failed.
    """
    argv = [python, "-c", SCRIPT, json.dumps([list(words) for words in tools])]
    done = sandbox.exec(argv, timeout_s=timeout_s, environment=environment)
    if done.timed_out:
        raise PatchError(f"the tool did not finish within {timeout_s:g} s")
    if done.truncated:
        raise PatchError("the tool changes more than can be brought back: run it by hand")
    try:
        answer = json.loads(done.stdout.rstrip().rpartition(b"\n")[2])
        missing = [str(name) for name in answer["missing"]]
        changed = {
            str(path): base64.b64decode(text, validate=True) for path, text in answer["changed"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, binascii.Error) as error:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise PatchError(f"the tool could not be run in the sandbox: {said}") from error
    if missing:
        names = ", ".join(dict.fromkeys(missing))
        raise PatchError(
            f"{names} is not in the environment of the project: declare it there, or name one that has it"
        )
    return {path: text for path, text in changed.items() if path in files and files[path] != text}
