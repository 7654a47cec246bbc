from .render import MissingValue, render

__all__ = ["MissingValue", "render"]
