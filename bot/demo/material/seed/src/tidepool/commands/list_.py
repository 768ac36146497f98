"""`tidepool list`: what there is."""

from argparse import ArgumentParser, Namespace

from tidepool.store import Shed

HELP = "List the gear by its codes."


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: there are none."""


def run(arguments: Namespace, shed: Shed) -> list[str]:
    """One line for each piece."""
    return [f"{piece.code}  {piece.name}" for piece in shed.catalogue]
