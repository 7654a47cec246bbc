"""What may stand behind a | in a placeholder."""


def _title(value, _argument):
    return str(value).title()


def _default(value, argument):
    """The argument stands in for what is missing, and for an empty text."""
    return value or argument


def _truncate(value, argument):
    text, limit = str(value), int(argument)
    return text if len(text) <= limit else text[: limit - 1] + "…"


FILTERS = {"title": _title, "default": _default, "truncate": _truncate}
