"""The tasks of people on a change's issue, and what is said of them."""

import re
from collections.abc import Sequence

from bot.core.journal.state import ChangeFacts
from bot.core.state.steps_by_hand import due_steps, open_steps
from bot.core.talk.links import issue_link
from bot.core.talk.text import inert, login, marker

# The region of the change's issue that lists them.
STEPS = "steps"
_TICKED = re.compile(
    r"^[^\S\n]*+[-*] \[[xX]\] .*<!-- headgate:step ([0-9a-f]{8}) -->[^\S\n]*$", re.MULTILINE
)


def steps_text(change: ChangeFacts) -> str:
    """Steps by hand as tick boxes; whoever may edit the issue can tick them."""
    lines = ["### To be done by a person", ""]
    for number, step in enumerate(change.steps, start=1):
        by = change.steps_done.get(step.key)
        box = "x" if by is not None else " "
        who = f" (done by {login(by)})" if by else ""
        when = "" if step.is_before else " *After the work has landed.*"
        lines.append(
            f"- [{box}] **{number}.** {inert(step.text)}{when}{who} {marker(f'step {step.key}')}"
        )
    if open_steps(change):
        waits = (
            "No agent starts before the first steps are done."
            if any(step.is_before for step in open_steps(change))
            else "Later changes wait for these steps."
        )
        lines += ["", f"{waits} Tick a step when it is done, or comment `/headgate done 1`."]
    return "\n".join(lines)


def ticked_in(body: str) -> tuple[str, ...]:
    """The keys of the steps that are ticked in an issue."""
    return tuple(dict.fromkeys(_TICKED.findall(body)))


def to_do(changes: Sequence[ChangeFacts]) -> list[str]:
    return [
        f"do the steps in {issue_link(change)} ({inert(due_steps(change)[0].text, 200)}), and "
        "tick them there"
        for change in changes
        if due_steps(change)
    ]


def which_step(change: ChangeFacts) -> str:
    """The reply to `done` where it is not clear what is done."""
    if not change.steps:
        return f"{issue_link(change)} lists no steps for a person."
    numbers = ", ".join(str(n) for n, _ in enumerate(change.steps, start=1))
    return (
        f"Which one? Write `/headgate done N` with a number of the list in {issue_link(change)} "
        f"({numbers}), or `/headgate done all`."
    )
