"""Which Pythons are on a machine, and what one of them has installed, learned without starting many."""

import os
import subprocess
import sys
from pathlib import Path

from every_case import every_case

from sandbox.environment import interpreters
from sandbox.environment.interpreters import equipped, host_pythons

INSTALLATIONS = {
    "3.9.18": (3, 9, 18),
    "cpython-3.13.2-linux-x86_64-gnu": (3, 13, 2),
}
OTHER = ("3.13-dev", "pypy3.9", "cpython-3.13.0+freethreaded-linux-x86_64-gnu", "3.9.18b1")


def install(place, minor):
    """Something that would be noticed if it were started."""
    program = place / "bin" / f"python3.{minor}"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n: > {place}/started\nexit 1\n")
    program.chmod(0o755)
    (place / "bin" / "python3").symlink_to(program.name)


def only(monkeypatch, directory):
    monkeypatch.setenv("PATH", str(directory / "nothing"))
    monkeypatch.setattr(interpreters, "_INSTALLATIONS", (f"{directory}/*/bin/python3",))


def test_an_installation_that_is_named_by_its_release_is_not_started(tmp_path, monkeypatch):
    for name, (_major, minor, _micro) in INSTALLATIONS.items():
        install(tmp_path / name, minor)
    only(monkeypatch, tmp_path)
    found = {python.executable: python.release for python in host_pythons()}
    for name, release in INSTALLATIONS.items():
        if release[:2] != sys.version_info[:2]:
            assert found[str(tmp_path / name / "bin" / f"python3.{release[1]}")] == release
    assert not list(tmp_path.glob("*/started"))


@every_case("name", OTHER)
def test_any_other_is_asked(name, tmp_path, monkeypatch):
    install(tmp_path / name, 9)
    only(monkeypatch, tmp_path)
    assert [python.release for python in host_pythons()] == [sys.version_info[:3]]
    assert list(tmp_path.glob("*/started"))


def test_our_own_is_known_without_being_asked(tmp_path, monkeypatch):
    only(monkeypatch, tmp_path)
    (own,) = host_pythons()
    told = subprocess.run([own.executable, "-V"], capture_output=True, text=True, check=True).stdout
    assert told.split()[1].startswith(".".join(map(str, own.release)))


def test_what_is_installed_is_known_by_the_names_of_its_metadata(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (packages,) = (tmp_path / "env").glob("lib/python3*/site-packages")
    for entry in (
        "Six_Seven-1.17.dist-info",
        "old-2.0-py3.8.egg-info",
        "nothing.egg-info",
        "broken.dist-info",
    ):
        (packages / entry).mkdir()
    for entry, text in {
        "placed.egg-info": "Name: placed\nVersion: 3.1\n",
        "flat.egg-info": "Name: flat\n",
    }.items():
        (packages / entry).mkdir()
        (packages / entry / "PKG-INFO").write_text(text)
    found = equipped(os.fspath(Path(tmp_path, "env", "bin", "python")))
    assert found is not None
    assert {"six-seven": "1.17", "old": "2.0", "placed": "3.1"}.items() <= found.versions.items()
    assert not {"nothing", "broken", "flat"} & found.versions.keys()
    assert not found.lacks(["six_seven>=1", "old==2.0", "placed"])
    assert found.lacks(["placed>4"]) == "placed>4"


def test_what_does_not_work_has_nothing(tmp_path):
    install(tmp_path / "x", 9)
    assert equipped(str(tmp_path / "x" / "bin" / "python3")) is None
    assert equipped(str(tmp_path / "nowhere")) is None
