from access import AllOf, HasRole, IsOwner

ADA = {"name": "ada", "roles": ["editor", "staff"]}


def test_all_hold():
    rule = HasRole("editor") & HasRole("staff") & IsOwner()
    assert rule.allows(ADA, {"owner": "ada"})
    assert not rule.allows(ADA, {"owner": "bob"})


def test_nothing_demanded():
    assert AllOf().allows(ADA, {})


def test_one_is_no_exception():
    assert AllOf(HasRole("staff")).allows(ADA, {})
    assert not AllOf(HasRole("boss")).allows(ADA, {})
