"""How likely each operator is to be the fix: the only numbers of the engine that rank ideas.

A prior is reasoned, never fitted: no benchmark's tasks and no result of our own took part. It is the rank
of the bug pattern in published counts, discounted by how many alternatives the operator proposes in one
place, since the search pays for each of them. The counts are those of

- ManySStuBs4J: Karampatsis and Sutton, "How Often Do Single-Statement Bugs Occur?" (MSR 2020). Identifiers
  lead, then wrong function names and numeric literals, missing or extra arguments, binary and unary
  operators, more and less specific conditions, boolean literals; swapped arguments come last.
- PySStuBs: Kamienski et al. (MSR 2021), the same patterns in Python: the same order, with wrong attributes
  and function names more frequent and added calls (conversions, ``self``) as patterns of their own.
- BugsInPy: Widyasari et al. (ESEC/FSE 2020), and QuixBugs: Lin et al. (SPLASH Companion 2017): repairs of
  real and of algorithmic bugs gather in conditions, bounds, and missing or misplaced statements.
- HumanEvalPack's bug types: Muennighoff et al., "OctoPack" (2023): missing logic, excess logic, and misuse
  of values, operators, variables and functions. Only the published list of types was used, no task.

What the tests say (``symptoms``) multiplies a prior by at most ``MAX_BOOST``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MAX_BOOST = 2.0

PRIORS: Mapping[str, float] = MappingProxyType(
    {
        # The interpreter said what is wrong, or nothing binds the name: near certain, a handful of
        # alternatives.
        "misspelt name": 1.0,
        "misspelt attribute": 1.0,
        "misspelt keyword": 1.0,
        "missing import": 1.0,
        # Binary and unary operators, boolean literals: frequent, and five alternatives or fewer in one place.
        "comparison": 0.9,
        "arithmetic": 0.8,
        "and or": 0.8,
        "drop not": 0.8,
        "negate condition": 0.7,
        "flag": 0.7,
        "augmented assignment": 0.7,
        # Numeric literals and bounds: very frequent, about ten alternatives.
        "number": 0.7,
        "off by one": 0.6,
        "drop step": 0.65,
        "range": 0.55,
        "slice": 0.55,
        "index": 0.5,
        # Identifiers: the most frequent of all, but as many alternatives as there are variables.
        "variable": 0.75,
        "attribute": 0.6,
        "self attribute": 0.5,
        "target": 0.3,
        "attribute owner": 0.25,
        # Function names: frequent; a family is small, a file's callables may be many.
        "method family": 0.7,
        "function family": 0.7,
        "callee": 0.45,
        # Arguments: frequent together, each kind less so.
        "swap arguments": 0.55,
        "drop argument": 0.4,
        "add argument": 0.45,
        "replace argument": 0.35,
        "sort key": 0.4,
        # Conditions more or less specific.
        "drop clause": 0.6,
        "add clause": 0.35,
        "truth clause": 0.25,
        "regroup clauses": 0.5,
        "comparison link": 0.4,
        "truth or identity": 0.4,
        "comparison sides": 0.35,
        "magnitude": 0.5,
        "comparison operand": 0.25,
        "swap branches": 0.45,
        # Operands and grouping: change of operand is a pattern of its own, below operators.
        "operand order": 0.5,
        "drop operand": 0.45,
        "regroup": 0.5,
        "sign": 0.35,
        "plain assignment": 0.5,
        "count from nothing": 0.3,
        "increment": 0.3,
        # Excess and misplaced logic: one or two alternatives a statement.
        "delete": 0.45,
        "dedent": 0.55,
        "indent": 0.45,
        "move": 0.35,
        "loop exit": 0.5,
        "insert exit": 0.3,
        "if elif": 0.45,
        # Added or superfluous calls: common in Python, many alternatives.
        "unwrap": 0.45,
        "wrap": 0.35,
        "suffix": 0.3,
        "call brackets": 0.35,
        "await": 0.5,
        "reverse": 0.3,
        "append side": 0.35,
        "pop side": 0.35,
        "get": 0.3,
        # Values returned.
        "return variable": 0.45,
        "return constant": 0.35,
        "return opposite": 0.5,
        "return combined": 0.15,
        "missing return": 0.5,
        "yield or return": 0.3,
        "tuple order": 0.4,
        # Texts.
        "text": 0.35,
        "text reuse": 0.3,
        "f-string": 0.5,
        # Shapes that hardly anyone writes on purpose: one or two alternatives, and rarely any place for them.
        "discarded result": 0.85,
        "comparison for assignment": 0.9,
        "sign slip": 0.8,
        "shared subject": 0.8,
        "joined texts": 0.7,
        "lone item": 0.7,
        "trailing comma": 0.6,
        "repeated reference": 0.85,
        "mutable default": 0.8,
        "chained alias": 0.8,
        "walk over a copy": 0.8,
        "late binding": 0.8,
        "accumulate": 0.75,
        "never filled": 0.7,
        "early else": 0.75,
        "order lost": 0.7,
        "begin inside": 0.65,
        "simultaneous": 0.6,
        "shared attribute": 0.6,
        "print for return": 0.6,
        "missing super": 0.45,
        "handler order": 0.5,
        # Texts that are languages of their own: few places, ten to thirty alternatives.
        "pattern": 0.5,
        "format spec": 0.35,
        # Emptiness, absence and sides: a frequent confusion, one or two alternatives in one place.
        "identity for truth": 0.5,
        "stored alias": 0.45,
        "drop filter": 0.5,
        "swap entry": 0.45,
        "swap tests": 0.4,
        "super or self": 0.4,
        "prepend": 0.4,
        "neighbours": 0.4,
        "normalise both": 0.35,
        "distinct clause": 0.4,
        "bounds clause": 0.35,
        "type clause": 0.4,
        "reraise": 0.35,
        # Missing statements and calls: frequent in real projects, but any number of them could be meant.
        "unit number": 0.35,
        "add filter": 0.3,
        "skip round": 0.25,
        "clamp": 0.25,
        "base case": 0.25,
        "raise guard": 0.5,
        "sort first": 0.25,
        "own call": 0.25,
        "missing else": 0.25,
        "item": 0.25,
        "reset shared": 0.4,
        "call order": 0.25,
        "scale": 0.25,
        # Missing logic in its plain forms: a bug type of HumanEvalPack, with dozens of alternatives
        # in each place. So they come when little else is left.
        "missing rounding": 0.2,
        "missing operation": 0.12,
        "missing clause": 0.12,
        "missing case": 0.12,
        "loop check": 0.12,
        "mirrored branch": 0.3,
        # Rare, or with many alternatives: still cheaper than giving up.
        "number reuse": 0.35,
        "number to variable": 0.35,
        "add index": 0.2,
        "index or slice": 0.3,
        "swap indices": 0.5,
        "index owner": 0.35,
        "reuse": 0.25,
        "copy statement": 0.15,
        "early answer": 0.15,
        "advance": 0.25,
        "default": 0.3,
        "shared name": 0.5,
        "raised type": 0.35,
        "caught type": 0.35,
        "forced condition": 0.15,
    }
)
