"""Lines of `key: value`, with a blank line between records."""

from .registry import exporter


def _block(record):
    return "".join(f"{key}: {value}\n" for key, value in record.items())


@exporter("plain", "txt")
def to_plain(records):
    return "\n".join(_block(record) for record in records)
