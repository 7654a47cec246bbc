"""Shapes made of corners."""


class Polygon:
    def __init__(self, *corners):
        if len(corners) < 3:
            raise ValueError("a polygon has three corners or more")
        self.corners = tuple(corners)

    def area(self):
        """Positive if the corners run counter-clockwise."""
        double = 0
        for (x1, y1), (x2, y2) in zip(self.corners, self.corners[1:] + self.corners[:1]):
            double += x1 * y2 - x2 * y1
        return double / 2

    def moved(self, *maps):
        """A polygon to which the maps were applied one after another."""
        whole = maps[0]
        for each in maps[1:]:
            whole = whole.then(each)
        return Polygon(*(whole(corner) for corner in self.corners))
