"""The version that a repair compares with: what the caller knows, else what the settings name."""

from dataclasses import dataclass, field
from types import SimpleNamespace

from fakes.progress import FakeProgress

from bot.environments.versions.compared import EarlierFiles, changed_paths, compared_version
from sandbox.snapshot import Entry, Snapshot

OLD, NEW = b"def f():\n    return 1\n", b"def f():\n    return 2\n"
HERE = Snapshot(entries=(Entry(path="m.py", data=NEW), Entry(path="test_m.py", data=b"t")))
BEFORE = EarlierFiles(
    name="abc, the commit before", snapshot=Snapshot(entries=(Entry(path="m.py", data=OLD),))
)
DIFF = "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 3\n+    return 2\n"


@dataclass(frozen=True)
class Beds:
    snapshot: Snapshot = field(default=HERE)


def compared(tmp_path, *, base="", diff="", earlier=BEFORE):
    settings = SimpleNamespace(project=tmp_path, base=base)
    chosen = SimpleNamespace(environment=SimpleNamespace(snapshot=HERE), beds=Beds())
    sources = {path: data.decode() for path, data in HERE.files.items()}
    return compared_version(settings, sources, chosen, FakeProgress(), diff=diff, earlier=earlier)


def test_the_files_that_the_caller_knows(tmp_path):
    found = compared(tmp_path)
    assert (found.version.name, found.version.sources) == ("abc, the commit before", {"m.py": OLD.decode()})
    assert found.tree.lacks == {"test_m.py"}
    assert found.testbeds.snapshot.files == {"m.py": OLD, "test_m.py": b"t"}


def test_a_diff_and_a_name_come_before_them(tmp_path):
    found = compared(tmp_path, diff=DIFF)
    assert found.version.sources == {"m.py": "def f():\n    return 3\n"}
    assert found.testbeds.snapshot.files["m.py"] == b"def f():\n    return 3\n"
    assert compared(tmp_path, base="none").testbeds is None


def test_without_any_or_with_the_same_files_there_is_nothing_to_compare_with(tmp_path):
    found = compared(tmp_path, earlier=None)
    assert (found.version.name, found.testbeds, found.documents) == ("", None, ())
    assert compared(tmp_path, earlier=EarlierFiles(name="same", snapshot=HERE)).testbeds is None


def test_the_changed_paths_are_those_of_a_diff_or_what_differs(tmp_path):
    settings = SimpleNamespace(project=tmp_path, base="")
    assert changed_paths(settings, HERE, diff=DIFF, earlier=BEFORE) == ("m.py",)
    assert changed_paths(settings, HERE, diff="", earlier=BEFORE) == ("m.py", "test_m.py")
    assert changed_paths(settings, HERE, diff="", earlier=None) == ()
