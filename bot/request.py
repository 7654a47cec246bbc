"""What is asked of a repair: what to repair, how hard to try, and which parts take part."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain import Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one repair; 0 means no limit. ``cost`` is in US dollars."""

    attempts: int = 5_000
    seconds: float = 300.0
    tokens: int = 200_000
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """Which parts of the search take part; all do, except where their worth is measured.

    ``spectra``: lines are distinguished by what the tests executed and by how values flow, not only by
    frames. ``progress``: how a candidate's tests end says how near it is; nearer ones are built upon.
    ``pruning``: of candidates that behave alike, one is built upon.
    ``alternatives``: further plausible patches are looked for, to choose among.
    ``order``: how many faults a patch may fix at most, 1 or 2.
    ``accepted`` are operators whose patches people took in this repository: they are likelier here.
    """

    spectra: bool = True
    progress: bool = True
    pruning: bool = True
    alternatives: bool = True
    order: int = 2
    accepted: tuple[str, ...] = ()


class Critic(StrEnum):
    """What a model that verifies may do with patches before they run."""

    OFF = "off"
    VETO = "veto"  # send a model's patch back, with the reason, a few times


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How models are made use of.

    ``drafts`` are asked for in the first turn until one is plausible. ``prompt_tokens`` is what a prompt may
    have, unless the model's context is smaller. ``search_share`` of the time is the search's where a model
    comes after it.
    """

    drafts: int = 1
    critic: Critic = Critic.OFF
    prompt_tokens: int = 2_000
    search_share: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """What tests may need, and the project's files lack.

    ``submodules`` are directories of git submodules that are not checked out, ``extensions`` the dotted paths
    of modules that a compiler has to make.
    """

    submodules: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()


NOTHING_ABSENT = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairRequest:
    """What to repair and how hard to try.

    ``tests`` are node ids that a CI log named; empty means every test that fails here. ``repeats`` is how
    often a verdict must be seen, before (flakiness) and after (validation). ``diff`` is the change that is
    suspected to have broken the tests, as a unified diff; a model is shown it. ``base`` holds the Python
    files that were otherwise before that change, by path; ``base_name`` says which version that is.
    ``base_lacks`` are the Python files that it did not have; ``base_whole`` says that every difference is
    known, those of other files too. ``documents`` are the lines that the change adds to documentation. A
    repair that was not ``asked`` for by a person leaves alone what failed before the change. ``apart`` are
    tests that are known to fail for another reason than the code, with that reason; ``absent`` is what the
    files lack. ``fix_tests`` asks for the new text of tests that the change left behind. ``given`` is the
    patch that is to be judged, where nothing is to be looked for.
    """

    strategy: str
    tests: tuple[str, ...] = ()
    diff: str = ""
    base: Mapping[str, str] = field(default_factory=dict)
    base_name: str = ""
    base_lacks: frozenset[str] = frozenset()
    base_whole: bool = False
    documents: tuple[str, ...] = ()
    asked: bool = True
    apart: tuple[tuple[str, str], ...] = ()
    absent: Absent = NOTHING_ABSENT
    budget: Budget = field(default_factory=Budget)
    repeats: int = 3
    search: SearchOptions = field(default_factory=SearchOptions)
    model: ModelOptions = field(default_factory=ModelOptions)
    fix_tests: bool = False
    given: Patch | None = None
