"""Marks within a line: *emphasis*, **strong**, `code` and [links](address)."""

import html
import re

_MARK = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|\[(?P<label>[^\]]+)\]\((?P<address>[^)\s]+)\)"
)
_SAFE = ("http://", "https://", "/", "#")


def inline(text):
    pieces, end = [], 0
    for match in _MARK.finditer(text):
        pieces += [_escaped(text[end : match.start()]), _marked(match)]
        end = match.end()
    return "".join([*pieces, _escaped(text[end:])])


def _marked(match):
    if match["code"]:
        return f"<code>{_escaped(match['code'])}</code>"
    if match["strong"]:
        return f"<strong>{inline(match['strong'])}</strong>"
    if match["em"]:
        return f"<em>{inline(match['em'])}</em>"
    if not match["address"].startswith(_SAFE):
        return _escaped(match[0])
    return f'<a href="{_escaped(match["address"])}">{inline(match["label"])}</a>'


def _escaped(text):
    if not any(character in text for character in "<>&\"'"):
        return text
    return html.escape(text)
