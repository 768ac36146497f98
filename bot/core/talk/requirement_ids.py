"""Texts about requirement ids: at a pull before the merge, and at the plan after it."""

from collections.abc import Sequence

from bot.core.spec.identity.id_changes import CloseCall, IdChanges, NamedId, Rematched, Rename
from bot.core.talk.text import cell, code

_LINES_MAX = 12


def at_pull(changes: IdChanges) -> list[str]:
    """What a merge would do to ids; empty if every id stays."""
    lines = _bounded([f"- {_close(call)}" for call in changes.close])
    if lines:
        lines.append(
            "- To keep an old id, restore the requirement's old title before the merge, and "
            "change the title in a later edit."
        )
    lines += _bounded([f"- new: {_named(one)}" for one in changes.fresh])
    lines += _bounded([f"- removed: {_named(one)}" for one in changes.gone])
    return ["", "**Ids after the merge**", "", *lines] if lines else []


def at_plan(rematched: Rematched) -> list[str]:
    """Which matches were uncertain when the requirements got their ids, and which were renamed."""
    lines = _bounded([f"- {_close(call)}" for call in rematched.close])
    lines += _bounded([f"- {_renamed(one)}" for one in rematched.renamed])
    return ["", "**Ids**", "", *lines] if lines else []


def _close(call: CloseCall) -> str:
    return (
        f"uncertain: {_named(call.new)} counts as new, and {_named(call.maybe)} as removed, but "
        f"their texts are {call.percent} % the same."
    )


def _renamed(one: Rename) -> str:
    return f"renamed: {code(one.rid)} was “{cell(one.old, 120)}” and is now “{cell(one.new, 120)}”."


def _named(one: NamedId) -> str:
    return f"{code(one.rid)} “{cell(one.title, 120)}”"


def _bounded(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _LINES_MAX
    return [*lines[:_LINES_MAX], *([f"- … and {more} more"] if more > 0 else [])]
