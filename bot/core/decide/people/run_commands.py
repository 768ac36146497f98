"""Carrying out what people ask in comments, and answering them.

Permission is what it is now, a comment counts only as it was first written, a command for another place
is refused with a sentence, and asking twice does nothing twice. A reply is written only where a person
must know something; else the reaction says it.
"""

from collections.abc import Callable, Mapping

from bot.core.decide.changes.manual_steps import done
from bot.core.decide.changes.tell_agents import tell
from bot.core.decide.decision import Decision
from bot.core.decide.people.advance_dialogue import stop as stop_dialogue
from bot.core.decide.people.allow_steering import allow
from bot.core.decide.people.answer_question import answer_questions
from bot.core.decide.people.approve_plan import approve_plan
from bot.core.decide.people.edit_plan import edit_plan
from bot.core.decide.people.explain import explain
from bot.core.decide.people.freeze_queue import freeze, pause, unfreeze
from bot.core.decide.people.hand_back import hand_back
from bot.core.decide.people.queue_pull import at_pull, branch_asked_about
from bot.core.decide.people.retry_and_stop import retry, stop
from bot.core.decide.people.self_test import ask_self_test
from bot.core.decide.people.waive_tests import waive
from bot.core.decide.specs.plan_new_spec import open_on_request
from bot.core.journal.effects import PostComment, React
from bot.core.journal.events import CommandAnswered, CommandHeard, CommentsRead, PausesEnded
from bot.core.journal.evolve_people import COMMENTS_KEPT
from bot.core.journal.state import ChangeFacts, HeardComment, SpecRun, dialogue_of
from bot.core.state.observed import CommentWithRole
from bot.core.state.strangers_budget import asked_too_much, is_stranger
from bot.core.talk import replies
from bot.core.talk.asked_command import AskedCommand, Reply, changes_named, refuse, reply
from bot.core.talk.commands import COMMANDS_PER_COMMENT_MAX, ROWS, Place, read_commands
from bot.core.values.command import Command, Verb
from bot.core.values.ids import CommentId
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
    if heard is not None and read is not None and not read.is_waiting:
        _answer(decision, heard, read)


def _was_stranger(decision: Decision, comment: Comment) -> bool:
    """Whether the author had no role a while ago; their present role was not read."""
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
    is_too_much = is_stranger and asked_too_much(decision.state, decision.policy, comment) > 1
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
    above = asked_too_much(decision.state, decision.policy, comment) if stranger else 0
    if above > 1:
        _leave_unanswered(decision, heard, comment)
        return
    decision.intend(React(comment=heard.comment, content="eyes"))
    if above:
        replied = refuse(replies.asked_too_much(comment.author))
    elif comment.is_edited:
        replied = refuse(replies.edited())
    else:
        replied = _carry_out_all(decision, read, comment)
    decision.emit(
        CommandAnswered(
            comment=heard.comment,
            outcome="refused" if replied.refused else "done",
            author=comment.author,
            verbs=replies.verbs_of(read.commands),
            created_at=comment.created_at,
            is_strangers=stranger,
        )
    )
    decision.intend(
        React(comment=heard.comment, content="confused" if replied.refused else "rocket")
    )
    text = "\n\n".join((*replied.said, *replied.refused))
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


def _carry_out_all(decision: Decision, read: CommentWithRole, comment: Comment) -> Reply:
    replied = Reply()
    for command in read.commands[:COMMANDS_PER_COMMENT_MAX]:
        replied += _carry_out(decision, comment, read.role, command)
    if len(read.commands) > COMMANDS_PER_COMMENT_MAX:
        replied += refuse(replies.too_many_commands())
    return replied


def _carry_out(decision: Decision, comment: Comment, role: Role, command: Command) -> Reply:
    if command.verb is None:
        return refuse(replies.unknown_command(command))
    row = ROWS[command.verb]
    needed = row.role or Role(decision.policy.file.approver)
    if not role.covers(needed):
        return refuse(replies.not_permitted(row, comment.author, role, needed))
    asked = AskedCommand(comment, role, command, row, *_place(decision, comment))
    with decision.on(branch_asked_about(decision, asked)) as is_seen:
        if is_seen and command.verb in _OF_A_BRANCH:
            return ANYWHERE[command.verb](decision, asked)
        at_the_pull = at_pull(decision, asked) if is_seen else None
    if command.verb in ANYWHERE:
        return ANYWHERE[command.verb](decision, asked)
    return at_the_pull if at_the_pull is not None else _carry_out_in_place(decision, asked)


def _place(decision: Decision, comment: Comment) -> tuple[SpecRun | None, ChangeFacts | None]:
    number = int(comment.issue)
    for run in decision.state.spec_runs.values():
        if run.issue == number:
            return run, None
        for change in decision.state.changes_of(run.id):
            if number in (change.issue, change.pull):
                return run, change
    return None, None


def _carry_out_in_place(decision: Decision, asked: AskedCommand) -> Reply:
    """What is asked of a spec run or of one of its changes, by where the comment stands."""
    row, run, change, issue = asked.row, asked.run, asked.change, asked.comment.issue
    dialogue = dialogue_of(decision.state, issue)
    if dialogue is not None and row.verb is Verb.STOP:
        return reply(stop_dialogue(decision, dialogue, asked.comment))
    if run is None and decision.state.retired.have_issue(issue):
        return refuse(replies.run_is_retired())
    is_elsewhere = row.place is Place.TRACKING and change is not None
    if run is None or is_elsewhere or (row.place is Place.CHANGE and change is None):
        return refuse(replies.wrong_place(row))
    return OF_A_RUN[row.verb](decision, asked, run)


def _run(decision: Decision, asked: AskedCommand) -> Reply:
    path = asked.argument.strip("`").lstrip("/")
    return open_on_request(decision, path) if path else refuse(replies.run_needs_path())


def _resume(decision: Decision, asked: AskedCommand) -> Reply:
    pauses = tuple(decision.state.pauses)
    refused = sum(delay.refusal is not None for delay in decision.state.delays.values())
    stopped = decision.state.orders_stopped is not None
    if pauses or refused or stopped:
        decision.emit(PausesEnded(pauses=pauses, ended_by=asked.author))
    return reply(replies.resumed(len(pauses) + refused + stopped))


def _tell(decision: Decision, asked: AskedCommand) -> Reply:
    if asked.run is None:
        return refuse(replies.wrong_place(asked.row))
    return tell(decision, asked.run, asked.change, asked.argument, asked.comment)


def _hand_back(decision: Decision, asked: AskedCommand, run: SpecRun) -> Reply:
    named = changes_named(decision.state, asked, run)
    if isinstance(named, Reply):
        return named
    return hand_back(decision, run, named, asked.author)


def _done(decision: Decision, asked: AskedCommand, _: SpecRun) -> Reply:
    if asked.change is None:
        return reply()
    return done(decision, asked.change, asked.argument, asked.author)


# What may be asked at any issue or pull; what is asked of a pull in the queue is `queue_pull`'s.
ANYWHERE: Mapping[Verb, Callable[[Decision, AskedCommand], Reply]] = {
    Verb.HELP: lambda _decision, _asked: reply(replies.help_reply()),
    Verb.RUN: _run,
    Verb.WAIVE: lambda decision, asked: waive(decision, asked.argument, asked.author),
    Verb.FREEZE: lambda decision, asked: freeze(decision, asked.argument, asked.author),
    Verb.UNFREEZE: lambda decision, asked: unfreeze(decision, asked.author),
    Verb.PAUSE: lambda decision, asked: pause(decision, asked.argument, asked.author),
    Verb.RESUME: _resume,
    Verb.ANSWER: answer_questions,
    Verb.TELL: _tell,
    Verb.SELFTEST: lambda decision, asked: ask_self_test(decision, asked.comment),
}
# At a pull these speak of the branch that it asks to be merged into.
_OF_A_BRANCH = frozenset({Verb.FREEZE, Verb.UNFREEZE})
OF_A_RUN: Mapping[Verb, Callable[[Decision, AskedCommand, SpecRun], Reply]] = {
    Verb.APPROVE: approve_plan,
    Verb.PLAN: lambda decision, asked, run: edit_plan(decision, run, asked.argument),
    Verb.RETRY: retry,
    Verb.HAND_BACK: _hand_back,
    Verb.STOP: stop,
    Verb.STATUS: lambda decision, _asked, run: reply(replies.status_reply(decision.state, run)),
    Verb.WHY: explain,
    Verb.DONE: _done,
    Verb.ALLOW: lambda decision, asked, run: allow(decision, run, asked.argument, asked.author),
}
