from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    name: str
    skill: int = 0
