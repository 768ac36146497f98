"""A self-test by command line or comment: everything is tried, reported, and removed again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.talk import selftest_text as text
from bot.core.values.selftest import SELF_TEST_WITHIN, Held, TestLine
from bot.localhub.rule_model import RefRule, Ruleset
from bot.shell.selftest import HOSTED_WITHIN, RUNNER_WITHIN, SelfTest
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.runner import Runner


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


def test_a_successful_self_test_leaves_nothing_behind(shop: House) -> None:
    before = shop.every_event()
    found = selftest(shop)
    assert {one.name: one.says for one in found.values() if one.held is not Held.YES} == {}
    assert len(found) == 10
    assert found[text.SWAP[0]].says == "`updateRefs`"
    assert text.RUNNER_HELD in found[text.RUNNER[0]].says
    assert leftovers(shop) == []
    shop.settle()
    assert shop.every_event() == before


def test_a_missing_permission_is_reported_with_its_fix_and_other_checks_run(shop: House) -> None:
    del permissions(shop)["checks"]
    found = selftest(shop)
    check = found[text.CHECK[0]]
    assert check.held is Held.NO
    assert "permissions" in check.says
    assert check.fix == text.CHECK[1]
    assert found[text.ISSUES[0]].held is Held.YES
    assert leftovers(shop) == []


def test_the_self_test_reports_a_rule_that_refuses_every_landing(shop: House) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    shop.hub.add_ruleset(shop.full_name, Ruleset(7, "Reviews", ("~DEFAULT_BRANCH",), rules))
    found = selftest(shop)
    line = found[text.RULES[0]]
    assert (line.held, line.fix) == (Held.NO, text.RULES[1])
    assert "lets `main` change only through a pull request" in line.says
    assert found[text.REFS[0]].held is Held.YES


def test_missing_signatures_matter_only_if_a_rule_requires_them(shop: House) -> None:
    assert "GitHub signed" in selftest(shop)[text.SIGNED[0]].says
    shop.hub.state.signs_for_apps = False
    line = selftest(shop)[text.SIGNED[0]]
    assert (line.held, line.says) == (Held.YES, text.unsigned_and_unasked("unsigned"))
    rules = frozenset({RefRule.REQUIRED_SIGNATURES})
    shop.hub.add_ruleset(shop.full_name, Ruleset(7, "Signed", ("~DEFAULT_BRANCH",), rules))
    line = selftest(shop)[text.SIGNED[0]]
    assert (line.held, line.fix) == (Held.NO, text.SIGNED[1])
    assert line.says == text.unsigned("unsigned")


def test_the_self_test_uses_the_runner_of_the_policy(shop: House) -> None:
    shop.push(
        {".github/headgate.yml": POLICY + "runs_on: ubuntu-latest\n"}, "Use GitHub's machines"
    )
    shop.settle()
    late = selftest(shop)[text.RUNNER[0]]
    assert late.says == text.runner_late(HOSTED_WITHIN.seconds, took_it=False)
    labels = ("ubuntu-latest",)
    shop.runner = Runner(shop.url, shop.folder / "hosted", shop.http, labels=labels)
    assert text.RUNNER_HELD in selftest(shop)[text.RUNNER[0]].says


def test_without_a_runner_the_self_test_revokes_its_order(shop: House) -> None:
    found = selftest(shop, runner=False)
    late = found[text.RUNNER[0]]
    assert (late.held, late.says) == (
        Held.NO,
        text.runner_late(RUNNER_WITHIN.seconds, took_it=False),
    )
    assert shop.runner.take() is None
    assert leftovers(shop) == []


def test_without_workflows_the_self_test_uses_no_runner(shop: House) -> None:
    shop.push({".github/workflows/headgate-gates.yml": None}, "Remove a workflow")
    shop.settle()
    found = selftest(shop)
    assert "main lacks .github/workflows/headgate-gates.yml" in found[text.WORKFLOWS[0]].says
    assert found[text.RUNNER[0]].held is Held.NOT_TRIED


def test_a_self_test_without_write_permission_leaves_nothing_behind(shop: House) -> None:
    permissions(shop)["contents"] = "read"
    # Tokens of before would still be good.
    shop.restart()
    found = selftest(shop)
    # git has one token, which may push.
    assert found[text.MAIN[0]].held is Held.NO
    assert found[text.MAIN[0]].fix == text.MAIN[1]
    assert text.REFS[0] not in found
    assert leftovers(shop) == []


def later(shop: House, seconds: float) -> None:
    shop.forward(seconds=seconds)
    shop.ring_due()


def asked(shop: House) -> int:
    """The issue on which a self-test was asked for."""
    issue = shop.api("POST", shop.repo("/issues"), {"title": "Does it work?"}).json()["number"]
    shop.comment(issue, "/headgate selftest")
    shop.settle()
    return int(issue)


# A comment that may have been sent is looked for first, when lists would have it.
LISTED = 4


def test_a_self_test_command_is_answered_with_the_table(shop: House) -> None:
    del permissions(shop)["checks"]
    issue = asked(shop)
    later(shop, LISTED)
    (answer,) = shop.comments(issue)[1:]
    assert "1 of 10 checks failed." in answer
    assert f"| {Held.NO} | {text.CHECK[0]} |" in answer
    assert text.CHECK[1] in answer
    assert text.RUNNER_HELD in answer
    assert leftovers(shop) == ["Does it work?"]
    # Another one is another one.
    shop.comment(issue, "/headgate selftest")
    shop.settle()
    later(shop, LISTED)
    assert len(shop.comments(issue)) == 4


def test_a_self_test_that_never_ends_is_reported_and_not_repeated(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[SelfTest] = []

    def dies(self: SelfTest) -> None:
        begun.append(self)
        raise SystemExit

    monkeypatch.setattr(SelfTest, "run", dies)
    with pytest.raises(SystemExit):
        asked(shop)
    # Longer than a reading may take, and shorter than a self-test.
    later(shop, 100)
    assert len(begun) == 1
    assert shop.comments(1)[1:] == []
    later(shop, SELF_TEST_WITHIN.total_seconds())
    later(shop, LISTED)
    (answer,) = shop.comments(1)[1:]
    assert text.no_end() in answer
    assert len(begun) == 1
