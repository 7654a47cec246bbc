"""One JSON object a line."""

import json

from .registry import exporter


@exporter("jsonl", "ndjson")
def to_json_lines(records):
    return "".join(json.dumps(record, sort_keys=True) + "\n" for record in records)
