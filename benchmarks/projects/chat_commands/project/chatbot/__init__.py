from .bot import Bot

__all__ = ["Bot"]
