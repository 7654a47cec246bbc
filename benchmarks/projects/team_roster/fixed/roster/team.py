"""Teams and who is in them."""

from .member import Member


class TeamFull(Exception):
    pass


class Team:
    limit = 3

    def __init__(self, name, limit=None):
        self.name = name
        self.members = []
        self.captain = None
        if limit is not None:
            self.limit = limit

    def join(self, name, skill=0):
        if len(self.members) >= self.limit:
            raise TeamFull(self.name)
        member = Member(name, skill)
        self.members.append(member)
        if self.captain is None or member.skill > self.captain.skill:
            self.captain = member
        return member

    def leave(self, name):
        self.members.remove(next(member for member in self.members if member.name == name))
        if self.captain.name == name:
            self.captain = max(self.members, key=lambda member: member.skill, default=None)

    @property
    def strength(self):
        return sum(member.skill for member in self.members)
