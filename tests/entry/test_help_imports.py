"""`--help` imports only what it shows: 0.3 s of processor time would be noticed."""

import subprocess
import sys

PROGRAM = """
import contextlib, sys
from bot.entry.cli import app
with contextlib.suppress(SystemExit):
    app(["--help"])
heavy = {"rich", "pydantic", "flask", "sqlalchemy", "github", "requests", "bot.core"}
sys.stderr.write(" ".join(sorted(heavy & set(sys.modules))))
"""


def test_top_level_help_imports_no_command_modules() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert "Make the GitHub App in your browser" in done.stdout
    assert done.stderr == ""


OF_COMMANDS = """
import contextlib, sys
import typer
from bot.entry.cli import app

def ask(command, words):
    with contextlib.suppress(SystemExit):
        app([*words, "--help"])
    for name, below in getattr(command, "commands", {}).items():
        ask(below, [*words, name])

ask(typer.main.get_command(app), [])
# typer itself asks pydantic how to read an option.
heavy = {"rich", "flask", "sqlalchemy", "github", "requests", "bot.core", "bot.entry.commands"}
sys.stderr.write(" ".join(sorted(heavy & set(sys.modules))))
"""


def test_the_help_of_a_command_does_not_import_its_implementation() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OF_COMMANDS], capture_output=True, text=True, check=True
    )
    assert "Usage: -c spec archive" in done.stdout
    assert done.stderr == ""


AT_ITS_END = """
import atexit, gc
from bot.entry.cli import main
atexit.register(lambda: print("left alone:", gc.get_freeze_count() > 10_000, gc.get_threshold()[0] > 700))
main()
"""


def test_a_command_skips_garbage_collection_of_imports_and_at_its_end() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_ITS_END, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("left alone: True True\n")
