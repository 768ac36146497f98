"""Carrying out what people ask in comments, and answering them.

Permission is what it is now, a comment counts only as it was first written, a command for another place
is refused with a sentence, and asking twice does nothing twice. A reply is written only where a person
must know something; else the reaction says it.
"""

from datetime import datetime

from bot.core.decide.changes.manual_steps import done
from bot.core.decide.changes.tell_agents import tell
from bot.core.decide.decision import Decision
from bot.core.decide.people.advance_dialogue import stop as stop_dialogue
from bot.core.decide.people.allow_steering import allow
from bot.core.decide.people.answer_question import answer_questions
from bot.core.decide.people.approve_spec_edit import approve_amendment
from bot.core.decide.people.edit_plan import being_planned, edit_plan
from bot.core.decide.people.explain import explain
from bot.core.decide.people.freeze_queue import freeze, pause, unfreeze
from bot.core.decide.people.hand_back import hand_back
from bot.core.decide.people.named_changes import Answer, changes_named
from bot.core.decide.people.queue_pull import at_pull
from bot.core.decide.people.retry_and_stop import retry, stop
from bot.core.decide.people.self_test import ask_self_test
from bot.core.decide.people.strangers_budget import asked_too_much, is_stranger
from bot.core.decide.people.waive_tests import waive
from bot.core.decide.specs.plan_new_spec import open_on_request
from bot.core.journal.effects import PostComment, React
from bot.core.journal.events import (
    ApprovalGiven,
    CommandAnswered,
    CommandHeard,
    CommentsRead,
    PausesEnded,
    PlanApproved,
)
from bot.core.journal.evolve_retired import COMMENTS_KEPT
from bot.core.journal.state import ChangeFacts, HeardComment, SpecRun, SpecRunState, asked_at
from bot.core.spec.triage.spec_questions import unanswered
from bot.core.state.observed import CommentWithRole
from bot.core.talk import replies
from bot.core.talk.approval_text import ALL, is_too_many, missing_approvals, too_many_changes
from bot.core.talk.commands import (
    COMMANDS_PER_COMMENT_MAX,
    ROWS,
    CommandRow,
    Place,
    read_commands,
)
from bot.core.talk.rules_text import approved_but_waits
from bot.core.values.command import Command, Verb
from bot.core.values.ids import CommentId
from bot.core.values.plan_model import Plan
from bot.core.values.repository import Comment, Role


def next_steps(decision: Decision) -> None:
    """Hear comments that a look brought up, then answer every comment whose words are known."""
    observed = decision.observed
    for heard in tuple(decision.state.heard.values()):
        _answer_if_read(decision, heard.comment)
    for hint in observed.hinted_comments:
        _hear_hinted(decision, hint.comment)
    for comment in observed.comments:
        if comment.id not in observed.comments_by_id and read_commands(comment.body):
            _hear(decision, comment, is_stranger=_was_stranger(decision, comment))
    seen_to = max((c.created_at for c in decision.observed.comments), default=None)
    known_to = decision.state.comments_seen_to
    if seen_to is not None and (known_to is None or seen_to > known_to):
        decision.emit(CommentsRead(up_to=seen_to))


def _hear_hinted(decision: Decision, id_: CommentId) -> None:
    """Hear a comment and answer it at once: each counts before the next one is heard."""
    found = decision.observed.comments_by_id.get(id_)
    if found is not None and found.comment is not None and found.commands:
        _hear(decision, found.comment, is_stranger=is_stranger(found.role))
        _answer_if_read(decision, id_)


def _answer_if_read(decision: Decision, id_: CommentId) -> None:
    heard = decision.state.heard.get(id_)
    read = decision.observed.comments_by_id.get(id_)
    if heard is not None and read is not None:
        _answer(decision, heard, read)


def _was_stranger(decision: Decision, comment: Comment) -> bool:
    """Whether the author of a comment, whose role nobody has asked for, had none a while ago."""
    return any(who == comment.author for who, _ in decision.state.strangers_asked)


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


def _hear(decision: Decision, comment: Comment, *, is_stranger: bool) -> None:
    """What is not answered anyway is not written down: the journal does not grow by it."""
    is_too_much = is_stranger and asked_too_much(decision, comment) > 1
    if _may_be_heard(decision, comment) and not is_too_much:
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
    stranger = is_stranger(read.role)
    above = asked_too_much(decision, comment) if stranger else 0
    if above > 1:
        _leave_unanswered(decision, heard, comment)
        return
    decision.intend(React(comment=heard.comment, content="eyes"))
    answer = Answer()
    if above:
        answer.refused.append(replies.asked_too_much(comment.author))
    elif comment.is_edited:
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
            is_strangers=stranger,
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


def _leave_unanswered(decision: Decision, heard: HeardComment, comment: Comment) -> None:
    decision.emit(
        CommandAnswered(
            comment=heard.comment,
            outcome="refused",
            author=comment.author,
            created_at=comment.created_at,
        )
    )


def _carry_out_all(
    decision: Decision,
    heard: HeardComment,
    read: CommentWithRole,
    comment: Comment,
    answer: Answer,
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
    answer: Answer,
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
        case Verb.FREEZE:
            frozen = freeze(decision, command.argument, comment.author)
            (answer.said if frozen.is_done else answer.refused).append(frozen.sentence)
        case Verb.UNFREEZE:
            answer.said.append(unfreeze(decision, comment.author))
        case Verb.PAUSE:
            answer.said.append(pause(decision, command.argument, comment.author))
        case Verb.RESUME:
            answer.said.append(_resume(decision, comment))
        case Verb.ANSWER:
            _answer_questions(decision, heard, comment, role, command, answer)
        case Verb.TELL:
            _tell_agents(decision, heard, comment, command, answer)
        case _:
            _carry_out_elsewhere(decision, heard, row, comment, command, answer)


def _carry_out_elsewhere(
    decision: Decision,
    heard: HeardComment,
    row: CommandRow,
    comment: Comment,
    command: Command,
    answer: Answer,
) -> None:
    if command.verb is Verb.SELFTEST:
        refused = ask_self_test(decision, heard)
        answer.refused += [refused] if refused else []
    elif not at_pull(decision, row, command, comment, answer):
        _carry_out_in_place(decision, heard, row, comment, command, answer)


def _carry_out_in_place(
    decision: Decision,
    heard: HeardComment,
    row: CommandRow,
    comment: Comment,
    command: Command,
    answer: Answer,
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
    is_elsewhere = row.place is Place.TRACKING and change is not None
    if run is None or is_elsewhere or (row.place is Place.CHANGE and change is None):
        answer.refused.append(replies.wrong_place(row))
        return
    _carry_out_for_run(decision, run, change, comment, command, answer)


def _carry_out_for_run(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: Answer,
) -> None:
    match command.verb:
        case Verb.APPROVE:
            _approve(decision, run, comment, command, answer)
        case Verb.PLAN:
            _edit_plan(decision, run, command, answer)
        case Verb.RETRY:
            retry(decision, run, change, comment, command, answer)
        case Verb.HAND_BACK:
            _hand_back(decision, run, change, comment, command, answer)
        case Verb.STOP:
            stop(decision, run, change, comment, command, answer)
        case Verb.STATUS | Verb.WHY:
            _tell(decision, run, change, command, answer)
        case Verb.DONE:
            refused = done(decision, change, command.argument, comment.author) if change else ""
            answer.refused += [refused] if refused else []
        case Verb.ALLOW:
            _allow(decision, run, comment, command, answer)
        case (
            Verb.HELP
            | Verb.RUN
            | Verb.ANSWER
            | Verb.WAIVE
            | Verb.FREEZE
            | Verb.UNFREEZE
            | Verb.PAUSE
            | Verb.RESUME
            | Verb.QUEUE
            | Verb.DEQUEUE
            | Verb.HOLD
            | Verb.RELEASE
            | Verb.NOW
            | Verb.TELL
            | Verb.SELFTEST
            | None
        ):
            # Carried out anywhere, above.
            return


def _tell_agents(
    decision: Decision, heard: HeardComment, comment: Comment, command: Command, answer: Answer
) -> None:
    run, change = _place(decision, heard)
    if run is None:
        answer.refused.append(replies.wrong_place(ROWS[Verb.TELL]))
        return
    said, refused = tell(decision, run, change, command.argument, comment)
    answer.said += said
    answer.refused += refused


def _allow(
    decision: Decision, run: SpecRun, comment: Comment, command: Command, answer: Answer
) -> None:
    reply = allow(decision, run, command.argument, comment.author)
    (answer.said if reply.is_done else answer.refused).append(reply.sentence)


def _edit_plan(decision: Decision, run: SpecRun, command: Command, answer: Answer) -> None:
    reply = edit_plan(decision, run, command.argument)
    if reply.sentence:
        (answer.said if reply.is_done else answer.refused).append(reply.sentence)


def _hand_back(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    comment: Comment,
    command: Command,
    answer: Answer,
) -> None:
    named = changes_named(decision, run, change, command, answer)
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


def _run(decision: Decision, command: Command, answer: Answer) -> None:
    path = command.argument.strip("`").lstrip("/")
    if not path:
        answer.refused.append(replies.run_needs_path())
        return
    outcome = open_on_request(decision, path)
    (answer.said if outcome.is_done else answer.refused).append(outcome.sentence)


def _answer_questions(
    decision: Decision,
    heard: HeardComment,
    comment: Comment,
    role: Role,
    command: Command,
    answer: Answer,
) -> None:
    _, change = _place(decision, heard)
    said, refused = answer_questions(decision, heard.issue, change, comment, command, role)
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


def _not_as_shown(
    decision: Decision, run: SpecRun, plan: Plan, comment: Comment, command: Command
) -> str:
    """Why the comment does not approve this plan; empty if it does."""
    newest = plan.revision
    words = command.argument.lower().split()
    if unknown := " ".join(w for w in words if w not in {f"r{newest}", str(newest), ALL}):
        return replies.no_such_revision(unknown, newest)
    if is_too_many(plan, decision.policy) and ALL not in words:
        return too_many_changes(plan, decision.policy)
    visible = _shown_when(run, comment.created_at)
    return "" if visible == newest else replies.stale_approval(newest, visible)


def _approve(
    decision: Decision, run: SpecRun, comment: Comment, command: Command, answer: Answer
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
    plan = amendment.plan if amendment else run.plan
    newest = plan.revision
    if refused := _not_as_shown(decision, run, plan, comment, command):
        answer.refused.append(refused)
        return
    holding = unanswered(
        asked_at(decision.state, run.path), decision.state.decisions, decision.policy.file.questions
    )
    if holding:
        answer.refused.append(replies.questions_first(holding))
        return
    given = tuple(dict.fromkeys((*run.approvals.get(newest, ()), comment.author)))
    authors = decision.observed.authors.get(run.id, ())
    if missing := missing_approvals(given, authors, decision.policy):
        if comment.author not in run.approvals.get(newest, ()):
            decision.emit(
                ApprovalGiven(spec_run=run.id, revision=newest, approved_by=comment.author)
            )
        answer.said.append(missing)
        return
    if amendment is not None:
        approve_amendment(decision, run, amendment, comment.author)
        _say_what_refuses(decision, answer)
        return
    decision.emit(
        PlanApproved(
            spec_run=run.id,
            revision=newest,
            plan_hash=plan.hash,
            approved_by=comment.author,
            archive_date=decision.now.date(),
        )
    )
    if not decision.policy.required_gates:
        answer.said.append(replies.no_gates())
    _say_what_refuses(decision, answer)


def _say_what_refuses(decision: Decision, answer: Answer) -> None:
    """Work is approved, and nobody is paid for what could not land."""
    if waits := approved_but_waits(decision.state, decision.policy):
        answer.said.append(waits)


def _resume(decision: Decision, comment: Comment) -> str:
    pauses = tuple(decision.state.pauses)
    refused = sum(delay.refusal is not None for delay in decision.state.delays.values())
    stopped = decision.state.orders_stopped is not None
    if pauses or refused or stopped:
        decision.emit(PausesEnded(pauses=pauses, ended_by=comment.author))
    return replies.resumed(len(pauses) + refused + stopped)


def _tell(
    decision: Decision,
    run: SpecRun,
    change: ChangeFacts | None,
    command: Command,
    answer: Answer,
) -> None:
    if command.verb is Verb.STATUS:
        answer.said.append(replies.status_reply(decision.state, run))
    else:
        explain(decision, run, change, command, answer)
