"""What a caller may choose about delivery, and what it comes to."""

from dataclasses import dataclass
from typing import Literal, Self

from bot.config.action_settings import ActionSettings

Delivery = Literal["auto", "suggestion", "pull-request", "commit", "comment", "none"]
Occasion = Literal["patch", "always", "never"]
Rung = Literal["suggestion", "commit", "pull-request", "branch", "comment"]
Kind = Literal["suggestion", "commit", "pull-request", "branch", "comment", "check", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOptions:
    """How a patch is handed over; see the group GitHub of the table of options."""

    delivery: Delivery = "auto"
    comment_on: Occasion = "patch"
    draft: bool = True
    labels: tuple[str, ...] = ("regreen",)
    max_attempts_per_pull: int = 5
    max_per_day: int = 10
    allow_test_changes: bool = False


def options_of(chosen: ActionSettings, *, asked_there: bool) -> DeliveryOptions:
    """What was ``chosen``; with ``asked_there``, somebody asks below the pull request and hears of it."""
    always = asked_there and chosen.comment_on == "patch"
    return DeliveryOptions(
        delivery=chosen.delivery,
        comment_on="always" if always else chosen.comment_on,
        draft=chosen.is_draft,
        labels=chosen.label_names,
        max_attempts_per_pull=chosen.max_attempts_per_pull,
        max_per_day=chosen.max_per_day,
        allow_test_changes=chosen.allows_test_changes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryStep:
    """One rung of the ladder: whether it held, and what came of it or why not, in words."""

    rung: Rung
    done: bool
    detail: str
    url: str = ""
    branch: str = ""
    commit: str = ""
    pull: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What came of a publication; ``url`` is where a person finds the patch.

    ``kind`` is none where nothing was to be published; ``reason`` says why then. ``pull`` is the number of
    the pull request that holds the patch, 0 if none does.
    """

    kind: Kind
    url: str = ""
    steps: tuple[DeliveryStep, ...] = ()
    reason: str = ""
    pull: int = 0
    branch: str = ""
    commit: str = ""

    @classmethod
    def nothing(cls, reason: str) -> Self:
        """Nothing was to be published."""
        return cls(kind="none", reason=reason)


def rungs(
    delivery: Delivery, *, is_fork: bool, has_pull: bool, by_hand: bool = False, doubtful: bool = False
) -> tuple[Rung, ...]:
    """The ladder from the top: each is tried when the one before did not hold.

    What a person has to apply ``by_hand`` is shown in the comment, where there is one, and goes nowhere else.
    A ``doubtful`` patch is not committed onto the branch: somebody has to take it.
    """
    if delivery == "none":
        return ()
    if by_hand:
        return ("comment",) if has_pull else ()
    if not has_pull:
        # Nobody looks at this branch before it is taken: what goes onto it goes through a pull request.
        return ("pull-request", "branch")
    ladders: dict[str, tuple[Rung, ...]] = {
        "auto": ("suggestion", "pull-request", "branch", "comment"),
        "suggestion": ("suggestion", "comment"),
        "pull-request": ("pull-request", "branch", "comment"),
        "commit": ("commit", "pull-request", "branch", "comment"),
        "comment": ("comment",),
    }
    chosen = ladders["pull-request" if doubtful and delivery == "commit" else delivery]
    # Nothing is written to a fork, and a branch here would bring untrusted commits into this repository.
    on_forks = ("suggestion", "comment")
    return tuple(rung for rung in chosen if not is_fork or rung in on_forks)
