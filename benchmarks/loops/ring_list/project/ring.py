"""A playlist as a linked list, which may be a ring."""


class Track:
    """One track; ``following`` is the next one."""

    def __init__(self, title, following=None):
        self.title = title
        self.following = following


def ring(titles):
    """The first of the tracks with these titles; the last one is followed by the first."""
    tracks = [Track(title) for title in titles]
    for track, following in zip(tracks, tracks[1:] + tracks[:1]):
        track.following = following
    return tracks[0]


def titles(first):
    """The titles from ``first`` on, each once."""
    found = [first.title]
    track = first.following
    while track is not None or track is not first:
        found.append(track.title)
        track = track.following
    return found


def length(first):
    """How many tracks there are."""
    return len(titles(first))
