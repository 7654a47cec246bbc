"""A note."""


class Note:
    """A text with tags; they are its own, whatever list they came from."""

    def __init__(self, title, body="", tags=()):
        self.title = title
        self.body = body
        self.tags = list(tags)

    def tag(self, *names):
        for name in names:
            if name not in self.tags:
                self.tags.append(name)
        return self

    def as_dict(self):
        return {"title": self.title, "body": self.body, "tags": sorted(self.tags)}
