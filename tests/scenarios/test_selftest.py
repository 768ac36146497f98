"""`headgate selftest`: each thing that Headgate needs is tried, told, and removed again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.talk import selftest_text as text
from bot.core.values.selftest import Held, TestLine
from bot.shell.selftest import RUNNER_WITHIN, SelfTest
from tests.testkit.house import House, house


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as made:
        yield made


def selftest(shop: House, runner: bool = True) -> dict[str, TestLine]:
    """The lines by name; a runner works while it is waited for, unless there is none."""

    def wait(seconds: float) -> None:
        if runner:
            shop.runner.do_all()
        shop.forward(seconds=seconds)

    state = shop.state
    assert state.facts
    assert state.main
    policy = shop.observer.policy_at(state.facts, state, state.main)
    lines = SelfTest(shop.ports, state.facts, policy, wait).run()
    return {one.name: one for one in lines}


def permissions(shop: House) -> dict[str, str]:
    return next(iter(shop.hub.state.installations.values())).permissions


def leftovers(shop: House) -> list[str]:
    refs = shop.hub.repository(shop.full_name).refs
    open_issues = shop.api("GET", shop.repo("/issues")).json()
    return [ref for ref in refs if "selftest" in ref] + [one["title"] for one in open_issues]


def test_everything_holds_and_nothing_is_left(shop: House) -> None:
    before = shop.every_event()
    found = selftest(shop)
    assert {one.name: one.says for one in found.values() if one.held is not Held.YES} == {}
    assert len(found) == 8
    assert found[text.SWAP[0]].says == "`updateRefs`"
    assert text.RUNNER_HELD in found[text.RUNNER[0]].says
    assert leftovers(shop) == []
    shop.settle()
    assert shop.every_event() == before


def test_a_missing_permission_is_told_with_the_fix_and_the_rest_is_tried(shop: House) -> None:
    del permissions(shop)["checks"]
    found = selftest(shop)
    check = found[text.CHECK[0]]
    assert check.held is Held.NO
    assert "permissions" in check.says
    assert check.fix == text.CHECK[1]
    assert found[text.ISSUES[0]].held is Held.YES
    assert leftovers(shop) == []


def test_without_a_runner_the_order_is_taken_back(shop: House) -> None:
    found = selftest(shop, runner=False)
    late = found[text.RUNNER[0]]
    assert (late.held, late.says) == (
        Held.NO,
        text.runner_late(RUNNER_WITHIN.seconds, took_it=False),
    )
    assert shop.runner.take() is None
    assert leftovers(shop) == []


def test_without_workflows_no_runner_is_asked(shop: House) -> None:
    shop.push({".github/workflows/headgate-gates.yml": None}, "Remove a workflow")
    shop.settle()
    found = selftest(shop)
    assert "main lacks .github/workflows/headgate-gates.yml" in found[text.WORKFLOWS[0]].says
    assert found[text.RUNNER[0]].held is Held.NOT_TRIED


def test_without_writing_nothing_is_left_either(shop: House) -> None:
    permissions(shop)["contents"] = "read"
    # Tokens of before would still be good.
    shop.restart()
    found = selftest(shop)
    # git has one token, which may push.
    assert found[text.MAIN[0]].held is Held.NO
    assert found[text.MAIN[0]].fix == text.MAIN[1]
    assert text.REFS[0] not in found
    assert leftovers(shop) == []
