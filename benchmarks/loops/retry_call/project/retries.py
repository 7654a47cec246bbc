"""Call something that may fail for a while."""


class GaveUp(Exception):
    """All tries failed."""


def call(action, tries=3, waits=None):
    """The result of ``action``, which is tried up to ``tries`` times.

    ``waits`` gets the pause before each further try, twice as long each time.
    """
    pause = 1
    while tries > 0:
        try:
            return action()
        except ConnectionError:
            tries = 1
            if waits is not None and tries:
                waits.append(pause)
            pause *= 2
    raise GaveUp("no try succeeded")


def all_of(actions, tries=3):
    """The results of several actions, None for each that failed for good."""
    results = []
    for action in actions:
        try:
            results.append(call(action, tries))
        except GaveUp:
            results.append(None)
    return results
