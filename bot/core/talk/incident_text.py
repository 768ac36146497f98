"""What issues of incidents have in common."""

from bot.core.talk.text import code, marker


def incident_marker(slug: str) -> str:
    return marker(slug)


def how_to_unfreeze(branch: str) -> str:
    """What a person comments, and where; `branch` empty: the default branch."""
    elsewhere = f"on a pull request into {code(branch)}" if branch else "anywhere"
    return f"`/headgate unfreeze`, here or {elsewhere}"
