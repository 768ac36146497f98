"""What people are told of a change that steers how it is judged."""

from bot.core.talk.text import code
from bot.core.values.ids import Sha
from bot.core.values.steering import Steering

_NAMED_MAX = 10


def shadows_text(steering: Steering) -> str:
    return (
        f"It adds {_listed(steering.shadows)}. A test runner or an interpreter would load such "
        "a file as itself, as one of its libraries or as a start-up hook. This cannot be "
        "allowed; remove or rename the file."
    )


def steered_text(steering: Steering, candidate: Sha) -> str:
    """What waits for a person, and what the person does."""
    return (
        f"It changes files {_steered(steering)}, so no gate has run. Such a change needs the "
        "approval of a person. Read these files in the pull request. If they are correct, "
        f"comment `/headgate allow {candidate[:12]}`; if not, comment `/headgate retry agent`."
    )


def steered_here_text(steering: Steering) -> str:
    """What a clone is told whose gates run all the same."""
    return (
        f"This work changes files {_steered(steering)}. Here the gates run with them. On "
        "GitHub, an agent's change waits for a person's `/headgate allow` before any gate runs."
    )


def _steered(steering: Steering) -> str:
    parts = []
    if steering.runner:
        parts.append(f"that decide how its gates run ({_listed(steering.runner)})")
    if steering.setup:
        parts.append(f"that setup depends on ({_listed(steering.setup)})")
    return " and ".join(parts)


def lost_text(candidate: Sha) -> str:
    """What a person does where only tests of main stand in the way."""
    return f"If this is correct nevertheless, comment `/headgate allow {candidate[:12]}`."


def allowed_text(files: tuple[str, ...], lost: tuple[str, ...]) -> str:
    said = _listed(files)
    if lost:
        said += f"{(', and' if files else '')} this finding about tests: {_listed(lost)}"
    return f"Allowed: {said}. The gates run now, and the ledger records your name."


def allowed_before(person: str, files: tuple[str, ...]) -> str:
    what = "allowed these files" if files else "allowed that"
    return f"@{person} already {what}."


def no_such_candidate(argument: str, shown: tuple[Sha, ...]) -> str:
    if not argument:
        ask = "Name the commit that you have read, for example `/headgate allow 0123abc`."
    else:
        ask = f"No change here with the commit {code(argument[:40])} waits for a person."
    waiting = ", ".join(f"`{sha[:12]}`" for sha in shown)
    return f"{ask} Waiting: {waiting}." if waiting else f"{ask} No change here waits for that."


def _listed(paths: tuple[str, ...]) -> str:
    named = ", ".join(code(path) for path in paths[:_NAMED_MAX])
    more = len(paths) - _NAMED_MAX
    return f"{named} and {more} more" if more > 0 else named
