"""The command line: find the command, run it on the shed, keep what it changed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tidepool import store
from tidepool.commands import COMMANDS, command
from tidepool.refused import Refused


def build_parser() -> argparse.ArgumentParser:
    """The parser with every command of the table."""
    parser = argparse.ArgumentParser(prog="tidepool", description="The gear shed of a beach club.")
    parser.add_argument("--shed", type=Path, default=Path("tidepool.json"), help="the shed file")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in COMMANDS:
        module = command(name)
        module.configure(commands.add_parser(name, help=module.HELP))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0: done; 2: refused, with the reason on stderr."""
    arguments = build_parser().parse_args(argv)
    shed = store.load(arguments.shed)
    try:
        lines = command(arguments.command).run(arguments, shed)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 2
    store.save(shed, arguments.shed)
    for line in lines:
        print(line)
    return 0
