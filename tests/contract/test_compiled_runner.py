"""The runner as another Python compiled it: made once, and used by the next sandbox with that interpreter."""

import sys

import pytest

from sandbox import session

pytestmark = [pytest.mark.interpreters, pytest.mark.xdist_group("versions")]
MAGIC = "import importlib.util as u; print(u.MAGIC_NUMBER.hex())"
PREPARE = {"op": "prepare", "arguments": [], "environment": {}, "search_path": []}


def test_the_second_sandbox_has_what_the_first_one_compiled(variant, monkeypatch):
    provider, spec, version = variant
    kept, sent, bundle = {}, [], session.bundle

    def spied(settings, compiled=None):
        sent.append(compiled)
        return bundle(settings, compiled)

    monkeypatch.setattr(session, "_compiled", kept)
    monkeypatch.setattr(session, "bundle", spied)
    with provider.open(spec) as opened:
        said = opened.exec([spec.python, "-c", MAGIC], timeout_s=60).stdout.decode().strip()
        assert "pytest" in opened.order(PREPARE)
    assert sent == [None]
    if version == ".".join(map(str, sys.version_info[:2])):
        assert not kept
        return
    [(magic, codes)] = kept.values()
    assert magic.hex() == said
    assert codes.keys() == session._texts().keys() - {"loader", "confine"}
    with provider.open(spec) as opened:
        assert "pytest" in opened.order(PREPARE)
    assert sent == [None, (magic, codes)]
