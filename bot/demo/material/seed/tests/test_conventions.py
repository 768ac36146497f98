"""What every command owes to the person at the desk (see CONTRIBUTING.md)."""

import argparse

import pytest
from conftest import Tidepool

from tidepool.cli import build_parser
from tidepool.commands import COMMANDS, command

# This command makes a code: to it, an unknown one is welcome.
MAKES_CODES = {"add"}


def positionals(name: str) -> list[str]:
    parser = argparse.ArgumentParser()
    command(name).configure(parser)
    return [action.dest for action in parser._actions if not action.option_strings]


TAKES_CODES = [name for name in COMMANDS if "code" in positionals(name) and name not in MAKES_CODES]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_in_a_sentence(name: str) -> None:
    help_line = command(name).HELP
    assert help_line[0].isupper()
    assert help_line.endswith(".")


@pytest.mark.parametrize("name", TAKES_CODES)
def test_a_command_refuses_a_code_that_nobody_knows(name: str, tidepool: Tidepool) -> None:
    words = ["no-such-code" if each == "code" else "someone" for each in positionals(name)]
    assert tidepool(name, *words, refused=True) == "No gear has the code no-such-code.\n"


def test_every_command_is_in_the_help() -> None:
    text = build_parser().format_help()
    assert all(name in text for name in COMMANDS)
