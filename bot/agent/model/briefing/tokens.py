"""How many tokens a text has, without the model's own vocabulary: a guess that its replies correct."""

import re
from threading import Lock

from bot.ports import Message

# What vocabularies of code models make one token of, at least: a short word or a part of a long one,
# digits, an operator, the indentation of a line.
_PIECE = re.compile(r"[A-Za-z_]{1,7}|[0-9]{1,2}|\n[ \t]*|[ \t]{2,}|[^\s\w]{1,2}|[^\x00-\x7f]|\w")
# The roles and separators that a chat's template puts around each message.
MESSAGE_TOKENS = 6
_LEAST, _MOST = 0.5, 3.0
_NEWS = 0.5


class TokenMeter:
    """Estimates of this process, rather too high than too low; what servers report moves them."""

    def __init__(self) -> None:
        self._factor = 1.0
        self._lock = Lock()

    def count(self, text: str) -> int:
        """The tokens of ``text``, estimated."""
        return round(self._factor * len(_PIECE.findall(text)))

    def of(self, messages: list[Message] | tuple[Message, ...]) -> int:
        """The tokens of a whole prompt, estimated."""
        return sum(MESSAGE_TOKENS + self.count(message.content) for message in messages)

    def learn(self, estimated: int, reported: int) -> None:
        """A prompt that was estimated to have ``estimated`` tokens has ``reported``; 0 where nobody says."""
        if estimated <= 0 or reported <= 0:
            return
        with self._lock:
            wanted = min(max(self._factor * reported / estimated, _LEAST), _MOST)
            # A text of many strange words is believed at once, an easy one only by halves.
            self._factor = wanted if wanted > self._factor else self._factor + _NEWS * (wanted - self._factor)
