"""What people are told of gate orders that no report came from."""

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.lost_gates import lost_gates
from bot.core.state.waiting import Shown, shown
from bot.core.talk.links import issue_link
from bot.core.talk.text import counted, inert
from bot.core.values.ids import Sha


def lost_gates_of(state: RepositoryState, change: ChangeFacts) -> list[str]:
    """Sentences about the lost gates of a change that is judged, and of a main that is."""
    judged = {"Its gates": _judged(state, change)}
    if state.frozen is None:
        judged["The gates of main"] = state.main
    return [
        f"{whose} were lost {counted(len(lost), 'time')} in a row. The last time: "
        f"{inert(lost[-1].lost, 2_000)}"
        for whose, commit in judged.items()
        if commit is not None and (lost := lost_gates(state, commit))
    ]


def mend_of_lost_gates(state: RepositoryState, change: ChangeFacts) -> str:
    """What a person must look at; empty where no gates of the change were lost."""
    own = _judged(state, change)
    lost = lost_gates(state, own) if own else ()
    if not lost:
        return ""
    said = f" ({inert(lost[-1].lost, 700)})" if lost[-1].lost else ""
    return (
        f"see why a runner did not carry out the gates of {issue_link(change)}{said}; they are "
        "ordered again"
    )


def _judged(state: RepositoryState, change: ChangeFacts) -> Sha | None:
    is_judged = shown(state, change) is Shown.JUDGING
    return change.candidate.sha if is_judged and change.candidate is not None else None
