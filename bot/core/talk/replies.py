"""What Headgate answers to commands and tells people of its own accord, sentence by sentence."""

from bot.core.journal.state import ChangeFacts, HeardComment, RepositoryState, SpecRun, SpecRunState
from bot.core.spec.triage.spec_questions import Question, SpecDecision
from bot.core.state.waiting import held_back_by, shown, waits_for
from bot.core.talk.commands import COMMANDS_PER_COMMENT_MAX, CommandRow, help_table
from bot.core.talk.issues import progress_table, status_text
from bot.core.talk.links import issue_link
from bot.core.talk.replanned import being_planned_again
from bot.core.talk.text import cell, code, login
from bot.core.values.command import Command, Verb
from bot.core.values.lifecycle import OWNERS
from bot.core.values.repository import Role
from bot.core.values.spec_model import Finding


def unknown_command(command: Command) -> str:
    """A typo, with the nearest verb."""
    hint = f"Did you mean `/headgate {command.nearest}`?" if command.nearest else ""
    parts = (f"{code(command.said)} is not a command.", hint, "`/headgate help` lists them.")
    return " ".join(p for p in parts if p)


def too_many_commands() -> str:
    """More commands in one comment than are carried out."""
    return f"Only the first {COMMANDS_PER_COMMENT_MAX} commands of a comment are carried out."


def edited() -> str:
    """A comment counts only as it was first written."""
    return (
        "This comment was edited after it was written, so nothing in it was carried out: anybody "
        "with write access could have put the command there. Please ask in a new comment."
    )


def not_permitted(row: CommandRow, author: str, role: Role, needed: Role) -> str:
    """Who may, and what the author is."""
    return f"`/headgate {row.verb}` needs the role {needed}; {login(author)} has {role} here."


def wrong_place(row: CommandRow) -> str:
    """Where the command belongs."""
    return f"`{row.usage}` belongs on {row.place}."


def already_approved(run: SpecRun) -> str:
    """Approving twice."""
    return f"The plan was approved by {login(run.approved_by)} already; it is under way."


def not_open(run: SpecRun) -> str:
    """A command for a spec run that is over."""
    return (
        f"This spec run has {run.state}. {code(f'/headgate run {run.path}')} plans the spec again."
    )


def stale_approval(newest: int, visible: int | None) -> str:
    """The plan changed after the comment was written, or was not shown yet."""
    seen = f"revision {visible}" if visible else "no revision yet"
    return (
        f"When that comment was written, this issue showed {seen}; the plan is at revision "
        f"{newest} now. Please look at it and approve again."
    )


def no_such_revision(said: str, newest: int) -> str:
    """`approve rN` with another N than is shown."""
    return f"{code(said)} is not the revision that is shown, which is `r{newest}`."


def no_gates() -> str:
    """Approving where nothing could ever land."""
    return (
        "Approved, but no gate is required in this repository, so nothing is started: merge the "
        "pull that offers a first `.github/headgate.yml`, and the work begins by itself."
    )


def no_such_change(said: str, run: SpecRun, changes: tuple[ChangeFacts, ...]) -> str:
    """A change that the plan does not have."""
    names = ", ".join(f"`{c.slug}`" for c in changes) or "none"
    return f"{code(said)} is not a change of #{run.issue}. Its changes: {names}."


def questions_first(questions: tuple[Question, ...]) -> str:
    """Approving while questions hold the plan."""
    lines = ["The spec leaves something open, and its plan waits for the answers:", ""]
    lines += [f"- **{q.number}.** {cell(q.sentence)}" for q in questions]
    lines += ["", f"`/headgate answer {questions[0].number} …` answers, or an edit of the spec."]
    return "\n".join(lines)


def answer_needs_number(asked: tuple[int, ...]) -> str:
    """`answer` without a number or without words."""
    if not asked:
        return "`/headgate answer N TEXT` answers a question by its number; none is asked here."
    numbers = ", ".join(map(str, asked))
    return f"`/headgate answer N TEXT` needs a number and words. Asked here: {numbers}."


def no_such_question(number: int, asked: tuple[int, ...]) -> str:
    """`answer` with a number that nobody asked under."""
    there = f"Asked here: {', '.join(map(str, asked))}." if asked else "Nothing is asked here."
    return f"There is no question {number} here. {there}"


def question_answered(question: Question, decision: SpecDecision) -> str:
    """What was decided, so that everybody sees how it was read."""
    return (
        f"**{question.number}.** {cell(question.sentence)} Decided by {login(decision.author)}: "
        f"{cell(decision.answer)}"
    )


def nothing_to_retry(changes: tuple[ChangeFacts, ...]) -> str:
    """Nothing failed or was stopped."""
    names = ", ".join(f"`{c.slug}`" for c in changes)
    return f"Nothing to retry: {names} neither failed nor were stopped."


def planned_again(change: ChangeFacts) -> str:
    """A retry of a change whose requirements later changes have taken over."""
    return (
        f"`{change.slug}` was planned again: later changes of the plan have its requirements. "
        "Retry those."
    )


def nothing_to_stop() -> str:
    """Everything has ended."""
    return "Nothing to stop: it has ended already."


def cannot_stop_landing(change: ChangeFacts) -> str:
    """Main is being moved at this moment."""
    return f"`{change.slug}` is being landed at this moment and cannot be stopped any more."


def run_needs_path() -> str:
    """`run` without a path."""
    return "`/headgate run PATH` needs the path of a spec on the default branch."


def no_spec_at(path: str, watched: tuple[str, ...]) -> str:
    """`run` with a path where no spec is."""
    folders = ", ".join(code(w) for w in watched)
    return f"There is no spec at {code(path)} on the default branch (looked in {folders})."


def run_is_open(run: SpecRun) -> str:
    """`run` for a spec whose run is open."""
    return f"{code(run.path)} is planned already, in #{run.issue}."


def all_covered(path: str) -> str:
    """`run` for a spec whose requirements have all landed."""
    return f"Every requirement of {code(path)} has landed with its present text already."


def draft_spec(path: str) -> str:
    """A spec that says it is a draft."""
    return f"{code(path)} says `status: draft`, so nothing is started."


def spec_refused(path: str, first: Finding) -> str:
    """`run` for a spec that cannot be planned: its first finding."""
    return f"{code(f'{path}:{first.line}')} {cell(first.question)}"


def run_started(path: str) -> str:
    """`run` that opened a spec run."""
    return f"{code(path)} is planned; its tracking issue follows."


def help_reply() -> str:
    """The table of commands."""
    return "A command is a line of its own in a comment.\n\n" + help_table()


def status_reply(state: RepositoryState, run: SpecRun) -> str:
    """Where every change is."""
    head = f"Spec run of {code(run.path)}: {run.state}. {being_planned_again(run)}".rstrip()
    return f"{head}\n\n{progress_table(state, state.changes_of(run.id))}"


def why_reply(state: RepositoryState, change: ChangeFacts) -> str:
    """What a change waits for and what its last attempt met."""
    lines = [f"**`{change.slug}`** is {shown(state, change)}."]
    run = state.spec_runs[change.spec_run]
    waits = waits_for(state, change)
    if run.state is SpecRunState.PROPOSED:
        lines.append("Its plan is not approved yet: `/headgate approve` on the tracking issue.")
    elif blockers := held_back_by(state, change):
        lines.append(f"It is held back by {', '.join(f'`{b}`' for b in blockers)}.")
    elif waits and not change.is_ended:
        lines.append(f"It waits for {', '.join(issue_link(w) for w in waits)}.")
    lines.append(f"Next: {OWNERS[change.state]}.")
    if state.frozen is not None:
        lines.append(f"The queue is frozen: {state.frozen}")
    return "\n".join(lines) + "\n\n" + status_text(state, change)


def run_is_under_way(run: SpecRun) -> str:
    """`run` for a spec that was edited while its run is under way."""
    return (
        f"The run of {code(run.path)} is under way in #{run.issue}; an edit of the spec is proposed "
        "there as a revision of its plan."
    )


def main_is_red(sha: str, sentence: str) -> str:
    """Main went red by a commit that we did not land."""
    return (
        f"**The queue is frozen.** {cell(sentence)} No change is blamed for it. Push a fix to the "
        f"default branch, or take the commit back: `git revert {sha}`. The queue goes on by "
        "itself as soon as main passes its gates."
    )


def answered_in(heard: HeardComment) -> str:
    """The subject under which the reply to a comment is found again."""
    return f"reply {heard.comment}"


def verbs_of(commands: tuple[Command, ...]) -> tuple[str, ...]:
    """The verbs, for the journal."""
    return tuple(c.verb.value for c in commands if isinstance(c.verb, Verb))
