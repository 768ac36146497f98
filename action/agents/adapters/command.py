"""Any program that edits the tree: a shell line of the policy. Its output is only for people."""

from collections.abc import Iterable

from action.agents.adapters.protocol import Event, Start, Told
from action.sandbox.sandbox import shell


class CommandLine:
    program = ""
    is_spoken_to = False

    def start(self, told: Told) -> Start:
        """The prompt is on its stdin and in the file that `HEADGATE_PROMPT_FILE` names."""
        place = told.given / "prompt.txt"
        return Start(
            shell(told.program),
            told.whole,
            env={"HEADGATE_PROMPT_FILE": str(place)},
            files={place.name: told.whole},
        )

    def read(self, line: str) -> Iterable[Event]:
        return ()
