"""A team's rules over the commands that an agent runs: those it may not, and those it runs before DONE.

They protect nothing: what an agent can reach is the sandbox's part. They keep an agent from wasting its
attempt, and it is told of each broken one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

# What stands between the commands of a shell line.
_BETWEEN = re.compile(r"&&|\|\||[;|&\n()]")
_BEFORE = re.compile(r"^(?:(?:[A-Za-z_]\w*=\S*|sudo|time|exec|command)\s+)+")
_SAID_MAX = 200


class Contracts:
    def __init__(self, deny: Sequence[str] = (), before_done: Sequence[str] = ()) -> None:
        self._deny = tuple(deny)
        self._missing = list(before_done)
        self._broken: list[str] = []

    def refuse(self, line: str) -> str:
        """Why a command line is not carried out; empty where it may be, which is then noted."""
        for command in commands_of(line):
            if (rule := self._denied_by(command)) is not None:
                return f"Not run: `{command[:_SAID_MAX]}` is denied here (`{rule}`)."
        self._note(line)
        return ""

    def saw(self, given: str) -> None:
        """Note what a program says that a tool of its own was given."""
        line = command_in(given)
        for command in commands_of(line):
            if (rule := self._denied_by(command)) is not None:
                self._broken.append(
                    f"You ran `{command[:_SAID_MAX]}`, which is denied here (`{rule}`). Undo what it "
                    "changed, and do not run it again."
                )
        self._note(line)

    def unmet(self) -> str:
        """What to say to an agent that says it is done; each broken rule is named once."""
        said, self._broken = list(dict.fromkeys(self._broken)), []
        said += [f"Run `{rule}` before you say DONE; you have not." for rule in self._missing]
        if not said:
            return ""
        return "\n".join((*said, "Then end with DONE on the last line, or with GIVE UP: and why."))

    def _denied_by(self, command: str) -> str | None:
        return next((rule for rule in self._deny if fnmatchcase(command, rule)), None)

    def _note(self, line: str) -> None:
        ran = tuple(commands_of(line))
        self._missing = [
            rule for rule in self._missing if not any(fnmatchcase(one, rule) for one in ran)
        ]


def commands_of(line: str) -> Iterator[str]:
    """The commands of a shell line, each without what stands before its name."""
    for piece in _BETWEEN.split(line):
        command = _BEFORE.sub("", " ".join(piece.split()))
        if command:
            yield command


def command_in(given: str) -> str:
    """The command line in what a tool was given; a tool without one runs nothing."""
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        return given
    command = read.get("command") if isinstance(read, dict) else read
    if isinstance(command, list):
        return " ".join(str(word) for word in command)
    return command if isinstance(command, str) else ""
