"""A small reader of INI files: sections, `key = value`, comments with # or ;."""


class IniError(ValueError):
    def __init__(self, line_number, message):
        super().__init__(f"line {line_number}: {message}")
        self.line_number = line_number


def parse(text):
    """Sections by name, each a dict; what stands before the first section is in the section ''."""
    sections = {"": {}}
    current = sections[""]
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise IniError(number, "section is not closed")
            current = sections.setdefault(line[1:-1].strip(), {})
            continue
        if "=" not in line:
            raise IniError(number, "expected key = value")
        key, value = line.split("=", 1)
        current[key.strip().lower()] = _unquote(value.strip())
    return sections


def _unquote(value):
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def get_bool(section, key, default=False):
    value = section.get(key)
    if value is None:
        return default
    if value.lower() in {"1", "yes", "true", "on"}:
        return True
    if value.lower() in {"0", "no", "false", "off"}:
        return False
    raise ValueError(f"{key}: not a truth value: {value!r}")
