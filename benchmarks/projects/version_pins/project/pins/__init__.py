from .choose import NoVersion, choose
from .version import Version

__all__ = ["NoVersion", "Version", "choose"]
