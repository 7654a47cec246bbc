"""What GitHub would act upon in a text: Markdown read by a parser, then what GitHub itself finds in it."""

import re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt

_GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
# After Markdown is read, GitHub looks for these in all text that is not code.
_ACTED_UPON = {
    "mention": re.compile(r"@[A-Za-z0-9]"),
    "issue": re.compile(r"(?:#|\bGH-)\d", re.IGNORECASE),
    "commit": re.compile(r"\b[0-9a-f]{7,40}\b", re.IGNORECASE),
    "address": re.compile(r"https?:|\bwww\.|\S@\S|://", re.IGNORECASE),
    "emoji": re.compile(r":[a-z0-9_+-]+:"),
    "unseen": re.compile(
        "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0001-\U000e007f]"
    ),
}


@dataclass
class Page:
    """A text as GitHub reads it; ``text`` is all that is neither code nor HTML."""

    text: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    @property
    def acted_upon(self) -> dict[str, str]:
        """What GitHub would link, notify or swallow, by its kind."""
        joined = [
            (kind, found)
            for kind, rule in _ACTED_UPON.items()
            for t in self.text
            for found in rule.findall(t)
        ]
        return dict(joined)


def read(markdown: str) -> Page:
    page = Page()
    for token in _GFM.parse(markdown):
        page.kinds.append(token.type)
        if token.type in {"fence", "code_block"}:
            page.code.append(token.content)
        elif token.type == "html_block":
            page.html.append(token.content)
        elif token.type == "inline":
            _inline(token.children, page)
    return page


def _inline(children, page: Page) -> None:
    whole = []
    for token in children:
        if token.type == "code_inline":
            page.code.append(token.content)
            whole.append("\N{FULL BLOCK}")
        elif token.type == "html_inline":
            page.html.append(token.content)
        elif token.type in {"link_open", "image"}:
            page.links.append(str(token.attrs.get("href") or token.attrs.get("src")))
        else:
            whole.append(token.content or " ")
    page.text.append("".join(whole))
