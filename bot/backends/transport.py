"""How a question travels to a server, as a Protocol: over the network, or to a model in this process."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Transport(Protocol):
    """Carries one request to one server. It neither asks again nor waits."""

    @property
    def endpoint(self) -> str:
        """Where it goes, without a password: for messages."""
        ...

    def send(self, body: Mapping[str, Any], *, key: str) -> Iterator[object]:
        """Send ``body``, and yield what comes back, as parsed JSON: a stream's pieces, or one whole reply.

        Whoever stops taking pieces closes the iterator, and with it the connection.

        Raises:
            bot.backends.failures.ModelFailure: while it is iterated over.
        """
        ...

    def context_tokens(self, model: str, *, key: str) -> int:
        """What the server says of the model's context; 0 where it says nothing.

        Raises:
            bot.backends.failures.ModelFailure: it could not be asked.
        """
        ...

    def close(self) -> None:
        """Let go of connections, and of what else is held."""
        ...
