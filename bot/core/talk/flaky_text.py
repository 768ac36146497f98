"""What people are told of gates and tests that were red and then green on the same commit."""

from collections.abc import Iterable

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.quarantine import QUARANTINE_PATH
from bot.core.state.doubt import OFTEN
from bot.core.talk.links import issue_link
from bot.core.talk.text import code

_TESTS_SHOWN = 5


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
        f"**Flaky:** {code(name)} was red and then green {len(seen)} times in 30 days. Its red counts "
        f"at once until somebody repairs it, or {code(QUARANTINE_PATH)} on main names it with a last day."
        for name, seen in state.flaky.items()
        if len(seen) >= OFTEN
    ]


def _tests(tests: tuple[str, ...]) -> str:
    if not tests:
        return ""
    more = f" and {len(tests) - _TESTS_SHOWN} more" if len(tests) > _TESTS_SHOWN else ""
    return f": {', '.join(code(t) for t in tests[:_TESTS_SHOWN])}{more}"
