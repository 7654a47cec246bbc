"""The registry of direct routes; order settles ties and nothing else."""

from __future__ import annotations

from bot.search.direct.attributes import ATTRIBUTES
from bot.search.direct.classes import CLASSES
from bot.search.direct.containers import CONTAINERS
from bot.search.direct.encodings import ENCODINGS
from bot.search.direct.endless import ENDLESS
from bot.search.direct.fields import FIELDS
from bot.search.direct.handlers import HANDLERS
from bot.search.direct.imports import IMPORTS
from bot.search.direct.keys import KEYS
from bot.search.direct.keywords import KEYWORDS
from bot.search.direct.kinds import KINDS
from bot.search.direct.names import NAMES
from bot.search.direct.nothing import NOTHING
from bot.search.direct.operands import OPERANDS
from bot.search.direct.prints import PRINTS
from bot.search.direct.properties import PROPERTIES
from bot.search.direct.protocols import PROTOCOLS
from bot.search.direct.rule import Rule
from bot.search.direct.shown import SHOWN
from bot.search.direct.signatures import SIGNATURES
from bot.search.direct.values import VALUES

RULES: tuple[Rule, ...] = (
    *NAMES,
    *IMPORTS,
    *ATTRIBUTES,
    *PROPERTIES,
    *SIGNATURES,
    *KEYWORDS,
    *CLASSES,
    *FIELDS,
    *PROTOCOLS,
    *KINDS,
    *CONTAINERS,
    *OPERANDS,
    *PRINTS,
    *ENCODINGS,
    *KEYS,
    *VALUES,
    *NOTHING,
    *SHOWN,
    *HANDLERS,
    *ENDLESS,
)
