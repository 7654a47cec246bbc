"""Notes, kept as JSON."""

import json

from .note import Note


class Notebook:
    def __init__(self):
        self.notes = []

    def write(self, title, body="", tags=()):
        note = Note(title, body, tags) if tags else Note(title, body)
        self.notes.append(note)
        return note

    def tagged(self, name):
        return [note.title for note in self.notes if name in note.tags]

    def dump(self):
        return json.dumps([note.as_dict() for note in self.notes])

    @classmethod
    def load(cls, text):
        book = cls()
        for raw in json.loads(text):
            book.write(raw["title"], raw["body"], raw["tags"])
        return book
