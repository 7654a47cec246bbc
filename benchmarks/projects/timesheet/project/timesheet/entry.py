"""What was worked, and when."""

from datetime import datetime, timedelta


class Entry:
    FORMAT = "%Y-%m-%d %H:%M"

    def __init__(self, start, end, pause_minutes=0):
        self.start = datetime.strptime(start, self.FORMAT)
        self.end = datetime.strptime(end, self.FORMAT)
        self.pause = timedelta(minutes=pause_minutes)
        if self.worked < timedelta(0):
            raise ValueError("worked less than nothing")

    @property
    def worked(self):
        return self.end - self.start - self.pause

    @property
    def hours(self):
        return self.worked // timedelta(hours=1)
