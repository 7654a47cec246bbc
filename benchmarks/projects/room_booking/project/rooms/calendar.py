"""All bookings."""

from .booking import Booking


class Taken(Exception):
    def __init__(self, existing):
        super().__init__(f"{existing.room} is taken by {existing.who}")
        self.existing = existing


class Calendar:
    def __init__(self, rooms):
        self.rooms = tuple(rooms)
        self.bookings = []

    def book(self, room, start, end, who=""):
        if room not in self.rooms:
            raise KeyError(room)
        wanted = Booking(room, start, end, who)
        for existing in self.bookings:
            if existing.overlaps(wanted):
                raise Taken(existing)
        self.bookings.append(wanted)
        return wanted

    def free_rooms(self, start, end):
        return [
            room
            for room in self.rooms
            if not any(existing.overlaps(Booking(room, start, end)) for existing in self.bookings)
        ]
