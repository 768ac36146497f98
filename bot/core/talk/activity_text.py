"""What a run does now, in a line, and what it said last, folded."""

import json
from collections.abc import Iterable

from action.order import Fingerprint
from bot.core.talk.text import code, counted, fenced, inert
from bot.core.values.agent_activity import AgentActivity

DOING = "doing"
_TAIL_CHARACTERS_MAX = 4_000
_RED_MAX = 5


def activity_line(doing: AgentActivity) -> str:
    """One line, of a runner's words made harmless."""
    return f"**Now:** {activity_words(doing)}"


def activity_words(doing: AgentActivity) -> str:
    """The same for a terminal."""
    status = doing.status
    parts = [inert(status.sentence, 200).rstrip(".") or "The runner is working"]
    if status.turns:
        parts.append(counted(status.turns, "turn"))
    if status.dollars is not None:
        parts.append(f"${status.dollars:.2f}")
    if status.last_tool:
        parts.append(f"last tool {code(status.last_tool, 60)}")
    parts += _came_to(status.fingerprint)
    return f"{', '.join(parts)} (at {doing.at:%H:%M:%S} UTC)."


def _came_to(fingerprint: Fingerprint) -> list[str]:
    said = []
    if fingerprint.files:
        tree = f" (tree {code(fingerprint.tree, 16)})" if fingerprint.tree else ""
        said.append(f"{counted(fingerprint.files, 'file')} changed{tree}")
    if fingerprint.tasks:
        said.append(f"{fingerprint.ticked} of {counted(fingerprint.tasks, 'task')} ticked")
    if fingerprint.red:
        shown = ", ".join(code(gate, 60) for gate in fingerprint.red[:_RED_MAX])
        more = len(fingerprint.red) - _RED_MAX
        said.append(f"red: {shown}" + (f" and {more:,} more" if more > 0 else ""))
    return said


def tail_text(doing: AgentActivity, lines: Iterable[str]) -> str:
    """The end of a transcript, folded, under what it came to."""
    said = "\n".join(event_text(line) for line in lines)
    cut = "[…]\n" if len(said) > _TAIL_CHARACTERS_MAX else ""
    spent = f", ${doing.status.dollars:.2f}" if doing.status.dollars is not None else ""
    head = (
        f"The end of the last attempt's transcript ({counted(doing.status.turns, 'turn')}{spent})"
    )
    shown = fenced(cut + said[-_TAIL_CHARACTERS_MAX:])
    return f"<details><summary>{head}</summary>\n\n{shown}\n\n</details>"


def event_text(line: str) -> str:
    """An event as a person reads it in a terminal; a line that is none stays as it is."""
    try:
        event = json.loads(line)
        at, kind, text = (str(event[key]) for key in ("at", "kind", "text"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return line
    return f"{at[11:19]} {kind}: {text}"
