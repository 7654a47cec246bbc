"""``regreen completion``: the script by which a shell completes commands, options and what they may be."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print the script that makes a shell complete 'regreen'.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, /, shell: str) -> None:
    r"""Print the script that makes SHELL complete commands, options and their values.

    \b
    bash  echo 'eval "$(regreen completion bash)"' >> ~/.bashrc
    zsh   echo 'eval "$(regreen completion zsh)"' >> ~/.zshrc
    fish  regreen completion fish > ~/.config/fish/completions/regreen.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # each of SHELLS is click's own
    program = context.find_root()
    name = program.info_name or "regreen"
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    click.echo(kind(program.command, {}, name, variable).source())
