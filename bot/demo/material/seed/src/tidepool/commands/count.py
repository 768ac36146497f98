"""`tidepool count`: how much gear there is."""

from argparse import ArgumentParser, Namespace

from tidepool.store import Shed

HELP = "Count the gear."


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: there are none."""


def run(arguments: Namespace, shed: Shed) -> list[str]:
    """One line with the number of pieces."""
    return [f"{len(list(shed.catalogue))} pieces of gear"]
