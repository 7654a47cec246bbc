"""Which target needs which others."""


class CycleError(Exception):
    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


class TargetGraph:
    def __init__(self):
        self._needs = {}

    def add(self, target, *needs):
        self._needs.setdefault(target, []).extend(needs)
        for need in needs:
            self._needs.setdefault(need, [])
        return self

    def needs(self, target):
        return tuple(self._needs[target])

    def __iter__(self):
        return iter(self._needs)
