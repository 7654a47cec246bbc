"""Annotations: the culprit first, at its lines, also without a patch; then what is suspicious."""

from dataclasses import replace

from delivery_cases import AFTER, BEFORE, PATH, PULL, TEST, artifact, edit, result, vain

from bot.delivery.annotate import SHOWN, annotations, in_diff
from bot.delivery.verify import Verified
from bot.domain import Culprit, Suspicion
from bot.github.records import ChangedFile

CULPRIT = Culprit(
    edits=(edit(BEFORE, "net - tax", "net + tax"),),
    lines=((PATH, (2, 3)),),
    changed=9,
    size=2,
    tests=(TEST,),
    minimal=True,
    runs=4,
    base="main",
)


def test_the_culprit_is_annotated_without_a_patch():
    notes = annotations(artifact(vain(culprit=CULPRIT)))
    assert (notes[0].path, notes[0].line, notes[0].end_line) == (PATH, 2, 3)
    assert (notes[0].title, notes[0].level) == ("Regreen: the culprit", "warning")
    assert "2 of 9 changed lines make the difference" in notes[0].message
    assert notes[0].message.endswith(f"Failing: {TEST}")


def test_suspicious_lines_are_annotated_and_those_of_the_culprit_are_not_called_so():
    notes = annotations(artifact())
    assert [(note.line, note.title) for note in notes] == [
        (2, "Regreen: suspicious, 0.91 of 1"),
        (6, "Regreen: suspicious, 0.20 of 1"),
    ]
    lines = tuple(Suspicion(path=PATH, line=line, score=0.5) for line in range(1, 10))
    notes = annotations(artifact(result(culprit=CULPRIT, suspicions=lines)))
    assert [note.line for note in notes] == [2, 1, 4, 5, 6]
    assert [note.level for note in notes] == ["warning", *["notice"] * (SHOWN - 1)]


def test_a_path_that_cannot_be_shown_has_no_note_but_the_change_as_it_was_made_is_told():
    hidden = replace(CULPRIT, lines=(("a\udcff.py", (1, 1)),))
    found = artifact(vain(culprit=hidden))
    assert found.culprit_lines == ()
    assert "-    return net + tax\n+    return net - tax\n" in found.culprit_diff


def test_a_verdict_annotates_nothing_since_its_lines_are_those_of_the_base():
    assert annotations(artifact(vain(culprit=CULPRIT)))
    assert annotations(artifact(vain(culprit=CULPRIT), judged=True)) == ()


def test_only_lines_that_the_diff_shows_are_annotated_there():
    patched = artifact(result(culprit=CULPRIT))
    verified = Verified(artifact=patched, pull=PULL, before={PATH: BEFORE}, after={PATH: AFTER}, diff="")
    hunk = "@@ -1,2 +1,2 @@\n def total(net, tax):\n-    return net * tax\n+    return net - tax"
    shown = ChangedFile(path=PATH, status="modified", patch=hunk)
    patch, culprit = in_diff(verified, [shown])
    assert (patch.line, patch.end_line, patch.level) == (2, 2, "notice")
    assert (culprit.line, culprit.end_line) == (2, 2)  # of the lines 2 and 3
    for change in ({"path": "other.py"}, {"status": "removed"}, {"patch": ""}):
        assert in_diff(verified, [replace(shown, **change)]) == ()
