"""The table of commands: a name, and the module that does it."""

from importlib import import_module
from types import ModuleType

COMMANDS = {
    # The catalogue
    "add": "tidepool.commands.add",
    "list": "tidepool.commands.list_",
    "remove": "tidepool.commands.remove",
    #
    # At the desk
    "show": "tidepool.commands.show",
    #
    # For the volunteers
    "count": "tidepool.commands.count",
}


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(COMMANDS[name])
