"""What to build, and when."""

from .graph import CycleError


def steps(graph, *goals):
    """Yields each target that the goals need, once, after all that it needs itself."""
    done, open_path = set(), []

    def visit(target):
        if target in open_path:
            raise CycleError([*open_path[open_path.index(target) :], target])
        if target in done:
            return
        open_path.append(target)
        for need in graph.needs(target):
            yield from visit(need)
        open_path.pop()
        yield target

    for goal in goals or graph:
        yield from visit(goal)


def stages(graph, *goals):
    """The targets in groups; those of a group can be built at the same time."""
    level = {}
    for target in steps(graph, *goals):
        level[target] = max((level[need] + 1 for need in graph.needs(target)), default=0)
    groups = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for target, number in level.items():
        groups[number].append(target)
    return groups
