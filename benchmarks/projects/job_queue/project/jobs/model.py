"""What is to be done."""

from dataclasses import dataclass, field


@dataclass
class Job:
    name: str
    urgency: int = 0
    tags: set = field(default_factory=set)

    @classmethod
    def from_dict(cls, raw):
        return cls(
            name=raw["name"],
            urgency=int(raw.get("priority", 0)),
            tags=set(raw.get("tags", ())),
        )
