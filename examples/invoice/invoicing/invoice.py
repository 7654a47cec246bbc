"""An invoice: lines, and what they come to."""

from dataclasses import dataclass, field

from .totals import gross_total, net_total


@dataclass
class Line:
    article: str
    quantity: int
    unit_price: int  # cents
    rate: str = "standard"


@dataclass
class Invoice:
    number: str
    lines: list = field(default_factory=list)

    def add(self, article, quantity, unit_price, rate="standard"):
        self.lines.append(Line(article, quantity, unit_price, rate))
        return self

    @property
    def net(self):
        return net_total(self.lines)

    @property
    def gross(self):
        return gross_total(self.lines)
