"""Plans an environment by what the project declares: reads every declaration, applies the precedence. Pure.

What is needed to run comes from the first of: ``uv.lock``, the package's own declaration (``pyproject.toml``,
``setup.cfg``, ``setup.py``) held to ``poetry.lock`` where there is one, ``Pipfile.lock``,
``requirements.txt``. What is needed to test comes from the first that there is of: everything named for tests
(extras, dependency groups, requirements files), everything named for development, tox, hatch, nox,
``requirements.txt`` beside a package's own declaration, conda's environment file. pytest is added where
nothing else brings it. ``docs/environment.md`` has the list. The CI's own word (``candidate_plans``) comes
before all this.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sandbox.ci.commands import ToolInvocation
from sandbox.ci.installs import Installs
from sandbox.ci.managers import read_installs
from sandbox.ci.tools import hatch, nox, tox
from sandbox.environment.declarations import conda, locks
from sandbox.environment.declarations.declared import DEVELOPMENT_NAMES, TEST_NAMES, Declared
from sandbox.environment.declarations.pyproject import UNKNOWN_VERSION, sdist_version
from sandbox.environment.declarations.requirements import RUNTIME_FILES, group_files, read_requirements
from sandbox.environment.plans.draft import Draft, named_parts
from sandbox.environment.plans.plan import BuildPlan, Decision, UvExport
from sandbox.environment.plans.python_version import PythonChoice, choose_python, latest
from sandbox.formats import unique
from sandbox.snapshot import Snapshot

DECLARED = "what the project declares"
# How each tool runs the tests.
_TEST_CALLS = {
    "tox": (tox.expand, ("tox", "-e", "py")),
    "hatch": (hatch.expand, ("hatch", "test")),
    "nox": (nox.expand, ("nox",)),
}


def plan_environment(  # noqa: PLR0913 - what a plan depends on, each by its name
    snapshot: Snapshot,
    *,
    available: Sequence[str],
    setup_command: str = "",
    as_of: str = "",
    member: str = "",
    first: str = "",
) -> BuildPlan:
    """The plan for the package in ``member`` of ``snapshot``, with one of the Pythons that are ``available``.

    ``as_of`` (RFC 3339) leaves out what was released later; ``setup_command`` replaces what is declared;
    ``first`` is the Python of the project's CI, where that is known.
    """
    draft = Draft(snapshot=snapshot, member=member)
    listed = draft.attempt(lambda: tox.pythons(draft.files)) or ()
    python = python_for(draft, listed, available, as_of=as_of, first=first)
    if setup_command:
        return _by_setup_command(draft, python, setup_command)
    draft.attempt(lambda: _runtime(draft))
    draft.attempt(lambda: _tests(draft))
    as_of = latest(as_of, python.version)
    name = f"{DECLARED}, as of {as_of[:10]}" if as_of else DECLARED
    return draft.finish(name=name, python=python, as_of=as_of)


def python_for(
    draft: Draft, tox_pythons: Sequence[str], available: Sequence[str], *, as_of: str = "", first: str = ""
) -> PythonChoice:
    """The Python for the package of ``draft``; ``first`` is the version that its CI uses, if known."""
    return choose_python(
        draft.files,
        [*draft.packaged, *filter(None, [draft.pipfile])],
        tox_pythons=tox_pythons,
        available=available,
        as_of=as_of,
        first=first,
    )


def _by_setup_command(draft: Draft, python: PythonChoice, command: str) -> BuildPlan:
    reason = "it replaces what was detected"
    return BuildPlan(
        python=python,
        name="the setup command",
        setup_command=command,
        member=draft.member,
        import_roots=draft.import_roots,
        scm_version=sdist_version(draft.files) or UNKNOWN_VERSION,
        snapshot_digest=draft.snapshot.digest,
        decisions=(Decision(subject="everything", source="setup-command", reason=reason),),
    )


def _runtime(draft: Draft) -> None:
    own, files = draft.own, draft.files
    if locks.UV_LOCK in files and own.source.startswith("pyproject.toml"):
        draft.export = UvExport()
        draft.decide("dependencies", locks.UV_LOCK, "exact versions, exported by uv")
        return
    plain = next((path for path in RUNTIME_FILES if path in files), "")
    if own.runtime or own.dynamic:
        reason = "known after a build only" if own.dynamic else "the package's own declaration"
        draft.take("dependencies", replace(own, constraints=(), options=(), own_extras=()), reason)
    elif draft.pipfile:
        draft.take("dependencies", draft.pipfile, "exact versions")
    elif plain:
        draft.take("dependencies", read_requirements(files, plain), "no package declares any")
    hold_to_lock(draft)


def hold_to_lock(draft: Draft) -> None:
    """Add the versions of ``poetry.lock`` and ``pdm.lock`` as constraints."""
    for path in (locks.POETRY_LOCK, locks.PDM_LOCK):
        if pins := draft.attempt(partial(locks.read_pins, draft.files, path)):
            draft.constraints += pins
            draft.decide("versions", path, f"{len(pins)} packages are pinned")


def _tests(draft: Draft) -> None:
    pipfile = draft.pipfile
    if _named(draft, TEST_NAMES, "named for tests"):
        return
    by_tox = _installs(draft, "tox")
    asked = [name for local in by_tox.local for name in local.extras] + [one.name for one in by_tox.groups]
    if asked and _named(draft, asked, "asked for by tox", required=True):
        draft.take("tests", _declared(draft, by_tox, "tox"), "beside them")
        return
    if _named(draft, DEVELOPMENT_NAMES, "named for development"):
        return
    if pipfile and pipfile.groups["dev"] and draft.export is None:
        draft.take("tests", replace(pipfile, runtime=pipfile.groups["dev"]), "the develop section")
        return
    for tool in _TEST_CALLS:
        found = _declared(draft, _installs(draft, tool), tool)
        if found.runtime or found.own_extras:
            draft.take("tests", found, "what its environment for tests installs")
            return
    if draft.own.runtime is not None and "requirements.txt" in draft.files:
        draft.take("tests", read_requirements(draft.files, "requirements.txt"), "beside the declaration")
    elif environment := conda.read_environment(draft.files):
        draft.take("tests", environment, "conda's packages, from the package index")


def _installs(draft: Draft, tool: str) -> Installs:
    """What the environment for tests of ``tool`` installs, where the project configures one."""
    files = draft.files
    # Without a configuration, hatch has an environment for tests of its own making.
    if tool == "hatch" and not (b"hatch.envs" in files.get("pyproject.toml", b"") or "hatch.toml" in files):
        return Installs()
    expand, words = _TEST_CALLS[tool]
    call = ToolInvocation(words=words, files=files)
    return draft.attempt(lambda: read_installs(expand(call), files)) or Installs()


def _declared(draft: Draft, found: Installs, tool: str) -> Declared:
    """What ``found`` names, in the form of a declaration."""
    held = [read_requirements(draft.files, path) for path in found.files]
    limits = [read_requirements(draft.files, path) for path in found.constraint_files]
    others = [one for one in found.local if one.directory != "."]
    return Declared(
        source=f"{tool}'s environment",
        runtime=unique([*found.requirements, *(line for one in held for line in one.runtime or ())]),
        constraints=unique(
            [line for one in (*held, *limits) for line in one.constraints]
            + [line for one in limits for line in one.runtime or ()]
        ),
        linked=tuple(dict.fromkeys([*others, *(linked for one in held for linked in one.linked)])),
        own_extras=unique(name for one in found.local if one.directory == "." for name in one.extras),
    )


def _named(draft: Draft, names: Sequence[str], reason: str, *, required: bool = False) -> bool:
    """Take the groups and requirements files called ``names``; False where there are none."""
    own = draft.own
    groups = [name for name in names if own.groups.get(name)]
    paths = () if required else group_files(draft.files, tuple(names))
    if draft.export is not None and groups:
        draft.export = UvExport(
            extras=tuple(name for name in groups if name in own.extras),
            groups=tuple(name for name in groups if name not in own.extras),
        )
    for part in named_parts(groups, own):
        held = () if draft.export is not None else part.requirements
        draft.take("tests", Declared(source=part.name, runtime=held), reason)
    draft.own_extras += [name for name in groups if name in own.extras and own.dynamic]
    for path in paths:
        draft.take("tests", read_requirements(draft.files, path), reason)
    return bool(groups or paths)
