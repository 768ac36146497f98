"""A server's clock goes wrong while it runs: GitHub refuses our tokens, and no work is lost."""

from datetime import timedelta

import pytest

from tests.scenarios.test_names_of_branches import (
    install_what_is_listed,
    is_free_again,
    open_a_branch,
)
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
OFF = timedelta(minutes=10)


def told(caplog: pytest.LogCaptureFixture) -> str:
    return " ".join(str(getattr(r, key, "")) for r in caplog.records for key in ("says", "why"))


def test_commands_during_a_wrong_clock_are_run_once_it_is_right(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    tracking = shop.plan(SHOP)
    shop.restart(ports_on_story_clock(shop))
    shop.hub.state.drift = OFF
    asked = shop.ask(tracking, "/headgate approve")
    assert "behind: set it (`timedatectl set-ntp true`)" in told(caplog)
    assert not shop.reactions(asked)

    shop.hub.state.drift = timedelta()
    shop.forward(minutes=6)
    shop.ring_due()
    shop.work()

    assert TILL in shop.main_files()
    assert "rocket" in shop.reactions(asked)


def test_work_interrupted_by_a_wrong_clock_continues_once_it_is_right(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Earlier tokens are valid for an hour: the branch is pushed, but its pull cannot be opened."""
    shop.hub.add_repository("team", "stall")
    shop.hub.commit_files("team/stall", {"README.md": b"# A stall\n"}, "Begin", "ada")
    shop.full_name = "team/stall"
    shop.hire("grace")
    open_a_branch(shop, "headgate", "grace")
    shop.restart(ports_on_story_clock(shop))
    install_what_is_listed(shop)
    shop.hub.state.drift = OFF
    is_free_again(shop, "headgate", "grace")
    assert shop.pulls() == []
    assert "behind: set it (`timedatectl set-ntp true`)" in told(caplog)

    shop.hub.state.drift = timedelta()
    shop.forward(minutes=6)
    shop.ring_due()

    assert [pull["head"]["ref"] for pull in shop.pulls()] == ["headgate/first-gates"]
