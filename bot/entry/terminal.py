"""Where the command line prints: words of others are shown as they are, and do nothing there."""

import json
import re
from collections.abc import Iterable
from re import Match
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from bot.core.talk.text import UNSEEN, without_unseen

_BEYOND_ASCII = re.compile("[^ -~\\n\\t]")


class Terminal(Console):
    """Rich lets ESC, characters above 0x7f and turned text through, and reads `[/x]` in a text as its own."""

    def __init__(self, **how: Any) -> None:  # noqa: ANN401 - as rich has it
        super().__init__(**{"markup": False, **how})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield (
                segment if segment.control else segment._replace(text=without_unseen(segment.text))
            )

    def out(self, *objects: Any, **how: Any) -> None:  # noqa: ANN401
        """JSON, which stays what it says; a letter that the terminal lacks is escaped as JSON does."""
        unseen = UNSEEN if self.encoding.startswith("utf") else _BEYOND_ASCII
        super().out(*(unseen.sub(_escaped, str(one)) for one in objects), **how)

    def print_json(self, json: str | None = None, **how: Any) -> None:  # noqa: ANN401
        super().print_json(json, ensure_ascii=not self.encoding.startswith("utf"), **how)


def _escaped(match: Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
