"""The lines of calendar files (iCalendar): folding, parameters, escapes."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Property:
    name: str
    value: str
    parameters: dict = field(default_factory=dict)


def unfold(text):
    """Whole lines; one that begins with a space or tab goes on where the one before ended."""
    lines = []
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += line
        elif line:
            lines.append(line)
    return lines


def unescape(text):
    """Backslashes protect commas, semicolons and themselves; backslash n is a new line."""
    text = text.replace("\\\\", "\\").replace("\\n", "\n").replace("\\N", "\n")
    return text.replace("\\,", ",").replace("\\;", ";")


def parse_line(line):
    head, colon, value = line.partition(":")
    if not colon:
        raise ValueError(f"no value: {line}")
    name, *pairs = head.split(";")
    parameters = {}
    for pair in pairs:
        key, _, parameter = pair.partition("=")
        parameters[key.upper()] = parameter.strip('"')
    return Property(name.upper(), unescape(value), parameters)


def events(text):
    """The properties of each event, as a dict by name."""
    current, found = None, []
    for line in unfold(text):
        prop = parse_line(line)
        if (prop.name, prop.value) == ("BEGIN", "VEVENT"):
            current = {}
        elif (prop.name, prop.value) == ("END", "VEVENT"):
            found.append(current)
            current = None
        elif current is not None:
            current[prop.name] = prop
    return found
