"""What people are told of gate orders that no report came from."""

from bot.core.journal.state import Adoption, ChangeFacts, RepositoryState
from bot.core.state.lost_gates import lost_gates
from bot.core.state.waiting import Shown, shown
from bot.core.talk.links import issue_link
from bot.core.talk.text import cell, code, counted, inert
from bot.core.values.check_run import VERDICT_NAME
from bot.core.values.ids import Sha
from gates.result import Ending


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


def fix_for_lost_gates(state: RepositoryState, change: ChangeFacts) -> str:
    """What a person must look at; empty where no gates of the change were lost."""
    own = _judged(state, change)
    lost = lost_gates(state, own) if own else ()
    if not lost:
        return ""
    said = f" ({inert(lost[-1].lost, 700)})" if lost[-1].lost else ""
    return (
        f"find out why no runner completed the gates of {issue_link(change)}{said}; Headgate "
        "starts them again"
    )


def is_unjudged(main: Adoption | None) -> bool:
    """Whether it counts as red because no gate could judge it: nothing on main is known to be wrong."""
    return (
        main is not None
        and main.green is False
        and all(r.is_accepted or r.ending is Ending.COULD_NOT_RUN for r in main.results)
    )


def fix_for_main(state: RepositoryState) -> str:
    """What a person must do so that a main that stops the queue goes on."""
    main = state.adoption_under(state.main) if state.main else None
    said = cell(state.frozen or "", 300).rstrip(".")
    if main is None or not is_unjudged(main):
        return f"fix main: {said}"
    return (
        f"find out why no runner completed the gates of main ({said}), and then {judge_again(main)}"
    )


def judge_again(main: Adoption) -> str:
    """How main is judged once more, as the end of a sentence. A push of specs alone is not judged."""
    return (
        f"press *Re-run* at the check run {code(VERDICT_NAME)} of main at {main.sha[:12]} (this "
        "needs a webhook), or push a commit to main (`git commit --allow-empty`)"
    )


def _judged(state: RepositoryState, change: ChangeFacts) -> Sha | None:
    is_judged = shown(state, change) is Shown.JUDGING
    candidate = state.candidate_of(change) if is_judged else None
    return candidate.sha if candidate is not None else None
