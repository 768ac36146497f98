"""What people are told of a queue, or of orders, that a person stopped."""

from collections.abc import Mapping

from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import RepositoryState
from bot.core.talk.text import inert, moment
from bot.core.values.freeze import OF_PEOPLE, FreezeCause

_WHY_CHARACTERS = 300


def stops(state: RepositoryState) -> list[str]:
    """A paragraph for what a person stopped, or must let go on."""
    said = []
    for frozen in (state.freezes[cause] for cause in OF_PEOPLE if cause in state.freezes):
        said.append(f"**The queue is frozen**{_who_froze(frozen)} {_GOES_ON_JUDGING}")
        if frozen is state.freezes.get(FreezeCause.SMOKE):
            said[-1] += " It also ends when the smoke gates pass."
    if (stopped := state.orders_stopped) is not None:
        said.append(f"**No new agents or gates start**{_who_froze(stopped)} {_RESUME}")
    return said


_GOES_ON_JUDGING = (
    "Gates and agents continue, but no change lands. `/headgate unfreeze` ends the freeze."
)
_RESUME = "Work in progress continues. `/headgate resume` ends the pause."


def _who_froze(freeze: Freeze) -> str:
    """By whom, since when, until when and why, as the end of a sentence."""
    said = f" by @{freeze.by}" if freeze.by else ""
    if freeze.since is not None:
        said += f" since {moment(freeze.since)}"
    if freeze.until is not None:
        said += f", until {moment(freeze.until)}"
    why = f": {inert(freeze.why, _WHY_CHARACTERS)}" if freeze.why else ""
    return f"{said}{why}" + ("" if why.endswith((".", "!", "?", "…")) else ".")


def frozen_reply(freeze: Freeze, *, is_queued_there: bool) -> str:
    until = f"until {moment(freeze.until)}" if freeze.until else "until `/headgate unfreeze`"
    landing = "A landing that has begun completes."
    if is_queued_there:
        landing = (
            "Headgate removes its own entries from GitHub's merge queue, unless GitHub has "
            "merged them by then. Entries that people added to that queue stay there."
        )
    return f"No change lands {until}. Gates and agents continue. {landing}"


def no_such_time(said: str) -> str:
    """The reply to a time that is not one, or is over."""
    return (
        f"“{inert(said, 60)}” is not a time in the future. Write `until 2026-12-31`, or "
        "`until 2026-12-31 18:00` (UTC)."
    )


_LIFTED = {
    FreezeCause.PERSON: "a freeze",
    FreezeCause.ADOPTED: "the freeze for a commit that Headgate did not land",
    FreezeCause.SMOKE: "the freeze for red smoke gates",
}


def unfrozen_reply(state: RepositoryState, lifted: Mapping[FreezeCause, Freeze]) -> str:
    """The reply to `unfreeze`: what it lifted, and what still freezes, with what would end that."""
    was_frozen = bool(lifted)
    said = "The queue continues." if was_frozen else "The queue is not frozen by a person."
    if state.frozen is not None:
        goes_on = "It continues automatically when the default branch passes its gates."
        said = (
            f"{(said if not was_frozen else 'Your freeze has ended.')} But main stops the queue: "
        )
        said += f"{inert(state.frozen, _WHY_CHARACTERS)} {goes_on}"
    lines = [f"- {_LIFTED[cause]}{_who_froze(freeze)}" for cause, freeze in lifted.items()]
    return "\n".join([f"{said} Lifted:\n", *lines]) if lines else said


def stopped_reply() -> str:
    return (
        "No new agents or gates start until `/headgate resume`. Work in progress continues, "
        "and changes that have passed their gates land."
    )
