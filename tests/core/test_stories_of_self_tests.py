"""`/headgate selftest`: the needed role, and one at a time."""

import pytest

from bot.core.journal.effects import RunSelfTest
from bot.core.talk import selftest_text
from bot.core.values.ids import IssueNumber
from bot.core.values.repository import Role
from bot.core.values.selftest import Held, TestLine
from tests.core.kit import World


@pytest.mark.parametrize(("role", "is_made"), [(Role.TRIAGE, False), (Role.WRITE, True)])
def test_the_selftest_command_needs_write_permission(role: Role, is_made: bool) -> None:
    world = World()
    world.say(7, "/headgate selftest", role=role)
    world.settle()
    assert ((7, selftest_text.no_end()) in world.posted) is is_made
    assert ("needs the role write" in world.replies()) is not is_made


def test_a_second_self_test_waits_for_the_first() -> None:
    world = World()
    world.say(7, "/headgate selftest")
    for _ in range(4):
        world.decide()
    made = [e for e in world.state.open_effects.values() if isinstance(e, RunSelfTest)]
    assert [one.issue for one in made] == [7]
    world.say(8, "/headgate selftest")
    for _ in range(4):
        world.decide()
    world.settle()
    assert selftest_text.under_way(IssueNumber(7)) in world.replies()
    assert [at for at, said in world.posted if said == selftest_text.no_end()] == [7]


def test_the_answer_is_a_table_with_escaped_text() -> None:
    lines = (
        TestLine(name="a check run", held=Held.NO, says="403 | no, @ann", fix="accept it"),
        TestLine(name="own refs", held=Held.YES, says="refs/headgate/x"),
    )
    said = selftest_text.answer(lines)
    assert "1 of 2 checks failed." in said
    (row,) = [line for line in said.splitlines() if "a check run" in line]
    assert row.count(" | ") == 3
    assert "@ann" not in row
    assert "All checks passed." in selftest_text.answer(lines[1:])
