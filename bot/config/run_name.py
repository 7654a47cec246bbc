"""The name of a run: the same for the same project and the same options, so that it can be resumed."""

import hashlib

from bot import __version__
from bot.config.settings import Settings
from sandbox.snapshot import Snapshot


def run_name(settings: Settings, snapshot: Snapshot, chosen: tuple[str, ...]) -> str:
    """For ``snapshot``, with the tests run as ``chosen`` says."""
    inputs = (
        *(__version__, settings.project, settings.strategy, settings.model, settings.agent),
        *(settings.backend, settings.base_url, settings.provider, settings.model_revision, settings.replay),
        *(settings.sandbox, settings.sandbox_image, settings.sandbox_python, settings.setup_command),
        *(settings.base_image, settings.sandbox_runtime, settings.limits, *chosen),
        *(settings.search, settings.model_options, settings.fix_tests),
    )
    text = "\0".join([snapshot.digest, *map(str, inputs)])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
