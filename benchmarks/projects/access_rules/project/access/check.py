"""The rules applied."""


class Denied(Exception):
    pass


def require(rule, user, thing):
    if not rule.allows(user, thing):
        raise Denied(f"{user['name']} may not do this to {thing.get('title', 'it')}")


def visible(rule, user, things):
    return [thing for thing in things if rule.allows(user, thing)]
