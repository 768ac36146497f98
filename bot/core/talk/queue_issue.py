"""The text of the queue issue: one place that says who is in the queue, and what each waits for.

It says nothing that changes by the clock alone, so that it is written only when something happened.
"""

from datetime import datetime

from bot.core.journal.branches import on
from bot.core.journal.state import QUEUE, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.landing_way import is_by_github, is_queued
from bot.core.state.queue_view import Place, not_begun, queue_view
from bot.core.talk.freeze_text import stops
from bot.core.talk.queue_text import waiting_for
from bot.core.talk.rules_text import merged
from bot.core.talk.smoke_text import not_run_text
from bot.core.talk.text import code, counted, inert, marker, moment, region, span

_ROWS_MAX = 100
_HEAD = ("| | Entry | Waiting for | Expected |", "|---|---|---|---|")
_ABOUT = (
    "Headgate updates this text within a minute. To put a pull request into the queue, comment "
    "`/headgate queue` there. To see what it waits for, comment `/headgate why` there."
)


def queue_title() -> str:
    return "The queue of this repository"


def queue_marker() -> str:
    return marker("the queue")


def queue_body(text: str) -> str:
    return f"{queue_marker()}\n\n{region(QUEUE, text)}"


def queue_text(state: RepositoryState, policy: Policy, now: datetime) -> str:
    """Every entry in its place, what each waits for, and how long its gates take; then the changes that
    wait for other specs.
    """
    view = queue_view(state, now)
    parts = [f"**{counted(len(view), 'entry', 'entries')} in the queue.** {_ABOUT}"]
    if is_by_github(policy, state.rules) and state.rules is not None:
        parts.append(merged(state.rules.branch, is_queue=is_queued(policy, state.rules)))
    for branch in ("", *state.branches):
        there = [place for place in view if place.branch == branch]
        parts += _of_branch(on(state, branch), there)
    if waiting := not_begun(state, policy):
        lines = [
            f"- #{p.number} {inert(p.title, 200)}: {waiting_for(p)}" for p in waiting[:_ROWS_MAX]
        ]
        more = len(waiting) - _ROWS_MAX
        parts.append("**Not started yet:**\n\n" + "\n".join(lines))
        parts += [f"… and {more} more."] if more > 0 else []
    return "\n\n".join(parts)


def _of_branch(state: RepositoryState, view: list[Place]) -> list[str]:
    said = stops(state)
    if state.frozen is not None:
        said.append(f"**Main stops the queue:** {inert(state.frozen)}")
    said += [text] if (text := not_run_text(state)) else []
    if view:
        rows = [*_HEAD, *(_row(place) for place in view[:_ROWS_MAX])]
        more = len(view) - _ROWS_MAX
        said.append("\n".join(rows) + (f"\n\n… and {more} more." if more > 0 else ""))
    head = [f"### On {code(state.on_branch)}"] if state.on_branch and said else []
    return [*head, *said]


def _row(place: Place) -> str:
    number = f"#{place.number} " if place.number else ""
    by = f" (queued by {code(place.by)})" if place.by else ""
    priority = f", priority {place.priority}" if place.priority else ""
    waits = waiting_for(place)
    if place.judged_since is not None:
        waits += f", since {moment(place.judged_since)}"
    return (
        f"| {place.place} | {number}{inert(place.title, 200)}{by}{priority} | {waits} | "
        f"{_expected(place)} |"
    )


def _expected(place: Place) -> str:
    if place.gates_seconds is None:
        return ""
    ahead = "" if place.judged_since is not None else ", with the entries ahead of it"
    return f"{span(place.gates_seconds)} of gates{ahead}"
