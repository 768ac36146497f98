"""A conflict with a moved main rebuilds the candidate and does not count."""

from bot.core.journal.effects import BuildCandidate, BuildPull
from bot.core.journal.events import EffectIntended, Event
from bot.core.values.ids import Sha
from bot.shell.perform_git import build_candidate
from bot.shell.perform_queue import build_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_people_at_pulls_and_issues import ONE, up_to_the_pull
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.testkit.house import House


def _pull(shop: House) -> tuple[int, str]:
    """A pull that does not merge with main; its number and its head."""
    shop.push({"desk.txt": "one\n"})
    number, head = open_pull(shop, "desk", {"desk.txt": "two\n"})
    shop.push({"desk.txt": "three\n"})
    shop.work()
    return number, head


def test_a_persons_pull_keeps_its_place(shop: House) -> None:
    number, _ = _pull(shop)
    shop.ask(number, "/headgate queue")
    (build,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, BuildPull)
    )
    facts = shop.state.facts
    assert facts is not None

    def built() -> list[str]:
        said: tuple[Event, ...] = build_pull(Task(shop.ports, facts, shop.state, build, (), False))
        return [event.type for event in said]

    assert built() == ["PullUnfit"]
    shop.push({"desk.txt": "two\n"})
    assert built() == []


def test_a_build_on_an_outdated_main_reports_no_conflict(shop: House) -> None:
    _, head = _pull(shop)
    shop.start(ONE)
    up_to_the_pull(shop)
    intended = [
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, BuildCandidate)
    ]
    facts = shop.state.facts
    assert facts is not None
    assert shop.state.main is not None
    build = intended[-1].replace(head=Sha(head), base=shop.state.main)

    def built() -> list[str]:
        task = Task(shop.ports, facts, shop.state, build, (), False)
        return [event.type for event in build_candidate(task)]

    assert built() == ["CandidateConflicted"]
    shop.push({"desk.txt": "two\n"})
    assert built() == []
