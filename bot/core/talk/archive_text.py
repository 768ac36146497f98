"""Texts about a delta that cannot be folded into the main specs: each reason with its repair."""

from bot.core.spec.archive.folding import DeltaConflict
from bot.core.spec.archive.main_rules import Refusal
from bot.core.talk.text import cell

# The next reasons appear once the first ones are repaired.
_REASONS_SHOWN = 5

_RETRY_FOLDS_ANYWAY = "To apply the delta to the current text on main, comment `/headgate retry`."


def delta_conflict_text(delta_conflict: DeltaConflict) -> str:
    """Why a delta cannot be folded and what repairs it; after an edit on main, how to override."""
    reasons = _reasons_text(delta_conflict.reasons)
    return f"{reasons} {_RETRY_FOLDS_ANYWAY}" if delta_conflict.edited else reasons


def delta_conflict_comment(sentence: str) -> str:
    """The comment while an agent works on a change whose delta no longer fits main."""
    return (
        f"**This change's spec no longer fits the main specs.** {cell(sentence, 2000)}\n\n"
        "The agent continues, and its work is kept. To let the work land, correct the delta or "
        "the main spec; no other agent is needed. Until then, the change fails when Headgate "
        "builds its candidate."
    )


def _reasons_text(reasons: tuple[Refusal, ...]) -> str:
    shown = [
        f"{r.path}:{r.line} {r.sentence} {r.proposal}".strip() for r in reasons[:_REASONS_SHOWN]
    ]
    more = len(reasons) - _REASONS_SHOWN
    return " ".join([*shown, *([f"And {more} more."] if more > 0 else [])])
