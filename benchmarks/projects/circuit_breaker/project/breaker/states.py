from enum import Enum, auto


class State(Enum):
    CLOSED = auto()
    OPEN = auto()
    TRYING = auto()
