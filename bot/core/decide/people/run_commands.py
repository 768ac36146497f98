"""Carrying out what people ask in comments, and answering them.

Permission is what it is now, a comment counts only as it was first written, a command for another place
is refused with a sentence, and asking twice does nothing twice. A reply is written only where a person
must know something; else the reaction says it.
"""

from dataclasses import dataclass, field
from datetime import datetime

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.refused_pushes import do_again
from bot.core.decide.changes.wait_for_answers import go_on_unanswered
from bot.core.decide.decision import Decision
from bot.core.decide.people.advance_dialogue import stop as stop_dialogue
from bot.core.decide.people.answer_question import answer_questions
from bot.core.decide.people.approve_spec_edit import approve_amendment
from bot.core.decide.people.edit_plan import being_planned, edit_plan
from bot.core.decide.people.hand_back import hand_back
from bot.core.decide.people.waive_tests import waive
from bot.core.decide.specs.plan_new_spec import open_on_request
from bot.core.journal.effects import PostComment, React
from bot.core.journal.events import (
    ChangeReopened,
    CommandAnswered,
    CommandHeard,
    CommentsRead,
    PausesEnded,
    PlanApproved,
    SpecRunReopened,
    SpecRunStopped,
)
from bot.core.journal.evolve_retired import COMMENTS_KEPT
from bot.core.journal.state import ChangeFacts, HeardComment, SpecRun, SpecRunState, asked_at
from bot.core.spec.triage.spec_questions import unanswered
from bot.core.state.observed import CommentWithRole
from bot.core.talk import push_text, replies
from bot.core.talk.commands import (
    COMMANDS_PER_COMMENT_MAX,
    ROWS,
    CommandRow,
    Place,
    read_commands,
)
from bot.core.talk.rules_text import approved_but_waits
from bot.core.values.command import Command, Verb
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Comment, Role

# `/headgate retry agent`: another attempt, also where there is work to be judged again.
_AGENT = "agent"


@dataclass
class _Answer:
    """What has come of a comment so far."""

    said: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def next_steps(decision: Decision) -> None:
    """Hear comments that a look brought up, then answer every comment whose words are known."""
    observed = decision.observed
    hinted = (observed.comments_by_id.get(hint.comment) for hint in observed.hinted_comments)
    for found in hinted:
        if found is not None and found.comment is not None and found.commands:
            _hear(decision, found.comment)
    for comment in observed.comments:
        if _may_be_heard(decision, comment) and read_commands(comment.body):
            _hear(decision, comment)
    seen_to = max((c.created_at for c in decision.observed.comments), default=None)
    known_to = decision.state.comments_seen_to
    if seen_to is not None and (known_to is None or seen_to > known_to):
        decision.emit(CommentsRead(up_to=seen_to))
    for heard in tuple(decision.state.heard.values()):
        read = observed.comments_by_id.get(heard.comment)
        if read is not None:
            _answer(decision, heard, read)


def _may_be_heard(decision: Decision, comment: Comment) -> bool:
    """Whether a comment is a person's and new to us."""
    state = decision.state
    known = comment.id in state.heard or comment.id in state.answered
    # Of comments this old it is not kept which were answered.
    is_old = (
        state.comments_seen_to is not None
        and comment.created_at < state.comments_seen_to - COMMENTS_KEPT
    )
    return comment.author_is_person and not known and not is_old


def _hear(decision: Decision, comment: Comment) -> None:
    if _may_be_heard(decision, comment):
        decision.emit(CommandHeard(comment=comment.id, issue=comment.issue))


def _answer(decision: Decision, heard: HeardComment, read: CommentWithRole) -> None:
    comment = read.comment
    if comment is None or not comment.author_is_person or not read.commands:
        decision.emit(
            CommandAnswered(
                comment=heard.comment,
                outcome="nothing",
                author=comment.author if comment else "",
                created_at=comment.created_at if comment else decision.now,
            )
        )
        return
    decision.intend(React(comment=heard.comment, content="eyes"))
    answer = _Answer()
    if comment.is_edited:
        answer.refused.append(replies.edited())
    else:
        _carry_out_all(decision, heard, read, comment, answer)
    decision.emit(
        CommandAnswered(
            comment=heard.comment,
            outcome="refused" if answer.refused else "done",
            author=comment.author,
            verbs=replies.verbs_of(read.commands),
            created_at=comment.created_at,
        )
    )
    decision.intend(
        React(comment=heard.comment, content="confused" if answer.refused else "rocket")
    )
    text = "\n\n".join((*answer.said, *answer.refused))
    if text:
        decision.intend(
            PostComment(issue=heard.issue, subject=replies.answered_in(heard), text=text)
        )


def _carry_out_all(
    decision: Decision,
    heard: HeardComment,
    read: CommentWithRole,
    comment: Comment,
    answer: _Answer,
) -> None:
    for command in read.commands[:COMMANDS_PER_COMMENT_MAX]:
        _carry_out(decision, heard, comment, read.role, command, answer)
    if len(read.commands) > COMMANDS_PER_COMMENT_MAX:
        answer.refused.append(replies.too_many_commands())


def _carry_out(
    decision: Decision,
    heard: HeardComment,
    comment: Comment,
    role: Role,
    command: Command,
    answer: _Answer,
) -> None:
    if command.verb is None:
        answer.refused.append(replies.unknown_command(command))
        return
    row = ROWS[command.verb]
    needed = row.role or Role(decision.policy.file.approver)
    if not role.covers(needed):
        answer.refused.append(replies.not_permitted(row, comment.author, role, needed))
        return
    match command.verb:
        case Verb.HELP:
            answer.said.append(replies.help_reply())
        case Verb.RUN:
            _run(decision, command, answer)
        case Verb.WAIVE:
            reply = waive(decision, command.argument, comment.author)
            (answer.said if reply.is_done else answer.refused).append(reply.sentence)
        case Verb.RESUME:
            answer.said.append(_resume(decision, comment))
        case Verb.ANSWER:
            _answer_questions(decision, heard, comment, command, answer)
        case _:
            _carry_out_in_place(decision, heard, row, comment, command, answer)


def _carry_out_in_place(
    decision: Decision,
    heard: HeardComment,
    row: CommandRow,
    comment: Comment,
    command: Command,
    answer: _Answer,
) -> None:
    """What is asked of a spec run or of one of its changes, by where the comment stands."""
    dialogue = decision.state.dialogues.get(heard.issue)
    if dialogue is not None and row.verb is Verb.STOP:
        answer.said.append(stop_dialogue(decision, dialogue, comment))
        return
    run, change = _place(decision, heard)
    if run is None and heard.issue in decision.state.retired.values():
        answer.refused.append(replies.run_is_retired())
        return
    if run is None or (row.place is Place.TRACKING and change is not None):
        answer.refused.append(replies.wrong_place(row))
        return
    match row.verb:
        case Verb.APPROVE:
            _approve(decision, run, comment, command, answer)
        case Verb.PLAN:
            _edit_plan(decision, run, command, answer)
        case Verb.RETRY:
            _retry(decision, run, change, comment, command, answer)
        case Verb.HAND_BACK:
            _hand_back(decision, run, change, comment, command, answer)
        case Verb.STOP:
            _stop(decision, run, change, comment, command, answer)
        case Verb.STATUS:
            answer.said.append(replies.status_reply(decision.state, run))
        case Verb.WHY:
            _why(decision, run, change, command, answer)
        case Verb.HELP | Verb.RUN | Verb.ANSWER | Verb.WAIVE | Verb.RESUME:
            # Carried out anywhere, above.
            return


def _edit_plan(decision: Decision, run: SpecRun, command: Command, answer: _Answer) -> None:
    reply = edit_plan(decision, run, command.argument)
    if reply.sentence:
        (answer.said if reply.is_done else answer.refused).append(reply.sentence)


def _hand_back(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: _Answer,
) -> None:
    named = _named(decision, run, change, command, answer)
    if named is not None:
        answer.said += hand_back(decision, run, named, comment.author)


def _place(decision: Decision, heard: HeardComment) -> tuple[SpecRun | None, ChangeFacts | None]:
    """The spec run and the change (None: its tracking issue) that an issue or pull belongs to."""
    number = int(heard.issue)
    for run in decision.state.spec_runs.values():
        if run.issue == number:
            return run, None
        for change in decision.state.changes_of(run.id):
            if number in (change.issue, change.pull):
                return run, change
    return None, None


def _run(decision: Decision, command: Command, answer: _Answer) -> None:
    path = command.argument.strip("`").lstrip("/")
    if not path:
        answer.refused.append(replies.run_needs_path())
        return
    outcome = open_on_request(decision, path)
    (answer.said if outcome.is_done else answer.refused).append(outcome.sentence)


def _answer_questions(
    decision: Decision, heard: HeardComment, comment: Comment, command: Command, answer: _Answer
) -> None:
    _, change = _place(decision, heard)
    said, refused = answer_questions(decision, heard.issue, change, comment, command)
    answer.said.extend(said)
    answer.refused.extend(refused)


def _shown_when(run: SpecRun, written_at: datetime) -> int | None:
    """The newest revision that the issue surely showed at that time.

    GitHub's times are whole seconds: a comment of the second in which a revision replaced another
    may have been written about either, and counts for the older.
    """
    seen: list[int] = []
    for revision, shown_at in sorted(run.revisions_shown.items()):
        since = shown_at.replace(microsecond=0)
        if since < written_at or (since == written_at and not seen):
            seen.append(revision)
    return max(seen, default=None)


def _approve(
    decision: Decision, run: SpecRun, comment: Comment, command: Command, answer: _Answer
) -> None:
    amendment = run.amendment if run.state is SpecRunState.RUNNING else None
    if run.replanning is not None and run.replanning.edit is not None:
        answer.refused.append(being_planned())
        return
    if run.state is SpecRunState.RUNNING and amendment is None:
        answer.said.append(replies.already_approved(run))
        return
    if run.planning is not None and run.state is SpecRunState.PROPOSED:
        answer.refused.append(being_planned())
        return
    if not run.is_open or run.plan is None:
        answer.refused.append(replies.not_open(run))
        return
    newest = amendment.plan.revision if amendment else run.plan.revision
    if command.argument and command.argument.lower() not in {f"r{newest}", str(newest)}:
        answer.refused.append(replies.no_such_revision(command.argument, newest))
        return
    visible = _shown_when(run, comment.created_at)
    if visible != newest:
        answer.refused.append(replies.stale_approval(newest, visible))
        return
    holding = unanswered(
        asked_at(decision.state, run.path), decision.state.decisions, decision.policy.file.questions
    )
    if holding:
        answer.refused.append(replies.questions_first(holding))
        return
    if amendment is not None:
        approve_amendment(decision, run, amendment, comment.author)
        _say_what_refuses(decision, answer)
        return
    decision.emit(
        PlanApproved(
            spec_run=run.id,
            revision=newest,
            plan_hash=run.plan.hash,
            approved_by=comment.author,
            archive_date=decision.now.date(),
        )
    )
    if not decision.policy.required_gates:
        answer.said.append(replies.no_gates())
    _say_what_refuses(decision, answer)


def _say_what_refuses(decision: Decision, answer: _Answer) -> None:
    """Work is approved, and nobody is paid for what could not land."""
    if waits := approved_but_waits(decision.state, decision.policy):
        answer.said.append(waits)


def _named(
    decision: Decision, run: SpecRun, change: ChangeFacts | None, command: Command, answer: _Answer
) -> tuple[ChangeFacts, ...] | None:
    """The changes that a command is about; None when it names one that is not there."""
    changes = decision.state.changes_of(run.id)
    if not command.argument:
        return (change,) if change is not None else changes
    wanted = command.argument.strip("`#")
    found = tuple(c for c in changes if wanted in (c.slug, str(c.issue), str(c.pull)))
    if not found:
        answer.refused.append(replies.no_such_change(command.argument, run, changes))
        return None
    return found


def _retry(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: _Answer,
) -> None:
    first, _, rest = command.argument.partition(" ")
    with_agent = first == _AGENT
    if with_agent:
        command = command.replace(argument=rest.strip())
    named = _named(decision, run, change, command, answer)
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


def _stop(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: _Answer,
) -> None:
    named = _named(decision, run, change, command, answer)
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


def _resume(decision: Decision, comment: Comment) -> str:
    pauses = tuple(decision.state.pauses)
    refused = sum(delay.refusal is not None for delay in decision.state.delays.values())
    if pauses or refused:
        decision.emit(PausesEnded(pauses=pauses, ended_by=comment.author))
    return replies.resumed(len(pauses) + refused)


def _why(
    decision: Decision, run: SpecRun, change: ChangeFacts | None, command: Command, answer: _Answer
) -> None:
    named = _named(decision, run, change, command, answer)
    for one in named or ():
        answer.said.append(replies.why_reply(decision.state, decision.policy, one))
