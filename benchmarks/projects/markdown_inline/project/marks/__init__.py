from .blocks import to_html

__all__ = ["to_html"]
