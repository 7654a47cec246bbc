"""Sums over invoice lines, in cents."""

from .tax import tax_on


def line_net(line):
    return line.quantity * line.unit_price


def net_total(lines):
    return sum(line_net(line) for line in lines)


def gross_total(lines):
    by_rate = {}
    for line in lines:
        by_rate[line.rate] = by_rate.get(line.rate, 0) + line_net(line)
    return sum(net + tax_on(net, rate) for rate, net in by_rate.items())
