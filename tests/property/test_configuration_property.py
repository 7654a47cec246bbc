"""Whatever a file or a variable holds: settings, or one clear error; never anything else."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.config.options import OPTIONS
from bot.config.options.file import read
from bot.config.options.values import read as read_values
from bot.config.settings import Settings
from bot.config.sources import load
from bot.errors import ConfigurationError

SLOW_FIXTURE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
YAML_PARTS = st.sampled_from(
    [
        *("a", ": ", "\n", "- ", "[", "]", "{", "}", "&x ", "*x", "!!str ", "'", '"', "#", "|", ">"),
        *("---", "? ", "\t", " ", "%", "~"),
    ]
)
NAMES = st.sampled_from([option.name for option in OPTIONS]) | st.text(max_size=20)
TEXTS = st.text(max_size=30) | st.from_regex(re.compile(r"\d{1,20}(\.\d*)?[a-z]{0,3}"), fullmatch=True)


@SLOW_FIXTURE
@given(st.binary(max_size=300) | st.lists(YAML_PARTS, max_size=40).map(lambda parts: "".join(parts).encode()))
def test_any_file_is_read_or_refused(tmp_path, content):
    path = tmp_path / "file.yml"
    path.write_bytes(content)
    try:
        entries = read(path)
    except ConfigurationError as error:
        entries, refusal = (), str(error)
    else:
        refusal = ""
    assert "\n" not in refusal
    assert len(refusal) < len(str(path)) + 300
    assert len({entry.name for entry in entries}) == len(entries)
    assert all(1 <= entry.line <= len(content) for entry in entries)


@settings(deadline=None)  # the first call builds the model
@given(st.dictionaries(NAMES, TEXTS, max_size=6))
def test_any_texts_become_values_or_a_line_each(texts):
    values, problems = read_values(texts, lambda name: f"at {name!a}")
    assert len(values) + len(problems) == len(texts)
    for option in OPTIONS:
        if option.name in values and option.maximum:
            assert option.minimum <= values[option.name] <= option.maximum


@SLOW_FIXTURE
@given(st.dictionaries(st.sampled_from([option.variable for option in OPTIONS]), TEXTS, max_size=4))
def test_any_environment_gives_settings_or_an_error(tmp_path, environment):
    try:
        found = load({"project": tmp_path}, environment)
    except ConfigurationError as error:
        found = str(error)
    assert isinstance(found, Settings) or any(name in found for name in environment)
