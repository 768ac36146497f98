"""An id on another text: the pull asks, the answer decides, and coverage is doubtful until then."""

import pytest

from bot.core.state.coverage import CoverageStatus, coverage
from bot.core.values.spec_model import Spec
from tests.core.kit import World, proposed
from tests.core.test_stories_of_proposed_ids import DOOR, NUMBER, SUM, ids_in_table, one, spec, told

# The number of the sum, and nothing else of it.
OTHER = ("REQ-TILL-01", "Fetch mail", "A clerk SHALL bring parcels from the depot each Monday.")
RID = "specs.shop#REQ-TILL-01"
QUESTION = "Is REQ-TILL-01 still the same requirement?"


def registered(world: World) -> list[str]:
    return [str(e.rid) for e in world.state.register_now.entries]


def doubted() -> tuple[World, Spec]:
    """A pull that writes another requirement under a known number."""
    world = proposed(spec(SUM, DOOR))
    return world, spec(OTHER, DOOR)


def status(world: World, text: Spec) -> CoverageStatus:
    found = coverage(world.state, world.run, text, None)
    return next(row.status for row in found.rows if row.requirement == RID)


def test_the_pull_asks_with_both_texts() -> None:
    world, edit = doubted()
    check = told(world, one(edit))
    assert QUESTION in check.summary
    assert "It was “sum up the till must sum up the prices" in check.summary
    assert "it is now “Fetch mail: A clerk SHALL bring parcels" in check.summary


def test_a_text_that_kept_half_of_its_words_raises_no_question() -> None:
    world = proposed(spec(SUM, DOOR))
    close = (SUM[0], "Add up", "The till MUST sum up the prices of everything that is in a basket.")
    assert QUESTION not in told(world, one(spec(close, DOOR))).summary


def test_an_unchanged_title_raises_no_question() -> None:
    world = proposed(spec(SUM, DOOR))
    followed = (SUM[0], SUM[1], OTHER[2])
    assert QUESTION not in told(world, one(spec(followed, DOOR))).summary


def landed(world: World, edit: Spec) -> None:
    """The edit on main, approved and landed."""
    world.push_spec(edit, "v2")
    world.settle()
    world.pass_time(10)
    world.say(world.run.issue or 0, "/headgate approve")
    world.work()


def test_coverage_is_doubtful_until_the_question_is_answered() -> None:
    world, edit = doubted()
    landed(world, edit)
    assert status(world, edit) is CoverageStatus.DOUBTFUL
    number = world.state.asked[world.run.path].questions[0].number
    world.say(world.run.issue or 0, f"/headgate answer {number} yes, only the words are new")
    world.settle()
    assert status(world, edit) is CoverageStatus.IMPLEMENTED


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ("yes", ["specs.shop#REQ-DOOR-01", RID]),
        ("no, this is new", ["specs.shop#REQ-DOOR-01", RID, f"{RID}~2"]),
    ],
)
def test_an_answer_in_the_pull_stays_valid_on_main(answer: str, ids: list[str]) -> None:
    world, edit = doubted()
    told(world, one(edit))
    world.say(NUMBER, f"/headgate answer 1 {answer}")
    world.settle()
    assert ids[-1] in ids_in_table(told(world, one(edit))) or ids[-1].endswith("~2")
    world.push_spec(edit, "v2")
    world.settle()
    assert registered(world) == ids
    assert not any(e.was for e in world.state.register_now.entries)


def test_a_requirement_that_is_restored_word_for_word_gets_its_id_back() -> None:
    world = proposed(spec(SUM, DOOR))
    world.push_spec(spec(DOOR), "v2")
    world.settle()
    world.push_spec(spec(DOOR, SUM), "v3")
    world.settle()
    assert registered(world) == ["specs.shop#REQ-DOOR-01", RID]
    planned = {r for c in world.state.changes_of(world.run.id) for r in c.planned.requirements}
    assert RID in planned
