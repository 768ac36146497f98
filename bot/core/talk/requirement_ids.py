"""What people read of requirements' ids: at a pull before the merge, at a plan after it.

The rule: titles are somebody else's words. A list is cut where nobody reads on, and says so.
Deliberately absent: judging which requirement is which.
"""

from collections.abc import Sequence

from bot.core.spec.identity.id_changes import CloseCall, IdChanges, NamedId, Rematched, Rename
from bot.core.talk.text import cell, code

_LINES_MAX = 12


def at_pull(changes: IdChanges) -> list[str]:
    """What a merge would do to ids; no line where every id stays."""
    lines = _bounded([f"- {_close(call)}" for call in changes.close])
    if lines:
        lines.append(
            "- To keep an old id, give the requirement its old title again before merging, and "
            "change the title in a later edit."
        )
    lines += _bounded([f"- new: {_named(one)}" for one in changes.fresh])
    lines += _bounded([f"- gone: {_named(one)}" for one in changes.gone])
    return ["", "**Ids after the merge**", "", *lines] if lines else []


def at_plan(rematched: Rematched) -> list[str]:
    """What was unsure when the planned text got its ids, and which renames were followed."""
    lines = _bounded([f"- {_close(call)}" for call in rematched.close])
    lines += _bounded([f"- {_renamed(one)}" for one in rematched.renamed])
    return ["", "**Ids**", "", *lines] if lines else []


def _close(call: CloseCall) -> str:
    return (
        f"close call: {_named(call.new)} counts as new, and {_named(call.maybe)} as gone; their "
        f"texts are {call.percent} % alike."
    )


def _renamed(one: Rename) -> str:
    return f"renamed: {code(one.rid)} was “{cell(one.old, 120)}” and is “{cell(one.new, 120)}” now."


def _named(one: NamedId) -> str:
    return f"{code(one.rid)} “{cell(one.title, 120)}”"


def _bounded(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _LINES_MAX
    return [*lines[:_LINES_MAX], *([f"- … and {more} more"] if more > 0 else [])]
