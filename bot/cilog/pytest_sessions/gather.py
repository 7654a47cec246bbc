"""Hand the pytest sessions of a log on, each once it is known that nothing continues it.

Sessions come in the order in which they began; which of them count is decided before they come here.
"""

from bot.cilog.collector import Collector
from bot.cilog.pytest_sessions.failures import failures
from bot.cilog.pytest_sessions.session import PytestSession, summed


class Gather:
    """Holds the last closed session back until the next one comes."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._last: PytestSession | None = None

    def add(self, session: PytestSession) -> None:
        """Take a closed session; it may still be resumed until the next one comes."""
        self.settle()
        self._last = session

    def resume(self, session: PytestSession) -> PytestSession:
        """The session that ``session`` continues: its predecessor, if that had an opening line.

        A quiet session ends without a ruler. One that ends with a ruler and has no opening line is the
        rest of a session in whose middle a test printed a final line.
        """
        if self._last is None or not self._last.explicit:
            return session
        whole, self._last = self._last, None
        whole.absorb(session)
        return whole

    def settle(self) -> None:
        """Hand the last session on."""
        session, self._last = self._last, None
        if session is not None:
            self._collector.session(summed(session), failures(session))
