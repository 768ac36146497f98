"""`tidepool add CODE NAME`: put a piece of gear on the list."""

from argparse import ArgumentParser, Namespace

from tidepool.gear import Gear
from tidepool.store import Shed

HELP = "Put a piece of gear on the list."


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", help="a code that no other gear has")
    parser.add_argument("name", help="what people call it")


def run(arguments: Namespace, shed: Shed) -> list[str]:
    """Add the piece."""
    piece = Gear(arguments.code, arguments.name)
    shed.catalogue.add(piece)
    return [f"Added {piece.code}, {piece.name}."]
