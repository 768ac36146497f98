"""The commands `headgate spec …`; `bot.entry.cli` says how commands are made."""

from pathlib import Path
from typing import Annotated

import typer

from bot.entry.console import JsonFlag
from bot.entry.help_page import CommandGroup

specs = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Check, show, compare and archive specs on disk.",
)
SpecPaths = Annotated[list[Path], typer.Argument(help="Spec files, or folders of one spec.")]


@specs.command()
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Spec files, or folders of one spec.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Also fail on open questions.")] = False,
    as_json: JsonFlag = False,
    explain: Annotated[
        str,
        typer.Option("--explain", help="Explain a rule, and how to suppress it on a line."),
    ] = "",
) -> None:
    """Print what is unclear or wrong in specs; exit 1 if one of them cannot be planned."""
    from bot.entry.commands.spec import check_specs, explain_rule

    raise typer.Exit(
        explain_rule(explain) if explain else check_specs(paths or [], strict, as_json)
    )


@specs.command()
def show(paths: SpecPaths, as_json: JsonFlag = False) -> None:
    """Print the requirements and scenarios found in specs, with line numbers."""
    from bot.entry.commands.spec import show_specs

    raise typer.Exit(show_specs(paths, as_json))


@specs.command()
def diff(
    old: Annotated[Path, typer.Argument(help="The old spec.")],
    new: Annotated[Path, typer.Argument(help="The new spec.")],
    as_json: JsonFlag = False,
) -> None:
    """Print which requirements were added, removed or changed; exit 1 if any."""
    from bot.entry.commands.spec import diff_specs

    raise typer.Exit(diff_specs(old, new, as_json))


@specs.command()
def archive(
    name: Annotated[str, typer.Argument(help="The delta folder openspec/changes/NAME.")],
    root: Annotated[Path, typer.Option(help="The folder that holds openspec/.")] = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Merge a delta folder into the main specs, as `openspec archive` does."""
    from bot.entry.commands.spec_archive import archive_delta

    raise typer.Exit(archive_delta(name, root, as_json))
