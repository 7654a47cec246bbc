"""Takes keys and tokens out of a text before it is written down where others may read it.

Two nets: the secrets that this run knows, and the shapes that well-known tokens have. It imports next to
nothing, and never raises: a text without a secret comes back as it was.
"""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

MASK = "***"
# A placeholder such as "none" is a word, not a secret.
SHORTEST_SECRET = 8
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_SHAPES = re.compile(
    r"""
      \bgh[pousr]_[A-Za-z0-9]{20,255}\b            # GitHub's tokens
    | \bgithub_pat_[A-Za-z0-9_]{20,255}\b
    | \bsk-[A-Za-z0-9_-]{16,255}                   # OpenAI's and its kin's keys
    | \bhf_[A-Za-z0-9]{20,255}\b                   # the Hugging Face hub's tokens
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b                # AWS access key ids
    | \bxox[abeoprs]-[A-Za-z0-9-]{10,255}          # Slack's tokens
    | \bAIza[A-Za-z0-9_-]{35}\b                    # Google's API keys
    | \beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}  # a JSON web token
    | -----BEGIN\ (?:[A-Z]{1,20}\ ){0,3}PRIVATE\ KEY-----[^-]{0,20000}(?:-----END\ [A-Z ]{1,60}-----)?
    | (?<=://)[^/@:\s]{1,200}:[^/@\s]{1,500}(?=@)  # a password in an address
    """,
    re.VERBOSE,
)


def secrets_of_address(address: str) -> tuple[str, ...]:
    """What must not be shown of a server's address: user, password, and the values of its query."""
    try:
        parts = urlsplit(address)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        found = [value for _, value in parse_qsl(parts.query)]
        found += [pair.partition("=")[2] for pair in parts.query.split("&")]
    except ValueError:
        return ()
    if password:
        found += [parts.password or "", password, f"{user}:{password}"]
    elif user:
        found += [parts.username or "", user, f"{user}:"]
    return tuple(dict.fromkeys(filter(None, found)))


def _forms(secret: str) -> Iterator[str]:
    """``secret`` as it stands in JSON, in Python's and HTML's notation, in an address, in a header."""
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    yield from (quote(secret), quote(secret, safe=""), quote_plus(secret))
    yield quote(quote(secret, safe=""), safe="")
    quoted = json.dumps(secret)[1:-1]
    yield quoted.replace("/", "\\/")
    yield re.sub(r"[&<>+'/=]", lambda found: f"\\u{ord(found[0]):04x}", quoted)
    yield re.sub(r"[&<>]", lambda found: f"\\u{ord(found[0]):04x}", quoted)
    data = secret.encode("utf-8", "surrogatepass")
    yield from (data.hex(), data.hex().upper())
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        # What stands before it, such as a user's name, moves it within the groups of four letters.
        for before in range(3):
            letters = encode(b"\0" * before + data)
            yield letters[-(-before * 4 // 3) : (before + len(data)) * 4 // 3].decode()
        yield encode(encode(data)).decode().rstrip("=")


def _parts(secret: str) -> Iterator[str]:
    """``secret`` without what surrounds it, and each of its lines: a log shows them one by one."""
    yield secret.strip()
    if len(secret.split("\n")) > 1:
        yield from (line.strip() for line in secret.splitlines())


def _pattern(form: str) -> str:
    """Matches ``form``, whose percent escapes may be in small letters."""
    return _ESCAPE.sub(lambda found: f"(?i:{found[0]})", re.escape(form))


class Scrubber:
    """Replaces ``secrets``, and what looks like a token, by ``MASK``."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        parts = {part for secret in secrets for part in (secret, *_parts(secret))}
        long = [part for part in parts if len(part) >= SHORTEST_SECRET]
        # A secret that holds another one goes first, whole.
        known = sorted({form for secret in long for form in _forms(secret)}, key=len)
        self._known = re.compile("|".join(map(_pattern, reversed(known)))) if known else None

    def __call__(self, text: str) -> str:
        """``text`` without secrets."""
        if self._known:
            text = self._known.sub(MASK, text)
        return _SHAPES.sub(MASK, text)

    def within(self, value: object) -> object:
        """``value``, of what JSON can hold, with every text in it scrubbed; keys of mappings as well."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self(str(key)): self.within(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.within(item) for item in value]
        return value
