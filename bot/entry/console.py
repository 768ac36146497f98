"""Runs the command line as a program: what goes wrong around a command is a sentence, and no traceback."""

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def told(command_line: Callable[[], None]) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that has no arrows gets a `?` for each.
            stream.reconfigure(errors="replace")
    try:
        command_line()
    except OSError as failure:
        if failure.errno != errno.ENOSPC or failure.filename:
            raise
        sys.stderr.write(f"The output cannot be written: {failure.strerror}.\n")
        sys.stdout = None
        raise SystemExit(1) from None
    except ValueError as failure:
        # pydantic's, which is not imported for that; or that of its settings, where a value is no JSON.
        is_of_settings = getattr(failure, "title", "") == "Settings"
        if not is_of_settings and type(failure).__name__ != "SettingsError":
            raise
        from bot.entry.settings import told_of_settings

        raise SystemExit(told_of_settings(failure)) from None


def print_version(is_asked: bool) -> None:
    if is_asked:
        from bot.entry.workflow_files import release

        typer.echo(f"headgate {release()}")
        raise typer.Exit


def become_action(*arguments: str) -> NoReturn:
    argv = (sys.executable, "-P", "-m", "action", *arguments)
    os.execv(sys.executable, argv)  # noqa: S606
