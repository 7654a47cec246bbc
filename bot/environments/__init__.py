"""How a project's tests are run here: the sandbox, the environment and the command, chosen by trying."""

from bot.environments.chooser import Chooser
from bot.environments.chosen import ChosenEnvironment
from bot.environments.testbeds import testbeds, varied
from bot.environments.ways import Way

__all__ = ["Chooser", "ChosenEnvironment", "Way", "testbeds", "varied"]
