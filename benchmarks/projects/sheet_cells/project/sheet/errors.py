class SheetError(Exception):
    """A cell cannot be computed."""


class CircularReference(SheetError):
    pass
