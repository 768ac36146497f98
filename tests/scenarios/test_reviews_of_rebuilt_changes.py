"""An approval of a change is for its work and stays valid on a newer main."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.decide.changes.end_without_landing import landing_of
from bot.shell.perform_landing import land_candidate
from bot.shell.perform_task import Task
from tests.scenarios.test_openspec_folders import start
from tests.scenarios.test_reviews_of_queued_pulls import POLICY, is_merged, submit
from tests.testkit.house import House, house
from tests.testkit.openspec import TILL, TILL_PATH


@pytest.fixture
def market(tmp_path: Path) -> Iterator[House]:
    """Two changes of a delta folder wait for one approval each."""
    with house(tmp_path, {TILL_PATH: TILL}) as story:
        story.push(
            {POLICY: f"{story.main_files()[POLICY]}\nchange_reviews: 1\n"}, "Ask for reviews"
        )
        story.settle()
        story.judge_main()
        start(story)
        story.work()
        yield story


def test_an_approval_stays_valid_after_the_rest_of_the_folder_landed(market: House) -> None:
    dora = market.hire("dora")
    first, second = sorted(int(pull["number"]) for pull in market.pulls("open"))
    assert "landed" not in [line.kind.value for line in market.state.ledger]
    submit(market, first, "APPROVE", dora)
    market.settle()
    market.work()
    assert is_merged(market, first)

    # Built on that, it finishes the folder, which its reviewer has not seen.
    submit(market, second, "APPROVE", dora)
    market.settle()
    market.work()

    assert is_merged(market, second)


def test_a_landing_intended_by_an_older_release_respects_reviews(market: House) -> None:
    """That release had no approvals of changes, so its landing effect does not contain them."""
    number = min(int(pull["number"]) for pull in market.pulls("open"))
    facts, state = market.state.facts, market.state
    change = state.change_with(number)
    assert facts is not None
    assert change is not None
    assert change.pull is not None
    candidate = state.candidate_of(change)
    assert candidate is not None
    landing = landing_of(change, candidate, change.pull).replace(approvals_needed=None)
    main = market.history()

    said = land_candidate(Task(market.ports, facts, state, landing, (), False))

    assert [event.type for event in said] == ["LandAborted", "ChangeReviewed"]
    assert market.history() == main
