"""Several configurations in one file."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from every_case import every_case

from benchmarks import pins, runfile
from benchmarks.__main__ import cli
from benchmarks.execute import not_in_vain
from benchmarks.matrix import read
from bot.errors import ConfigurationError, MachineError

PEERS = sorted((Path(pins.ROOT) / "benchmarks" / "peers").glob("*.yaml"))
MATRIX = """
benchmark: invented
options: {count: 4, seed: 1}
configurations:
  plain:
  twice: {samples: 2, count: 3}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "matrix.yaml"
    path.write_text(MATRIX, "utf-8")
    return path


def test_configurations_add_to_the_options_of_all(tmp_path):
    path = tmp_path / "matrix.yaml"
    path.write_text(
        "benchmark: a\narguments: [x]\noptions: {one: 1, two_parts: y, quick: true, slow: false}\n"
        "configurations: {b: {one: 2, many: [p, q]}}\n"
    )
    (configuration,) = read(path)
    assert configuration.name == "b"
    assert configuration.command == ("a", "--one=2", "--two-parts=y", "--quick", "--many=p", "--many=q", "x")


def test_each_configuration_is_a_run(tmp_path, file):
    arguments = ["matrix", str(file), "--output", str(tmp_path / "runs")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    runs = {name: runfile.read(tmp_path / "runs" / f"{name}.jsonl") for name in ("plain", "twice")}
    assert {name: len(run.rows) for name, run in runs.items()} == {"plain": 4, "twice": 6}
    assert runs["twice"].header["configuration"]["seed"] == 1
    assert "| twice | 6 |" in (tmp_path / "runs" / "report.md").read_text("utf-8")
    with pytest.raises(ConfigurationError, match="holds a run already"):
        CliRunner().invoke(cli, arguments, catch_exceptions=False)
    with pytest.raises(ConfigurationError, match="no configuration x"):
        CliRunner().invoke(cli, [*arguments, "--only", "x"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "no YAML"),
        ("a: &a [*a]", "benchmark"),
        ("benchmark: x\nconfigurations: {}", "configurations"),
        ("benchmark: x\nconfigurations: {../up: {}}", "cannot be a file's name"),
        ("benchmark: x\nother: 1\nconfigurations: {a: {}}", "other"),
    ],
)
def test_what_is_no_matrix_is_refused(tmp_path, text, why):
    path = tmp_path / "matrix.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=why):
        read(path)


def test_a_benchmark_that_is_not_there(tmp_path, file):
    file.write_text(MATRIX.replace("invented", "matrix"), "utf-8")
    with pytest.raises(ConfigurationError, match="no benchmark matrix"):
        CliRunner().invoke(cli, ["matrix", str(file), "--output", str(tmp_path)], catch_exceptions=False)


@every_case("path", PEERS)
def test_the_peers_can_be_run_as_they_are_written(path):
    assert f"`{path.name}`" in (path.parent / "README.md").read_text("utf-8")
    for configuration in read(path):
        name, *options = configuration.command
        parsed = cli.commands[name].make_context(name, options)
        assert parsed.params["strategy"] in {"single", "react", "reflect", "tools"}


def test_every_peer_is_there():
    assert [path.stem for path in PEERS] == ["reflect", "single-shot", "tools", "two-agents"]


def crashed(reason):
    return {"outcome": "crashed", "reason": reason}


def test_a_run_that_can_only_crash_ends_before_anything_is_written():
    taken = []
    with pytest.raises(MachineError, match=re.escape("nothing was measured: no key")):
        taken.extend(not_in_vain(iter([crashed("no key")] * 9)))
    assert taken == []


@every_case(
    "rows",
    [
        [],
        [crashed("a")] * 2,
        [crashed("a"), crashed("b"), crashed("a"), crashed("a")],
        [crashed("a"), {"outcome": "patched"}, *[crashed("a")] * 5],
    ],
)
def test_other_crashes_are_rows(rows):
    assert list(not_in_vain(iter(rows))) == rows
