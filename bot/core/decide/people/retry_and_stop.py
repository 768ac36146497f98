"""`/headgate retry` and `/headgate stop`: a change, or all of a spec's run."""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.refused_pushes import do_again
from bot.core.decide.changes.wait_for_answers import go_on_unanswered
from bot.core.decide.decision import Decision
from bot.core.decide.people.hand_back import hand_back
from bot.core.decide.people.named_changes import Answer, changes_named
from bot.core.journal.events import ChangeReopened, SpecRunReopened, SpecRunStopped
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk import push_text, replies
from bot.core.values.command import Command
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Comment

# `/headgate retry agent`: another attempt, also where there is work to be judged again.
_AGENT = "agent"


def retry(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: Answer,
) -> None:
    first, _, rest = command.argument.partition(" ")
    with_agent = first == _AGENT
    if with_agent:
        command = command.replace(argument=rest.strip())
    named = changes_named(decision, run, change, command, answer)
    if named is None:
        return
    is_one = change is not None or bool(command.argument)
    in_hand = [c for c in named if c.state is ChangeState.HELD and is_one]
    if in_hand and with_agent:
        answer.said += hand_back(decision, run, tuple(in_hand), comment.author)
        return
    if in_hand:
        answer.said += [push_text.in_hand(c) for c in in_hand]
        return
    if is_one and [c for c in named if do_again(decision, c)]:
        return
    asking = [c for c in named if c.state is ChangeState.ASKING and is_one]
    for one in asking:
        go_on_unanswered(decision, one, comment.author)
    if asking:
        return
    ended = [c for c in named if c.state in {ChangeState.FAILED, ChangeState.STOPPED}]
    if ended and all(decision.state.is_replaced(c) for c in ended):
        answer.refused.append(replies.planned_again(ended[0]))
        return
    ended = [c for c in ended if not decision.state.is_replaced(c)]
    if not ended:
        answer.said.append(replies.nothing_to_retry(named))
        return
    if not run.is_open:
        decision.emit(SpecRunReopened(spec_run=run.id))
    for one in ended:
        decision.emit(
            ChangeReopened(change=one.id, reopened_by=comment.author, with_agent=with_agent)
        )


def stop(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: Answer,
) -> None:
    named = changes_named(decision, run, change, command, answer)
    if named is None:
        return
    whole = change is None and not command.argument
    going = [c for c in named if not c.is_ended]
    if not going and not (whole and run.is_open):
        answer.said.append(replies.nothing_to_stop())
        return
    for one in going:
        if one.state is ChangeState.LANDING:
            answer.said.append(replies.cannot_stop_landing(one))
        else:
            stop_change(decision, one, f"@{comment.author}")
    if whole and run.is_open:
        decision.emit(SpecRunStopped(spec_run=run.id, stopped_by=comment.author))
