"""What is said of an issue that asks for work: its one comment, its pull, its commit.

The comment is written anew whenever something is answered, so that it always shows what is open. The
rule: questions that a model made and answers that people gave are words that are not ours.
Deliberately absent: what is asked next.
"""

from bot.core.journal.dialogue_events import DialogueEnding, WorkQuestion
from bot.core.journal.dialogue_state import Dialogue, GivenAnswer
from bot.core.spec.issue_text import IssueSpec
from bot.core.state.observed import WorkIssueSnapshot
from bot.core.talk.links import credit
from bot.core.talk.spec_issue import LABEL as SPEC_LABEL, left_out
from bot.core.talk.text import cell, code, cut, login, marker, plain
from bot.core.values.ids import PullNumber
from bot.core.values.issue_input import EDITS_MAX, ROUNDS_MAX
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.repository import RepositoryFacts, Role
from bot.core.values.spent import ModelUse

LABEL = "headgate:work"

_HOW = (
    "Answer in a comment: `/headgate answer 2 …`, or several as a numbered list below one line "
    "`/headgate answer`. `/headgate answer skip` goes on without the rest; `/headgate stop`, or "
    f"taking the label `{LABEL}` off, ends it. Who may write here may answer."
)


def dialogue_comment(dialogue: Dialogue, off: str, trouble: str) -> str:
    """The comment as it should be now; `off` says what cannot be done here, `trouble` what failed."""
    lines = [_head(dialogue)]
    if dialogue.phase is DialoguePhase.ASKING:
        lines += ["", _HOW]
        if dialogue.edits >= EDITS_MAX:
            lines.append("The issue was edited often: its text is read again with the next round.")
    if dialogue.failure:
        lines += ["", f"> [!WARNING]\n> A model could not be used: {cell(dialogue.failure, 400)}"]
        lines.append(
            "> It goes on by rules: a fixed list of questions, and your words as they stand."
        )
    elif off and dialogue.ending is None:
        lines += ["", f"> [!NOTE]\n> {off}"]
    if trouble and dialogue.is_open:
        lines += ["", f"> [!WARNING]\n> The spec could not be proposed: {cell(trouble, 400)}"]
    for round_ in dialogue.rounds:
        lines += ["", f"**Round {round_.number}** of at most {ROUNDS_MAX}", ""]
        lines += [_question(q, dialogue.answers.get(q.number)) for q in round_.questions]
    if dialogue.model_use.calls:
        lines += ["", _took(dialogue.model_use)]
    return "\n".join(lines)


def _head(dialogue: Dialogue) -> str:
    who = login(dialogue.asked_by)
    match dialogue.phase:
        case DialoguePhase.THINKING:
            return (
                f"{who} asked for work with the label `{LABEL}`. This issue is being read; what is "
                "missing is asked here, and then a spec is proposed as a pull."
            )
        case DialoguePhase.ASKING:
            count = len(dialogue.unanswered)
            left = "1 question is open" if count == 1 else f"{count} questions are open"
            return (
                f"{who} asked for work with the label `{LABEL}`. {left} before this can be written "
                "down as a spec."
            )
        case DialoguePhase.PROPOSED:
            return (
                f"#{dialogue.pull} proposes a spec for this issue, as {code(dialogue.path)}. From "
                "here on the pull is the source: change the file there. Merging it starts the "
                f"planning; taking the label `{LABEL}` off closes it."
            )
        case DialoguePhase.ENDED:
            return _ended(dialogue)


def _ended(dialogue: Dialogue) -> str:
    match dialogue.ending:
        case DialogueEnding.STOPPED:
            why = f"{login(dialogue.ended_by)} stopped this."
        case DialogueEnding.NOT_PERMITTED:
            why = (
                f"{login(dialogue.asked_by)}, who set the label `{LABEL}`, may not write here any "
                "more."
            )
        case DialogueEnding.IS_SPEC:
            return (
                f"The label `{SPEC_LABEL}` is set: the text of this issue is the spec as it stands."
            )
        case DialogueEnding.CLOSED:
            return (
                "This issue was closed, and nothing more is asked. Taking the label off and setting it "
                "again begins anew."
            )
        case _:
            why = f"The label `{LABEL}` is gone."
    closed = f" #{dialogue.pull} is closed." if dialogue.pull else ""
    return (
        f"{why}{closed} Nothing more is asked. Taking the label off and setting it again begins "
        "anew."
    )


def _question(question: WorkQuestion, answer: GivenAnswer | None) -> str:
    mark = "x" if answer else " "
    line = f"- [{mark}] **{question.number}.** {cell(question.sentence, 400)}"
    if answer is not None:
        there = f" ([said here]({answer.link}))" if answer.link else ""
        return f"{line}\n  {login(answer.author)}: {cell(answer.text)}{there}"
    if question.why:
        line += f" <sub>{cell(question.why, 300)}</sub>"
    if question.choices:
        line += f"\n  Perhaps: {'; '.join(cell(c, 120) for c in question.choices)}"
    return line


def _took(use: ModelUse) -> str:
    calls = "1 call" if use.calls == 1 else f"{use.calls} calls"
    cost = "cost *unknown*" if use.dollars is None else f"${use.dollars:.2f}"
    return f"<sub>Asking models took {calls}, {use.tokens.total:,} tokens, {cost}.</sub>"


def label_needs_role(labelled_by: str, role: Role) -> str:
    """Said on the issue when somebody labelled it who may not."""
    return (
        f"The label `{LABEL}` asks for work, which needs the role {Role.WRITE}; "
        f"{login(labelled_by)} has {role} here. Somebody with that role can set it again."
    )


def stopped() -> str:
    """The reply to `/headgate stop` on an issue whose people are being asked."""
    return "Stopped. Nothing more is asked; the label taken off and set again begins anew."


def nothing_asked(pull: PullNumber | None) -> str:
    """`answer` on an issue where no question is open any more."""
    if pull is None:
        return f"No question is open here. The label `{LABEL}` set anew has them asked."
    return f"No question is open here: #{pull} proposes the spec. Change the file there."


def pull_title(dialogue: Dialogue) -> str:
    """The title of the pull."""
    return f"Spec: {plain(dialogue.title)}"[:240]


def pull_body(
    dialogue: Dialogue, snapshot: WorkIssueSnapshot, path: str, read: IssueSpec, by_model: bool
) -> str:
    """The body of the pull: where it comes from, what was asked and answered, and what is open."""
    maker = "A model wrote it" if by_model else "Rules wrote it"
    lines = [
        marker(f"work issue {snapshot.number}"),
        f"Closes #{snapshot.number}: proposes {code(path)}. {login(dialogue.asked_by)} asked for it "
        f"with the label `{LABEL}`. {maker} of the issue and of the answers below; read it as you "
        "would read anybody's.",
        "",
        "Change the file here where it is wrong. When this is merged, Headgate plans the spec and "
        "asks for approval. Taking the label off the issue closes this.",
    ]
    answered = [q for q in dialogue.questions if q.number in dialogue.answers]
    if answered:
        lines += ["", "**Asked and answered**", ""]
        lines += [_question(q, dialogue.answers[q.number]) for q in answered]
    if dialogue.unanswered:
        lines += ["", "**Still open**", ""]
        lines += [f"- **{q.number}.** {cell(q.sentence, 400)}" for q in dialogue.unanswered]
    if read.hidden or read.comments:
        lines += ["", left_out(read)]
    return cut("\n".join(lines))


def commit_message(
    dialogue: Dialogue, snapshot: WorkIssueSnapshot, path: str, facts: RepositoryFacts
) -> str:
    """The commit's message, which credits the author of the issue."""
    asked_by = login(dialogue.asked_by).removeprefix("@")
    trailer = credit(snapshot.author, snapshot.author_id, facts)
    return (
        f"Propose {path}\n\nFrom issue {snapshot.number}, for which {asked_by} asked for work.\n\n"
        f"{trailer}\n"
    )
