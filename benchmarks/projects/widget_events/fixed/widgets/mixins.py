"""What widgets have in common."""


class Observable:
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._observers = []

    def observe(self, observer):
        self._observers.append(observer)

    def notify(self, name, value):
        for observer in self._observers:
            observer(name, value)


class Validated:
    def __init__(self, *, check=None, **kwargs):
        super().__init__(**kwargs)
        self.check = check

    def is_valid(self, value):
        return self.check is None or self.check(value)


class Named:
    def __init__(self, *, name="", **kwargs):
        super().__init__(**kwargs)
        self.name = name or type(self).__name__.lower()
