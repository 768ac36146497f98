"""Pushes in quick succession are planned together when main is quiet, without another event."""

from pathlib import Path

from bot.core.values.ids import RepositoryId
from tests.scenarios.test_a_spec_becomes_merged_code import SPEC
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY

RESTING = POLICY.replace("quiet_seconds: 0", "quiet_seconds: 60")


def ring_what_is_due(story: House) -> None:
    """The sweep's frequent step, without its rare full look."""
    for repository in story.ports.journal.due(story.clock.now()):
        story.bell.ring_repository(RepositoryId(repository))
    story.settle()


def test_a_spec_is_planned_as_soon_as_main_is_quiet(tmp_path: Path) -> None:
    with house(tmp_path, policy=RESTING) as shop:
        shop.push({"specs/till.md": SPEC}, "Ask for a till")
        shop.settle()
        ring_what_is_due(shop)
        assert shop.issues() == []

        shop.forward(seconds=61)
        ring_what_is_due(shop)
        assert "revision 1" in str(shop.tracking()["body"])


def test_main_is_read_once_after_it_is_quiet(tmp_path: Path) -> None:
    with house(tmp_path, policy=RESTING) as shop:
        shop.push({"README.md": "# A shop\n"}, "Say what it is")
        shop.settle()
        shop.forward(seconds=61)
        ring_what_is_due(shop)
        events = shop.state.events
        ring_what_is_due(shop)
        assert shop.state.events == events
        assert shop.state.main_seen_at is None
