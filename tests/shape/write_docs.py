"""The generated pages of docs/: tables and diagrams drawn from the code.

`python -m tests.shape.write_docs` writes them; `test_documents` holds them equal to the code.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import get_args

from pydantic import BaseModel
from pydantic_core import to_json

from bot.core.journal.events import Event
from bot.core.journal.evolve import ENTITIES, HISTORY_ONLY
from bot.core.journal.transitions import MOVES, Move
from bot.core.spec.policy_file import PolicyFile, policy_schema
from bot.core.talk.commands import help_table
from bot.core.values.lifecycle import OWNERS, TERMINAL, ChangeState
from tests.shape.effect_table import effect_table
from tests.shape.fault_page import fault_page
from tests.shape.settings_page import settings_page
from tests.shape.state_page import state_page
from tests.shape.storeys_page import storeys_page
from tests.shape.threat_page import threat_page

DOCS = Path(__file__).parents[2] / "docs"

_NOTE = "<!-- Written by `make docs` from the code. Do not edit. -->\n\n"


_ARROWS_MAX = 4


def _commands() -> str:
    about = "A command is a line of its own in a comment, outside quotes, code and HTML."
    return f"# Commands\n\n{about}\n\n{help_table()}\n"


def _events() -> str:
    events = _table(_members(Event), "Folded by", _folded_by)
    return f"# Events and effects\n\n## Events\n\n{events}\n## Effects\n\n{effect_table()}"


def _members(union: object) -> tuple[type, ...]:
    """The classes of a discriminated union, in order."""
    return get_args(get_args(union)[0])


def _table(
    classes: tuple[type, ...], more: str = "", told: Callable[[type], str] | None = None
) -> str:
    """Names and meanings, and a column more where something is to be told of each class."""
    columns = ["Name", "Meaning", *([more] if told else [])]
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for class_ in classes:
        first = " ".join((class_.__doc__ or "").strip().split("\n\n")[0].split())
        cells = [f"`{class_.__name__}`", first, *([told(class_)] if told else [])]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _folded_by(event: type) -> str:
    entities = [name for name, table in ENTITIES.items() if event in table]
    return ", ".join(entities) or f"nobody: {HISTORY_ONLY[event]}"


def _states() -> str:
    lines = [
        "# States",
        "",
        "An event that a table does not name for a state moves nothing: late and doubled events stay "
        "silent.",
    ]
    for name, moves in MOVES.items():
        lines += ["", f"## {name.capitalize()}", "", *_diagram(moves), "", *_rows(moves)]
        if name == "change":
            lines += ["", *_owners(moves)]
    return "\n".join(lines) + "\n"


def _diagram(moves: tuple[Move, ...]) -> list[str]:
    """Mermaid. An event that leads from most states to one is a note there, not many arrows."""
    lines = ["```mermaid", "stateDiagram-v2"]
    arrows: dict[tuple[str, StrEnum], list[StrEnum | None]] = {}
    for move in moves:
        if move.before != move.after:
            arrows.setdefault((move.event.__name__, move.after), []).append(move.before)
    for (event, after), sources in arrows.items():
        if len(sources) > _ARROWS_MAX:
            lines.append(f"    note right of {after}: from any open state by {event}")
            continue
        lines += [f"    {before or '[*]'} --> {after}: {event}" for before in sources]
    return [*lines, "```"]


def _rows(moves: tuple[Move, ...]) -> list[str]:
    """The table itself: which states an event moves where, and what makes it stale."""
    rows: dict[tuple[str, tuple[str, ...]], dict[str, list[str]]] = {}
    for move in moves:
        ways = rows.setdefault((move.event.__name__, move.stale), {})
        way = "changes facts only" if move.before == move.after else f"to {move.after}"
        ways.setdefault(way, []).append(str(move.before or "new"))
    lines = ["| Event | From | Stale when |", "|---|---|---|"]
    for (event, stale), ways in rows.items():
        told = "; ".join(f"{_named(states, moves)}: {way}" for way, states in ways.items())
        lines.append(f"| {event} | {told} | {' Or: '.join(stale)} |")
    return lines


def _named(states: list[str], moves: tuple[Move, ...]) -> str:
    every = {str(move.after) for move in moves}
    return "any" if every.issubset(states) else ", ".join(states)


def _owners(moves: tuple[Move, ...]) -> list[str]:
    lines = ["| State | Who owns the next step | Ends by |", "|---|---|---|"]
    for state in ChangeState:
        ends = dict.fromkeys(
            m.event.__name__ for m in moves if m.before == state and m.after != state
        )
        name = f"**{state}**" if state in TERMINAL else state
        lines.append(f"| {name} | {OWNERS[state]} | {', '.join(ends)} |")
    return lines


def _policy() -> str:
    lines = [
        "# The policy file",
        "",
        "`.github/headgate.yml` on the default branch. Unknown keys are refused with their line. "
        "`policy.schema.json` beside this page is its JSON Schema (`headgate schema`).",
        "",
        *_settings(PolicyFile),
    ]
    for name, field in PolicyFile.model_fields.items():
        for entry in _entries(field.annotation):
            said = " ".join((entry.__doc__ or "").split())
            lines += ["", f"## `{name}`", "", said, "", *_settings(entry)]
    return "\n".join(lines) + "\n"


def _settings(model: type[BaseModel]) -> list[str]:
    lines = ["| Key | Default | Meaning |", "|---|---|---|"]
    for name, field in model.model_fields.items():
        default = "required"
        if not field.is_required():
            default = f"`{to_json(field.get_default()).decode()}`"
        lines.append(f"| `{name}` | {default} | {field.description or ''} |")
    return lines


def _entries(annotation: object) -> list[type[BaseModel]]:
    """The forms of what stands below a key: in a mapping, in a list, or alone."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [entry for part in get_args(annotation) for entry in _entries(part)]


# Each page by its name below docs/.
PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": _commands,
    "events.md": _events,
    "states.md": _states,
    "policy.md": _policy,
    "faults.md": fault_page,
    "settings.md": settings_page,
    "storeys.md": storeys_page,
    "threats.md": threat_page,
    "state_bounds.md": state_page,
    "policy.schema.json": policy_schema,
}


def page(name: str) -> str:
    """The generated page of this name."""
    note = _NOTE if name.endswith(".md") else ""
    return note + PAGES[name]()


def main() -> None:
    """Write every page."""
    for name in PAGES:
        (DOCS / name).write_text(page(name))


if __name__ == "__main__":
    main()
