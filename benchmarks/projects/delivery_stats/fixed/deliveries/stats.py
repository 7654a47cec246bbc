"""How long deliveries take."""

from collections import defaultdict


def mean_days(deliveries):
    """The mean of those that have arrived; None if none has."""
    days = [delivery.days for delivery in deliveries if delivery.days is not None]
    return sum(days) / len(days) if days else None


def by_region(deliveries):
    groups = defaultdict(list)
    for delivery in deliveries:
        groups[delivery.region].append(delivery)
    return {region: mean_days(group) for region, group in sorted(groups.items())}


def late(deliveries, limit, today):
    """Those that took, or have been taking, more days than the limit."""
    return [each for each in deliveries if ((each.arrived or today) - each.ordered).days > limit]


def report(deliveries):
    lines = []
    for region, days in by_region(deliveries).items():
        lines.append(f"{region}: " + ("none yet" if days is None else f"{days:.1f} days"))
    return "\n".join(lines)
