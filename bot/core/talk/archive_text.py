"""What is said where a delta cannot be folded: each reason at its line, with what repairs it."""

from bot.core.spec.archive.folding import DeltaConflict
from bot.core.spec.archive.main_rules import Refusal
from bot.core.talk.text import cell

# More reasons than these are read once the first have been mended.
_REASONS_SHOWN = 5

HOW_TO_FOLD_IT_ALL_THE_SAME = (
    "`/headgate retry` folds the delta as it is over exactly the text that main has now."
)


def delta_conflict_text(delta_conflict: DeltaConflict) -> str:
    """Why a delta cannot be folded, with what repairs it and, after an edit, what folds it anyway."""
    said = said_of(delta_conflict.reasons)
    return f"{said} {HOW_TO_FOLD_IT_ALL_THE_SAME}" if delta_conflict.edited else said


def delta_conflict_comment(sentence: str) -> str:
    """What people are told while an agent works on a change that main has moved away from."""
    return (
        f"**This change's spec does not fit the main specs any more.** {cell(sentence, 2_000)}\n\n"
        "The agent's work goes on and is kept: once the delta or the main spec is mended, it lands "
        "without another agent. Until then the change fails when its candidate is built."
    )


def said_of(reasons: tuple[Refusal, ...]) -> str:
    """The reasons, each with its place and the proposal that repairs it."""
    shown = [
        f"{r.path}:{r.line} {r.sentence} {r.proposal}".strip() for r in reasons[:_REASONS_SHOWN]
    ]
    more = len(reasons) - _REASONS_SHOWN
    return " ".join([*shown, *([f"And {more} more."] if more > 0 else [])])
