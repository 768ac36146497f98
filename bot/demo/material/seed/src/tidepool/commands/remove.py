"""`tidepool remove CODE`: take a piece of gear off the list."""

from argparse import ArgumentParser, Namespace

from tidepool.store import Shed

HELP = "Take a piece of gear off the list."


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", help="the code of the gear")


def run(arguments: Namespace, shed: Shed) -> list[str]:
    """Remove the piece."""
    piece = shed.catalogue.remove(arguments.code)
    return [f"Removed {piece.code}, {piece.name}."]
