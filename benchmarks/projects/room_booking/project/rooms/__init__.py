from .booking import Booking
from .calendar import Calendar, Taken

__all__ = ["Booking", "Calendar", "Taken"]
