"""What people are told of gates and tests that were red and then green on the same commit."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.quarantine import QUARANTINE_PATH
from bot.core.state.flaky_results import OFTEN
from bot.core.talk.links import issue_link, new_file
from bot.core.talk.text import code

_TESTS_SHOWN = 5
# How long a test may stay in quarantine, if nobody writes another day.
_KEPT = timedelta(days=30)


def flaky_of_run(changes: Iterable[ChangeFacts]) -> list[str]:
    """Lines of the report."""
    return [
        f"- Flaky: gate {code(flake.gate)} was red and then green on the same commit of "
        f"{issue_link(change)}{_tests(flake.tests)}"
        for change in changes
        for flake in change.flakes
    ]


def often_flaky(state: RepositoryState) -> list[str]:
    """A line for each test (or gate that names none) that is flaky again and again."""
    return [
        f"**Flaky:** {code(name)} was red and then green {len(seen)} times in 30 days. A red "
        "result still counts at once. To change that, fix the test, or name it with a last day "
        f"in {code(QUARANTINE_PATH)} on main: {_offer(state, name, max(seen))}."
        for name, seen in state.flaky.items()
        if len(seen) >= OFTEN
    ]


def _offer(state: RepositoryState, name: str, last_seen: datetime) -> str:
    """The line that the file wants, and the page that proposes it where there is no such file."""
    # A name may hold what is a sign in YAML.
    line = f"{json.dumps(name)}: {(last_seen + _KEPT).date()}"
    if state.facts is None:
        return f"add {code(line)}"
    page = new_file(state.facts, state.facts.default_branch, QUARANTINE_PATH, f"{line}\n")
    return f"[propose the file]({page}), or add {code(line)} to it"


def _tests(tests: tuple[str, ...]) -> str:
    if not tests:
        return ""
    more = f" and {len(tests) - _TESTS_SHOWN} more" if len(tests) > _TESTS_SHOWN else ""
    return f": {', '.join(code(t) for t in tests[:_TESTS_SHOWN])}{more}"
