"""Completes what was typed, from the words known so far."""


class _Node:
    def __init__(self):
        self.children = {}
        self.uses = 0


class Completer:
    def __init__(self, words=()):
        self._root = _Node()
        for word in words:
            self.learn(word)

    def learn(self, word):
        node = self._root
        for letter in word.lower():
            node = node.children.setdefault(letter, _Node())
        node.uses += 1

    def _find(self, start):
        node = self._root
        for letter in start.lower():
            node = node.children.get(letter)
            if node is None:
                return None
        if not node.children:
            return None
        return node

    def uses(self, word):
        node = self._find(word)
        return node.uses if node else 0

    def complete(self, start, limit=5):
        """The words that begin so: the most used first, then by the alphabet."""
        node = self._find(start)
        if node is None:
            return []
        found = sorted(self._words(node, start.lower()), key=lambda pair: (-pair[1], pair[0]))
        return [word for word, _ in found[:limit]]

    def _words(self, node, prefix):
        if node.uses:
            yield prefix, node.uses
        for letter, child in node.children.items():
            yield from self._words(child, prefix + letter)
