"""``regreen graph``: print the repair loop."""

import click

from bot.config.options import STRATEGIES


@click.command()
@click.option("--strategy", type=click.Choice(STRATEGIES), default="search", show_default=True)
def graph(strategy: str) -> None:
    """Print the repair loop as a Mermaid diagram."""
    from bot.agent.graph import build

    click.echo(build(strategy, drawn=True).get_graph(xray=True).draw_mermaid())
