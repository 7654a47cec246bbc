"""Events by name, and who listens to them."""

from collections import defaultdict


class Bus:
    def __init__(self):
        self._listeners = defaultdict(list)

    def listen(self, event, listener=None, *, once=False):
        """Registers a listener; without one, a decorator that does."""
        if listener is None:
            return lambda function: self.listen(event, function, once=once)
        self._listeners[event].append((listener, once))
        return listener

    def forget(self, event, listener):
        for entry in list(self._listeners[event]):
            if entry[0] is listener:
                self._listeners[event].remove(entry)

    def emit(self, event, *args):
        """Calls those who listened when the event happened, in the order in which they came."""
        results = []
        for entry in list(self._listeners[event]):
            listener, once = entry
            if once:
                self._listeners[event].remove(entry)
            results.append(listener(*args))
        return results

    def count(self, event):
        return len(self._listeners[event])
