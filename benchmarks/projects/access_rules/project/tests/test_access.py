import pytest

from access import Denied, HasRole, IsOwner, require
from access.check import visible

ADA = {"name": "ada", "roles": ["editor"]}
BOB = {"name": "bob", "roles": []}
NOTE = {"title": "Note", "owner": "bob"}


def test_role():
    assert HasRole("editor").allows(ADA, NOTE)
    assert not HasRole("editor").allows(BOB, NOTE)


def test_owner():
    assert IsOwner().allows(BOB, NOTE)


def test_either():
    rule = HasRole("editor") | IsOwner()
    assert rule.allows(ADA, NOTE)
    assert rule.allows(BOB, NOTE)


def test_both():
    rule = HasRole("editor") & IsOwner()
    assert not rule.allows(ADA, NOTE)
    assert not rule.allows(BOB, NOTE)


def test_not():
    assert (~HasRole("guest")).allows(ADA, NOTE)


def test_require():
    with pytest.raises(Denied, match="bob may not do this to Note"):
        require(HasRole("editor"), BOB, NOTE)


def test_visible():
    assert visible(IsOwner(), BOB, [NOTE, {"owner": "ada"}]) == [NOTE]
