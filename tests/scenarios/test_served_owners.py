"""`HEADGATE_OWNERS`: other owners who install the App are not served and spend nothing."""

from pathlib import Path

from bot.core.values.repository import AwayReason
from bot.shell.sweep import SweepState, sweep
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec


def serve(story: House, owners: str) -> None:
    """The server is started again with these owners, and its sweep looks."""
    story.settings = story.settings.model_copy(update={"owners": owners})
    story.restart(ports_on_story_clock(story))
    sweep(story.ports, SweepState())
    story.settle()


def test_work_of_an_owner_who_is_no_longer_served_waits(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL")))
    serve(shop, "somebody, Else")
    away = shop.state.away
    assert away is not None
    assert away.reason is AwayReason.NOT_SERVED
    assert shop.runner.take() is None
    assert "does not serve the repository's owner" in shop.runner.refused[0]

    serve(shop, "Team")
    assert shop.state.away is None
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_an_installation_by_an_unserved_owner_starts_no_work(tmp_path: Path) -> None:
    with house(tmp_path, owners="somebody") as story:
        sweep(story.ports, SweepState())
        story.settle()
        assert story.ports.journal.repositories() == ()
        assert story.state.facts is None
