"""Reads exports; bad orders do not keep the good ones out."""

import json
from dataclasses import dataclass, field

from .parsing import BadOrder, parse_order


@dataclass
class Report:
    orders: dict = field(default_factory=dict)
    errors: list = field(default_factory=list)
    repeated: int = 0

    @property
    def total(self):
        return sum(order.amount for order in self.orders.values())

    def by_country(self):
        totals = {}
        for order in self.orders.values():
            totals[order.country] = totals.get(order.country, 0) + order.amount
        return totals


def import_orders(text):
    report = Report()
    for line, raw in enumerate(json.loads(text), start=1):
        try:
            order = parse_order(raw)
        except BadOrder as error:
            report.errors.append(f"{line}: {error}")
            continue
        if order.number in report.orders:
            report.repeated += 1
            continue
        report.orders[order.number] = order
    return report
