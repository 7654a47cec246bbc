from .router import NoRoute, Router

__all__ = ["NoRoute", "Router"]
