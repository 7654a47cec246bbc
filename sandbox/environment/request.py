"""What the caller chooses about an environment, and what it gets. Data, no behaviour."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sandbox.base import Limits, SandboxSpec
from sandbox.snapshot import Snapshot

BUILD_TIMEOUT_S = 1800.0
BUILD_LIMITS = Limits(memory_mib=8192, processes=1024, disk_mib=16384)
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What is not to be detected; an empty text leaves the choice open.

    ``setup_command`` runs in place of the detected steps. ``sandbox_image`` is used as it is (with pytest
    added where it has none), ``base_image`` is what an image is built on. ``python`` is an interpreter: a
    path of this machine, or a command of the image; it is used as it is, nothing is built for it.
    ``virtual_env`` is the environment that the caller has activated. ``network`` are the variables that a
    build gets to reach its packages: proxies, certificates, an index; whatever stands in them, the code
    that is built can read.
    """

    setup_command: str = ""
    sandbox_image: str = ""
    base_image: str = ""
    python: str = ""
    virtual_env: str = ""
    network: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = BUILD_TIMEOUT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedEnvironment:
    """What the tests run with.

    ``snapshot`` goes into every sandbox: the project's files, and what a build made beside them.
    ``variables`` are for the test process (``SandboxTestbeds.environment``). ``explanation`` says what was
    decided and why, a line each; ``name`` is the plan's. ``left_out`` says in a sentence each what could not
    be installed; ``installed`` are the versions by normalised name, as far as they are known. ``seconds`` is
    how long building took, 0 where nothing was built.
    """

    spec: SandboxSpec
    snapshot: Snapshot
    variables: Mapping[str, str] = field(default_factory=dict)
    explanation: str = ""
    name: str = ""
    left_out: tuple[str, ...] = ()
    installed: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def summary(self) -> str:
        """The plan's name and what could not be installed, on one line."""
        return "; ".join((self.name, *self.left_out) if self.name else self.left_out)
