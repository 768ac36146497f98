"""`/headgate retry` and `/headgate stop`: a change, or all of a spec's run."""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.recall_landing import recall_landing
from bot.core.decide.changes.refused_pushes import do_again
from bot.core.decide.changes.wait_for_answers import continue_unanswered
from bot.core.decide.decision import Decision
from bot.core.decide.people.hand_back import hand_back
from bot.core.journal.events import ChangeReopened, SpecRunReopened, SpecRunStopped
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.state.candidates import is_landing
from bot.core.talk import merge_text, push_text, replies
from bot.core.talk.asked_command import AskedCommand, Reply, changes_named, refuse, reply
from bot.core.values.lifecycle import AfterRecall, ChangeState
from bot.core.values.replacement import replace

# `/headgate retry agent`: another attempt, also where there is work to be judged again.
_AGENT = "agent"


def retry(decision: Decision, asked: AskedCommand, run: SpecRun) -> Reply:
    first, _, rest = asked.argument.partition(" ")
    with_agent = first == _AGENT
    if with_agent:
        asked = replace(asked, command=asked.command.replace(argument=rest.strip()))
    named = changes_named(decision.state, asked, run)
    if isinstance(named, Reply):
        return named
    if asked.change is not None or asked.argument:
        replied = _go_on(decision, asked, run, named, with_agent=with_agent)
        if replied is not None:
            return replied
    ended = [c for c in named if c.state in {ChangeState.FAILED, ChangeState.STOPPED}]
    if ended and all(decision.state.is_replaced(c) for c in ended):
        return refuse(replies.planned_again(ended[0]))
    ended = [c for c in ended if not decision.state.is_replaced(c)]
    if not ended:
        return reply(replies.nothing_to_retry(named))
    if not run.is_open:
        decision.emit(SpecRunReopened(spec_run=run.id))
    for one in ended:
        decision.emit(
            ChangeReopened(change=one.id, reopened_by=asked.author, with_agent=with_agent)
        )
    return reply()


def _go_on(
    decision: Decision,
    asked: AskedCommand,
    run: SpecRun,
    named: tuple[ChangeFacts, ...],
    *,
    with_agent: bool,
) -> Reply | None:
    """What a retry does to changes that are not over; None where there is nothing of that."""
    in_hand = tuple(c for c in named if c.state is ChangeState.HELD)
    if in_hand and with_agent:
        return hand_back(decision, run, in_hand, asked.author)
    if in_hand:
        return reply(*(push_text.in_hand(c) for c in in_hand))
    if [c for c in named if do_again(decision, c)]:
        return reply()
    asking = [c for c in named if c.state is ChangeState.ASKING]
    for one in asking:
        continue_unanswered(decision, one, asked.author)
    return reply() if asking else None


def stop(decision: Decision, asked: AskedCommand, run: SpecRun) -> Reply:
    named = changes_named(decision.state, asked, run)
    if isinstance(named, Reply):
        return named
    whole = asked.change is None and not asked.argument
    going = [c for c in named if not c.is_ended]
    if not going and not (whole and run.is_open):
        return reply(replies.nothing_to_stop())
    landing = [c for c in going if is_landing(decision.state, c)]
    for one in going:
        if one not in landing:
            stop_change(decision, one, f"@{asked.author}")
    if whole and run.is_open:
        decision.emit(SpecRunStopped(spec_run=run.id, stopped_by=asked.author))
    recalled = [
        c
        for c in landing
        if recall_landing(decision, c.entry, asked.author, "", AfterRecall.LEAVES)
    ]
    said = [merge_text.recalled_reply(one.slug) for one in recalled]
    return reply(*said, *(replies.cannot_stop_landing(c) for c in landing if c not in recalled))
