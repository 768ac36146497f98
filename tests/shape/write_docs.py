"""The generated pages of docs/: tables and diagrams drawn from the code.

`python -m tests.shape.write_docs` writes them; `test_documents` holds them equal to the code.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from pydantic import BaseModel
from pydantic_core import to_json

from bot.core.journal.events import Event
from bot.core.spec.policy import policy_schema
from bot.core.spec.policy_file import PolicyFile
from bot.core.talk.commands import help_table
from bot.core.values.lifecycle import OWNERS, TERMINAL, TRANSITIONS, ChangeState
from tests.shape.effect_table import effect_table
from tests.shape.fault_page import fault_page
from tests.shape.storeys_page import storeys_page

DOCS = Path(__file__).parents[2] / "docs"

_NOTE = "<!-- Written by `make docs` from the code. Do not edit. -->\n\n"


def pages() -> Mapping[str, str]:
    """Every generated page by its name below docs/."""
    return {
        "commands.md": _NOTE + "# Commands\n\nA command is a line of its own in a comment, outside "
        "quotes, code and HTML.\n\n" + help_table() + "\n",
        "events.md": _NOTE
        + "# Events and effects\n\n## Events\n\n"
        + _table(_members(Event))
        + "\n## Effects\n\n"
        + effect_table(),
        "states.md": _NOTE + _states(),
        "policy.md": _NOTE + _policy(),
        "policy.schema.json": policy_schema(),
        "faults.md": _NOTE + fault_page(),
        "storeys.md": _NOTE + storeys_page(),
    }


def _members(union: object) -> tuple[type, ...]:
    """The classes of a discriminated union, in order."""
    return get_args(get_args(union)[0])


def _table(classes: tuple[type, ...]) -> str:
    rows = ["| Name | Meaning |", "|---|---|"]
    for class_ in classes:
        first = (class_.__doc__ or "").strip().split("\n\n")[0]
        rows.append(f"| `{class_.__name__}` | {' '.join(first.split())} |")
    return "\n".join(rows) + "\n"


def _states() -> str:
    lines = ["# The states of a change", "", "```mermaid", "stateDiagram-v2"]
    lines.append(f"    [*] --> {ChangeState.WAITING}")
    for event, moves in TRANSITIONS.items():
        sources = [s for s in moves if len(set(moves.values())) > 1 or len(moves) <= 4]
        for source in sources:
            lines.append(f"    {source} --> {moves[source]}: {event}")
        if not sources:
            target = next(iter(moves.values()))
            lines.append(f"    note right of {target}: from any open state by {event}")
    lines += ["```", "", "| State | Who owns the next step | Ends by |", "|---|---|---|"]
    for state in ChangeState:
        ends = [event for event, moves in TRANSITIONS.items() if state in moves]
        name = f"**{state}**" if state in TERMINAL else state
        lines.append(f"| {name} | {OWNERS[state]} | {', '.join(ends)} |")
    return "\n".join(lines) + "\n"


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


def main() -> None:
    """Write every page."""
    for name, text in pages().items():
        (DOCS / name).write_text(text)


if __name__ == "__main__":
    main()
