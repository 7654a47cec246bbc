"""Exporters by the name of their format."""

_EXPORTERS = {}


class UnknownFormat(LookupError):
    pass


def exporter(name, *aliases):
    """Registers a function that turns records into text."""

    def register(function):
        for each in (name, *aliases):
            if each in _EXPORTERS:
                raise ValueError(f"{each} is taken")
            _EXPORTERS[each] = function
        function.format_name = name

    return register


def available():
    return sorted({function.format_name for function in _EXPORTERS.values()})


def export(records, format_name):
    try:
        function = _EXPORTERS[format_name]
    except KeyError:
        raise UnknownFormat(format_name) from None
    return function(list(records))
