"""HTML elements as text."""

from html import escape

VOID = frozenset({"br", "hr", "img", "input", "meta"})


def attribute_name(name):
    """`class_` is class, `data_id` is data-id."""
    return name.rstrip("_").replace("_", "-")


class Element:
    def __init__(self, tag, /, **attributes):
        self.tag = tag
        self.attributes = attributes
        self.children = []

    def append(self, child):
        if self.tag in VOID:
            raise ValueError(f"<{self.tag}> holds nothing")
        self.children.append(child)
        return child

    def _attributes(self):
        """True stands for an attribute without a value; False and None leave it out."""
        text = ""
        for name, value in self.attributes.items():
            if value is None or value is False:
                continue
            text += " " + attribute_name(name)
            if value is not True:
                text += f'="{escape(str(value))}"'
        return text

    def __str__(self):
        start = f"<{self.tag}{self._attributes()}>"
        if self.tag in VOID:
            return start
        inside = "".join(
            str(child) if isinstance(child, Element) else escape(child) for child in self.children
        )
        return f"{start}{inside}</{self.tag}>"
