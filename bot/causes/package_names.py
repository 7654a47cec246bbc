"""Which package brings a module, or an option, fixture, key or mark of pytest: ``package_names.toml``."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

_TABLES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (files("bot.causes") / "package_names.toml").read_text("utf-8")
)
PACKAGES, BY_OPTION = _TABLES["packages"], _TABLES["by_option"]
BY_FIXTURE, BY_KEY, BY_MARK = _TABLES["by_fixture"], _TABLES["by_key"], _TABLES["by_mark"]
