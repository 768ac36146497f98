"""What is wrong with a policy, for a terminal."""

from collections.abc import Sequence

from bot.core.values.spec_model import Finding

_LINES_MAX = 10


def wrong_lines(path: str, findings: Sequence[Finding]) -> str:
    """A line each, the first ten."""
    first = sorted(findings, key=lambda one: one.line)[:_LINES_MAX]
    shown = [f"{path}:{one.line} {one.question}" for one in first]
    if more := len(findings) - len(shown):
        shown.append(f"… and {more} more.")
    return "\n".join(shown)


def no_file(path: str) -> str:
    return f"There is no policy {path}. To write a first one, run `headgate init`."
