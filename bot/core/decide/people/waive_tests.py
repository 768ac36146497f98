"""`/headgate waive`: a person accepts that tests fail which fail on main."""

from datetime import date

from bot.core.decide.decision import Decision
from bot.core.journal.events import TestsWaived
from bot.core.state.waivers import failing
from bot.core.talk import replies
from bot.core.talk.asked_command import Reply, refuse, reply


def waive(decision: Decision, argument: str, author: str) -> Reply:
    """Accept tests by their ids; refused for a test that does not fail on main."""
    named, until_said, day = argument.partition(" until ")
    tests = tuple(dict.fromkeys(word.strip("`,") for word in named.split()))
    until = _day(day) if until_said else None
    red = _failing_on_main(decision)
    if not tests:
        return refuse(replies.waive_needs_tests(red))
    if until_said and until is None:
        return refuse(replies.no_day(day.strip()))
    if until is not None and until < decision.now.date():
        return refuse(replies.no_day(day.strip()))
    unknown = [test for test in tests if test not in red and test not in decision.state.waivers]
    if unknown:
        return refuse(replies.not_red_on_main(unknown, red))
    decision.emit(TestsWaived(tests=tests, until=until, waived_by=author))
    return reply(replies.waived(tests, until))


def _failing_on_main(decision: Decision) -> tuple[str, ...]:
    state = decision.state
    adoption = state.adoption_under(state.main) if state.main else None
    return failing(adoption.results) if adoption is not None else ()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip().strip("`."))
    except ValueError:
        return None
