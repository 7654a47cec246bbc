"""Functions that are tried several times."""


def steady(times=3, on=(OSError, TimeoutError), stats=None, fallback=None):
    """Calls the function up to so many times; then the fallback answers, if there is one."""

    def decorate(function):
        def wrapper(*args, **kwargs):
            last = None
            for _ in range(times):
                if stats is not None:
                    stats.call(function)
                try:
                    return function(*args, **kwargs)
                except ValueError as error:
                    last = error
                    if stats is not None:
                        stats.failure(function)
            if fallback is not None:
                return fallback(*args, **kwargs)
            raise last

        return wrapper

    return decorate
