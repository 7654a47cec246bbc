"""``regreen bench``: the benchmarks of a checkout."""

import sys
from pathlib import Path

import click


@click.command(
    "bench",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Measure repairs on datasets of broken programs.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def bench(context: click.Context, /, arguments: tuple[str, ...]) -> None:
    """Measure repairs: 'python -m benchmarks' by another name; 'regreen bench --help' shows its commands."""
    from importlib import import_module

    from bot.errors import ConfigurationError

    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / "benchmarks" / "__main__.py").exists():
        raise ConfigurationError(
            "the benchmarks are not installed: clone Regreen's repository and run 'make' there, or "
            "pip install -e '.[bench]'"
        )
    sys.path.append(str(checkout))
    try:
        # By its name: the product does not know its benchmarks.
        program = import_module("benchmarks.__main__").cli
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"the benchmarks need {error.name}: pip install -e '.[bench]' in the checkout"
        ) from error
    context.exit(program.main(list(arguments), prog_name="regreen bench", standalone_mode=False) or 0)
