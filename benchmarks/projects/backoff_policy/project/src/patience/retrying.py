"""Calls that are repeated until they succeed."""


class GaveUp(Exception):
    """The last attempt failed, too; the cause is its exception."""

    def __init__(self, attempts):
        super().__init__(f"failed {attempts} times")
        self.attempts = attempts


def retry(call, policy, sleep, on=(OSError,)):
    failures = 0
    waits = policy.delays()
    while True:
        try:
            return call()
        except on as error:
            failures += 1
            wait = next(waits, None)
            if wait is None:
                raise GaveUp(failures) from error
            sleep(wait)
