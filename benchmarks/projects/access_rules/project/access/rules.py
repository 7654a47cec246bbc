"""Rules that are put together to say who may do what."""

from dataclasses import dataclass


class Rule:
    def allows(self, user, thing):
        raise NotImplementedError

    def __and__(self, other):
        return AllOf(self, other)

    def __or__(self, other):
        return AnyOf(self, other)

    def __invert__(self):
        return Not(self)


@dataclass(frozen=True)
class HasRole(Rule):
    role: str

    def allows(self, user, thing):
        return self.role in user.get("roles", ())


class IsOwner(Rule):
    def allows(self, user, thing):
        return thing.get("owner") == user["name"]


class _Several(Rule):
    def __init__(self, *rules):
        self.rules = rules


class AllOf(_Several):
    def allows(self, user, thing):
        return any(rule.allows(user, thing) for rule in self.rules)


class AnyOf(_Several):
    def allows(self, user, thing):
        return any(rule.allows(user, thing) for rule in self.rules)


class Not(Rule):
    def __init__(self, rule):
        self.rule = rule

    def allows(self, user, thing):
        return not self.rule.allows(user, thing)
