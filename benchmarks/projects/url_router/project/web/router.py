"""Which function answers a request."""

from .patterns import Pattern


class NoRoute(LookupError):
    pass


class Router:
    def __init__(self):
        self._routes = []

    def route(self, text, methods=("GET",)):
        def register(function):
            self._routes.append((Pattern(text), frozenset(methods), function))
            return function

        return register

    def dispatch(self, method, path):
        for pattern, methods, function in self._routes:
            values = pattern.match(path)
            if values is not None and method in methods:
                return function(**values)
        raise NoRoute(f"{method} {path}")

    def url_for(self, function, **values):
        for pattern, _, registered in self._routes:
            if registered is function:
                return pattern.fill(**values)
        raise NoRoute(function.__name__)
