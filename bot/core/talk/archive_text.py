"""What is said where a delta cannot be folded: each reason at its line, with what repairs it."""

from bot.core.spec.main_rules import Refusal

# More reasons than these are read once the first have been mended.
_REASONS_SHOWN = 5

HOW_TO_FOLD_IT_ALL_THE_SAME = (
    "`/headgate retry` folds the delta as it is over exactly the text that main has now."
)


def said_of(reasons: tuple[Refusal, ...]) -> str:
    """The reasons, each with its place and the proposal that repairs it."""
    shown = [
        f"{r.path}:{r.line} {r.sentence} {r.proposal}".strip() for r in reasons[:_REASONS_SHOWN]
    ]
    more = len(reasons) - _REASONS_SHOWN
    return " ".join([*shown, *([f"And {more} more."] if more > 0 else [])])
