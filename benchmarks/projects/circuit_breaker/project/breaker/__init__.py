from .circuit import Circuit, CircuitOpen

__all__ = ["Circuit", "CircuitOpen"]
