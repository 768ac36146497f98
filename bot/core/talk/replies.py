"""Replies to commands, and comments that Headgate writes without being asked."""

from collections.abc import Sequence
from datetime import date

from bot.core.journal.state import (
    Adoption,
    ChangeFacts,
    HeardComment,
    RepositoryState,
    SpecRun,
    SpecRunState,
)
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.state.reason import Cause, reason_of
from bot.core.state.waiting import shown
from bot.core.talk.commands import COMMANDS_PER_COMMENT_MAX, CommandRow, help_table
from bot.core.talk.flaky_text import often_flaky
from bot.core.talk.issues import progress_table, status_text
from bot.core.talk.lost_gates_text import is_unjudged, judge_again, lost_gates_of
from bot.core.talk.pause_text import paused
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.talk.reason_text import reason_text
from bot.core.talk.replanned import being_planned_again
from bot.core.talk.text import cell, code, login
from bot.core.values.command import Command, Verb
from bot.core.values.question import Answer, Question
from bot.core.values.repository import Role
from bot.core.values.spec_model import Finding


def unknown_command(command: Command) -> str:
    hint = f"Did you mean `/headgate {command.nearest}`?" if command.nearest else ""
    parts = (
        f"{code(command.said)} is not a command.",
        hint,
        "`/headgate help` lists all commands.",
    )
    return " ".join(p for p in parts if p)


def too_many_commands() -> str:
    return f"Headgate runs only the first {COMMANDS_PER_COMMENT_MAX} commands of a comment."


def edited() -> str:
    """The reply to a command in an edited comment."""
    return (
        "Headgate did not run this command, because the comment was edited, possibly by "
        "another person. Please write a new comment."
    )


def not_permitted(row: CommandRow, author: str, role: Role, needed: Role) -> str:
    return (
        f"`/headgate {row.verb}` needs the role {needed}; {login(author)} has the role {role} here."
    )


def wrong_place(row: CommandRow) -> str:
    return f"`{row.usage}` does not work here. Write it on {row.place}."


def already_approved(run: SpecRun) -> str:
    return f"{login(run.approved_by)} has already approved the plan; it is under way."


def not_open(run: SpecRun) -> str:
    """The reply to a command for a spec run that is over."""
    how = "was stopped" if run.state is SpecRunState.STOPPED else "has ended"
    return (
        f"This spec run {how}. To plan the spec again, comment {code(f'/headgate run {run.path}')}."
    )


def run_is_retired() -> str:
    """The reply to a command for a spec run that ended long ago."""
    return (
        "This spec run ended long ago and can no longer be changed. To plan its spec again, "
        "comment `/headgate run PATH`. To see what happened, run `headgate explain`."
    )


def stale_approval(newest: int, visible: int | None) -> str:
    """The reply to an approval; `visible` is the revision that the issue showed at that time."""
    seen = f"revision {visible}" if visible else "no revision yet"
    return (
        f"The plan was not approved. When you wrote that comment, this issue showed {seen}. The "
        f"plan is now at revision {newest}. Please read it and approve again."
    )


def no_such_revision(written: str, newest: int) -> str:
    return f"{code(written)} is not the revision that this issue shows, which is `r{newest}`."


def asked_too_much(author: str) -> str:
    """The one reply to people without a role who ask too much."""
    return (
        f"{login(author)}, people without a role here get a limited number of replies per hour "
        "(`strangers.commands_an_hour` in the policy). Headgate answers your next commands "
        "after an hour."
    )


def no_gates() -> str:
    """The reply to an approval in a repository without required gates."""
    return (
        "Approved. But this repository has no required gate, so no work starts. Merge the pull "
        "request that proposes a first `.github/headgate.yml`; then the work starts "
        "automatically."
    )


def no_such_change(written: str, run: SpecRun, changes: tuple[ChangeFacts, ...]) -> str:
    names = ", ".join(f"`{c.slug}`" for c in changes) or "none"
    return f"{code(written)} is not a change of #{run.issue}. Its changes: {names}."


def questions_first(questions: tuple[Question, ...]) -> str:
    """The reply to an approval while questions must be answered first."""
    lines = ["Not approved: the spec has open questions, and its plan waits for the answers:", ""]
    for question in questions:
        lines += question_lines(question, None)
    return "\n".join((*lines, "", f"{how_to_answer(questions[0].number)} Or edit the spec."))


def answer_needs_number(asked: tuple[int, ...]) -> str:
    """The reply to `answer` without a number or without text; `asked` are the numbers here."""
    if not asked:
        return "`/headgate answer N TEXT` answers question N, but there is no question here."
    numbers = ", ".join(map(str, asked))
    return f"`/headgate answer N TEXT` needs a number and a text. Questions here: {numbers}."


def no_such_question(number: int, asked: tuple[int, ...]) -> str:
    """The reply to `answer` with an unknown number; `asked` are the numbers here."""
    numbers = ", ".join(map(str, asked)) or "none"
    return f"There is no question {number} here. Questions here: {numbers}."


def question_answered(question: Question, given: Answer) -> str:
    """The reply to an answer; it repeats the answer so that everybody sees how it was read."""
    return "\n".join(question_lines(question, given))


def nothing_to_retry(changes: tuple[ChangeFacts, ...]) -> str:
    names = ", ".join(f"`{c.slug}`" for c in changes)
    return f"There is nothing to retry: {names} did not fail and were not stopped."


def planned_again(change: ChangeFacts) -> str:
    """The reply to `retry` for a change whose requirements are now in later changes."""
    return (
        f"`{change.slug}` was planned again: later changes of the plan have its requirements. "
        "Retry those changes."
    )


def nothing_to_stop() -> str:
    return "There is nothing to stop: it has already ended."


def cannot_stop_landing(change: ChangeFacts) -> str:
    return f"`{change.slug}` is landing now and can no longer be stopped."


def run_needs_path() -> str:
    return "`/headgate run PATH` needs the path of a spec on the default branch."


def no_spec_at(path: str, watched: tuple[str, ...]) -> str:
    folders = ", ".join(code(w) for w in watched)
    return f"There is no spec at {code(path)} on the default branch (watched: {folders})."


def run_is_open(run: SpecRun) -> str:
    return f"{code(run.path)} is already planned, in #{run.issue}."


def all_covered(path: str) -> str:
    """The reply to `run` for a spec of which nothing is left to plan."""
    return f"Every requirement of {code(path)} has already landed with its current text."


def draft_spec(path: str) -> str:
    return f"{code(path)} says `status: draft`, so no work starts."


def spec_refused(path: str, first: Finding) -> str:
    """The reply to `run` for a spec that cannot be planned: its first finding."""
    return f"{code(f'{path}:{first.line}')} {cell(first.question)}"


def run_started(path: str) -> str:
    return f"Headgate plans {code(path)} and opens its tracking issue."


def help_reply() -> str:
    return "A command is a line of its own in a comment.\n\n" + help_table()


def status_reply(state: RepositoryState, run: SpecRun) -> str:
    head = f"Spec run of {code(run.path)}: {run.state}. {being_planned_again(run)}".rstrip()
    return f"{head}\n\n{progress_table(state, state.changes_of(run.id))}"


def why_reply(
    state: RepositoryState,
    policy: Policy,
    change: ChangeFacts,
    doing: str = "",
    models: ServerModels | None = None,
) -> str:
    """The reply to `why`: what a change waits for, who must do what, how its attempts ended.

    `doing` is its place in the queue, and the line of a run under way; `models` are this server's.
    """
    reason = reason_of(state, change, policy, models)
    said = reason_text(state, policy, change, reason)
    lines = [f"**`{change.slug}`** is {shown(state, change)}. {said}"]
    lines += ["", doing] if doing else []
    if state.frozen is not None and reason.cause is not Cause.MAIN_IS_RED:
        lines.append(f"The queue is frozen: {state.frozen}")
    lines += [line for said in paused(state) for line in ("", said)]
    lines += lost_gates_of(state, change)
    lines += often_flaky(state)
    return "\n".join(lines) + "\n\n" + status_text(state, change)


def resumed(pauses: int) -> str:
    if not pauses:
        return "Headgate waits for nothing that `/headgate resume` could end."
    return "Headgate tries again now. If the cause is still there, it waits again."


def run_is_under_way(run: SpecRun) -> str:
    """The reply to `run` for a spec that was edited while its run is under way."""
    return (
        f"The run of {code(run.path)} is under way in #{run.issue}. Headgate shows the edit of "
        "the spec there, as a new revision of the plan."
    )


def main_is_red(main: Adoption, tests: Sequence[str]) -> str:
    """The comment about a main that fails its gates; `tests` are those that may be accepted."""
    repair = "Push a fix to the default branch"
    if is_unjudged(main):
        repair = f"Find out why no runner completed its gates, and then {judge_again(main)}"
    elif not main.is_first:
        repair += f", or revert the commit: `git revert {main.sha}`"
    accept = ""
    if tests:
        named = " ".join(tests[:5])
        accept = f" To accept what fails: {code(f'/headgate waive {named}', 600)}."
    return (
        f"**The queue is frozen.** {cell(main.sentence)} No agent starts, and no change is "
        f"blamed for this. {repair}.{accept} Work continues automatically when the default "
        "branch passes its gates."
    )


def waived(tests: Sequence[str], until: date | None) -> str:
    how_long = f"until the end of {until}" if until else "permanently"
    return (
        f"Accepted {how_long}: {', '.join(code(t) for t in tests)}. These tests no longer "
        "stop a landing. Each landing in that time names them."
    )


def waive_needs_tests(red: Sequence[str]) -> str:
    return f"Name the tests: `/headgate waive TEST… [until DATE]`. {_red_on_main(red)}"


def not_red_on_main(unknown: Sequence[str], red: Sequence[str]) -> str:
    named = ", ".join(code(t) for t in unknown)
    return (
        f"The command changed nothing: {named} does not fail on the default branch. "
        f"{_red_on_main(red)}"
    )


def no_day(said: str) -> str:
    return f"{code(said)} is not a day in the future. Write it like `until 2026-12-31`."


def _red_on_main(red: Sequence[str]) -> str:
    if not red:
        return "The JUnit reports name no failing test there."
    return f"Failing there: {', '.join(code(t) for t in red[:20])}."


def answered_in(heard: HeardComment) -> str:
    """The subject by which the reply to a comment is found again."""
    return f"reply {heard.comment}"


def verbs_of(commands: tuple[Command, ...]) -> tuple[str, ...]:
    """The verbs of the valid commands, for the journal."""
    return tuple(c.verb.value for c in commands if isinstance(c.verb, Verb))
