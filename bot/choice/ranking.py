"""The order of alternatives: one score from the shape of each, what it does, and who proposed it.

The score is a sum of log odds. The weights are reasoned: a documented example is close to an oracle; crashes,
foreign types and senseless code come next; prior and size decide what is left. They were checked on programs
that were invented for that, with faults put in by hand and weak tests; no benchmark took part.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.choice.behaviour import Behaviour, behaviours, classes
from bot.choice.shape import Shape
from sandbox.probes import ProbeReport

# An alternative that breaks an example of the documentation is wrong, unless the documentation is.
VIOLATED = 6.0
# Crashing everywhere near the tests' inputs is as bad as that; on a few of many inputs, a sign.
CRASHES, CRASHES_AT_ALL = 4.0, 1.0
ODD_TYPES, ODD_TYPES_AT_ALL = 4.0, 1.0
# A repair that gives all inputs the same answer has learned the tests, or does nothing any more.
VARIETY = 1.0
# A right repair may change much, and a wrong one little: a hint, no more.
STEADY = 0.3
# Different ways to one behaviour support each other, as samples of one model do that agree.
SUPPORT = 0.7
# A model that sees what stands around a gap writes there what is natural, and a bug seldom is.
NATURAL = 3.0
# Two guesses where one does.
FURTHER = 1.0
LEAST_SUPPORT = 1e-9
# "A patch that only takes code away often passes because it takes behaviour away": Qi et al., "An Analysis of
# Patch Plausibility and Correctness", ISSTA 2015.
ONLY_DELETES = 2.0
# What a linter would object to, see ``code_smells``.
UNUSED = 1.5
POINTLESS = 1.5
# A lookup that takes out what it finds works once.
TAKEN = 3.0
# The next process has another order.
UNORDERED = 2.0
# What reads an iterator twice needs a list, in the order that is there.
IN_VAIN = 2.0
ODD_CONSTANT = 0.5
LINE = 0.5
TOKEN = 0.1
MAX_TOKENS = 40
PRIOR = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """An alternative's score in parts: its text, what it does, the weight of those that do alike.

    ``natural`` is what a model's lines say for it: reason enough to choose it, and none to be sure.
    """

    shape: float
    behaviour: float = 0.0
    support: float = 0.0
    natural: float = 0.0

    @property
    def score(self) -> float:
        """The higher the better."""
        return self.shape + self.behaviour + self.support + self.natural


def shape_score(shape: Shape, prior: float) -> float:
    """What the text and its proposer say; ``prior`` is the candidate's score."""
    return (
        PRIOR * math.log(max(prior, 1e-6))
        - ONLY_DELETES * shape.only_deletes
        - UNUSED * shape.unused
        - POINTLESS * shape.pointless
        - TAKEN * shape.taken
        - UNORDERED * shape.unordered
        - IN_VAIN * shape.in_vain
        - ODD_CONSTANT * shape.odd_constants
        - LINE * max(0, shape.lines - 2)
        - TOKEN * min(shape.tokens, MAX_TOKENS)
    )


def behaviour_score(behaviour: Behaviour) -> float:
    """What the probe says; 0 where it says nothing."""
    return (
        -VIOLATED * behaviour.violated
        - CRASHES * behaviour.crashes
        - CRASHES_AT_ALL * (behaviour.crashes > 0)
        - ODD_TYPES * behaviour.odd_types
        - ODD_TYPES_AT_ALL * (behaviour.odd_types > 0)
        - VARIETY * (1.0 - behaviour.variety)
        - STEADY * (0.0 if behaviour.steady is None else 1.0 - behaviour.steady)
    )


def rate(
    shapes: Sequence[Shape],
    priors: Sequence[float],
    further: Sequence[bool],
    report: ProbeReport,
    votes: Sequence[float] = (),
) -> list[Rated]:
    """The score of each alternative; ``report`` is empty, or has a version for each and the original.

    Those that go ``further`` than others, by one more guess, support none: they come by the dozen. ``votes``
    are the shares of a model's replies that are the alternative, 0 for those that it did not write.
    """
    by_shape = [
        shape_score(shape, prior) - FURTHER * far
        for shape, prior, far in zip(shapes, priors, further, strict=True)
    ]
    if len(report.versions) != len(shapes) + 1:
        return [Rated(shape=value) for value in by_shape]
    best = max(by_shape)
    weights = [math.exp(value - best) for value in by_shape]
    found = behaviours(report, weights)
    alike = classes(report)
    natural: defaultdict[int, float] = defaultdict(float)
    for number, share in enumerate(votes):
        natural[alike[number]] = min(1.0, natural[alike[number]] + share)
    supporting = [0.0 if far else weight for weight, far in zip(weights, further, strict=True)]
    return [
        Rated(
            shape=value,
            behaviour=behaviour_score(seen),
            natural=NATURAL * natural[alike[number]],
            support=SUPPORT * math.log(max(_support(number, alike, weights, supporting), LEAST_SUPPORT)),
        )
        for number, (value, seen) in enumerate(zip(by_shape, found, strict=True))
    ]


def _support(
    number: int, alike: Sequence[int], weights: Sequence[float], supporting: Sequence[float]
) -> float:
    """The share of the weight of those that support this alternative, itself included."""
    others = (place for place, same in enumerate(alike) if same == alike[number] and place != number)
    return (weights[number] + sum(supporting[place] for place in others)) / sum(weights)
