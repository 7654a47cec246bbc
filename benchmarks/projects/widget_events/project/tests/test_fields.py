import pytest

from widgets.fields import Field, Form, Label, Toggle


@pytest.fixture
def seen():
    return []


def test_value():
    assert Field(3).value == 3


def test_check():
    field = Field(1, check=lambda value: value > 0)
    with pytest.raises(ValueError, match="not accepted: -1"):
        field.value = -1


def test_label():
    assert Label().name == "label"


def test_toggle(seen):
    toggle = Toggle()
    toggle.observe(lambda *event: seen.append(event))
    toggle.flip()
    assert seen == [("on", True)]


def test_changes_are_told(seen):
    field = Field(1)
    field.observe(lambda *event: seen.append(event))
    field.value = 2
    field.value = 2
    assert seen == [("value", 2)]


def test_form(seen):
    form = Form(Field(1), Field("x"))
    form.observe(lambda *event: seen.append(event))
    form.fields[1].value = "y"
    assert form.values() == [1, "y"]
    assert seen == [("value", "y")]
