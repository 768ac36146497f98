"""Issues that asked for work, or were specs, leave the state when they are over.

The newest stay. One without a dialogue and a spec leaves when its label is off: what was said there
was about the label.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import AskModel
from bot.core.journal.events import IssuesRetired
from bot.core.journal.evolve_retired_issues import is_over, told_of_label
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import IssuePromptInput

# So many that are over stay, as people may still look at them.
ENDED_ISSUES_KEPT = 30
# A journal from before there was this rule has many at first.
_AT_ONCE = 500


def next_steps(decision: Decision) -> None:
    """Retire the oldest that need nothing more, until only the newest are left."""
    state = decision.state
    known = [*dict.fromkeys((*state.dialogues, *state.spec_issues))]
    gone: list[IssueNumber] = []
    if len(known) > ENDED_ISSUES_KEPT:
        over = [issue for issue in known if is_over(state, issue)]
        gone = over[:-ENDED_ISSUES_KEPT]
    gone += _unlabelled(decision)
    busy = _busy(state) if gone else set()
    retired = tuple(issue for issue in gone if issue not in busy)[:_AT_ONCE]
    if retired:
        decision.emit(IssuesRetired(issues=retired))


def _unlabelled(decision: Decision) -> list[IssueNumber]:
    """Those without a dialogue or spec that were seen without their label, and where something was said."""
    state, seen = decision.state, decision.observed
    off = {
        number
        for number in seen.spec_issues.keys() & seen.work_issues.keys()
        if not any(
            one is not None and one.is_wanted
            for one in (seen.spec_issues[number], seen.work_issues[number])
        )
    }
    return sorted(off & told_of_label(state)) if off else []


def _busy(state: RepositoryState) -> set[IssueNumber]:
    """Issues with a command that waits, or an effect under way."""
    effects = state.open_effects.values()
    abouts = [e.about for e in effects if isinstance(e, AskModel)]
    return {
        *(heard.issue for heard in state.heard.values()),
        *(about.issue for about in abouts if isinstance(about, IssuePromptInput)),
        *(issue for e in effects if (issue := getattr(e, "issue", None)) is not None),
    }
