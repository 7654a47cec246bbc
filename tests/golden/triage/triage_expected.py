"""What a person says of each log, from ``expected.toml``."""

import tomllib
from pathlib import Path

CODE_TESTS = "code/tests"
_SAID = tomllib.loads(Path(__file__).with_name("expected.toml").read_text("utf-8"))
SMALL = {
    name: (verdict, *command) if command else (verdict, None)
    for name, (verdict, *command) in _SAID["small"].items()
}
REAL = {name: tuple(row) for name, row in _SAID["real"].items()}
LATER = _SAID["later"]
