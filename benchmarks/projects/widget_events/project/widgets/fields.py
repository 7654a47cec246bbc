"""Fields of a form."""

from .mixins import Named, Observable, Validated


class Label(Named):
    text = ""


class Toggle(Observable):
    def __init__(self, on=False):
        super().__init__()
        self.on = on

    def flip(self):
        self.on = not self.on
        self.notify("on", self.on)


class Field(Validated, Named, Observable):
    def __init__(self, value=None, **kwargs):
        super().__init__(**kwargs)
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        if not self.is_valid(new):
            raise ValueError(f"not accepted: {new!r}")
        if new != self._value:
            self._value = new
            self.notify("value", new)


class Form(Observable):
    def __init__(self, *fields):
        super().__init__()
        self.fields = fields
        for field in fields:
            field.observe(lambda name, value: self.notify(name, value))

    def values(self):
        return [field.value for field in self.fields]
