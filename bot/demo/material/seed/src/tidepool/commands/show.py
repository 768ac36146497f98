"""`tidepool show CODE`: one piece of gear."""

from argparse import ArgumentParser, Namespace

from tidepool.store import Shed

HELP = "Show one piece of gear."


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", help="the code of the gear")


def run(arguments: Namespace, shed: Shed) -> list[str]:
    """What is known of the piece, a line for each field."""
    record = shed.catalogue.get(arguments.code).to_record()
    return [f"{field}: {value}" for field, value in record.items()]
