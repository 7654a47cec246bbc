"""The model that ``--model local`` names: which file, pinned by its hash, and the memory that it takes.

The best of the small models that were measured (docs/results/humanevalfix.md). The hash names the content, so
it is the same file whatever the hub holds at a later day.
"""

from dataclasses import dataclass
from pathlib import Path

from bot.backends.hub import MIB, HubFile

NAME = "local"
MEMORY_INFORMATION = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A model's file on the hub; ``size`` and ``memory``, what it takes when loaded, are in bytes."""

    file: HubFile
    licence: str
    size: int
    memory: int

    def introduction(self) -> str:
        """What is about to be downloaded or loaded: size and licence, in a line."""
        return (
            f"{self.file.repo}/{self.file.file}: {self.size / MIB:.0f} MiB, licence {self.licence}, "
            f"takes {self.memory / MIB:.0f} MiB of memory"
        )


SMALL = Preset(
    file=HubFile(
        repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    licence="Apache-2.0",
    size=1_117_320_768,
    memory=2_100 * MIB,
)


def available_memory(information: Path = MEMORY_INFORMATION) -> int | None:
    """The bytes of memory that a new process can have here; None where the system does not say.

    The kernel's own estimate, ``MemAvailable`` of proc_meminfo(5), which is for the whole machine.
    """
    try:
        lines = information.read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    found = next((line.split() for line in lines if line.startswith("MemAvailable:")), [])
    return int(found[1]) << 10 if found[2:] == ["kB"] and found[1].isdecimal() else None
