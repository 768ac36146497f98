"""People watch a running agent and send it messages."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from action.order import EventBatch, EventsAnswer, Fingerprint, RunStatus, ToldWords
from bot.core.state.rate_limits import POINTS_A_MINUTE
from bot.core.values.github_cost import Cost
from bot.entry.commands.watch import print_run
from bot.entry.web.metrics import HeadgateCollector
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import TokenKind
from bot.shell.perform import budget_of
from tests.testkit.house import House
from tests.testkit.runner import Lease
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
KEY = "sk-ant-" + "canary0123456789" * 3


def _metric(shop: House, name: str) -> float:
    found = HeadgateCollector(shop.ports, dict).collect()
    return next(m for m in found if m.name == name).samples[0].value


def _batch(first: int, *texts: str, heard: int = 0, turns: int = 1, files: int = 0) -> EventBatch:
    lines = tuple(
        json.dumps({"at": "2026-11-23T10:00:00+00:00", "kind": "agent", "text": text})
        for text in texts
    )
    status = RunStatus(
        sentence="At work",
        last_tool="bash",
        turns=turns,
        dollars=0.42,
        fingerprint=Fingerprint(files=files),
    )
    return EventBatch(first=first, lines=lines, heard=heard, status=status)


@pytest.mark.slow
def test_a_run_can_be_watched_and_messaged_and_its_end_is_in_the_issue(shop: House) -> None:
    tracking = shop.start(SHOP)
    till = shop.number("Make the till work")
    lease = shop.runner.take()
    assert lease is not None
    shop.settle()

    shop.runner.events(lease, _batch(0, f"I begin. {KEY} ```")).raise_for_status()
    shop.sweep()
    line = "**Now:** At work, 1 turn, $0.42, last tool `bash`"
    assert line in shop.body(till)
    assert "### Working" in shop.body(till)
    spent = "The running agent has spent $0.42 so far."
    assert spent in shop.body(tracking)
    assert _metric(shop, "headgate_agents_at_work_dollars") == 0.42
    why = shop.ask(till, "/headgate why")
    assert line in shop.reply(till, why)

    # At most once a minute, whatever comes.
    shop.runner.events(lease, _batch(1, "On and on.", turns=2, files=3)).raise_for_status()
    shop.sweep()
    assert "1 turn," in shop.body(till)
    shop.forward(seconds=30)
    shop.runner.heartbeat(lease)
    shop.forward(seconds=31)
    shop.sweep()
    assert "2 turns, $0.42, last tool `bash`, 3 files changed" in shop.body(till)

    told = shop.ask(till, "/headgate tell Round half up.")
    assert shop.reactions(told) == ["eyes", "rocket"]
    answer = shop.runner.events(lease, _batch(2, "Next.", turns=2))
    heard = EventsAnswer.model_validate_json(answer.content)
    assert heard.told == (ToldWords(author="ada", text="Round half up."),)
    again = shop.runner.events(lease, _batch(3, "I round.", heard=1, turns=3))
    assert EventsAnswer.model_validate_json(again.content).told == ()

    shop.runner.do(lease)
    shop.settle()
    body = shop.body(till)
    assert "<details><summary>The end of the last attempt's transcript" in body
    assert "10:00:00 agent: I round." in body
    assert "**Now:**" not in body
    assert "### Judging" in body
    assert spent not in shop.body(tracking)
    assert _metric(shop, "headgate_agents_at_work_dollars") == 0
    assert "[secret]" in body
    assert KEY not in body


@pytest.mark.slow
def test_events_of_another_order_are_refused(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    lease.grant = lease.grant.replace(lease_token="another")

    assert shop.runner.events(lease, _batch(0, "Hello.")).status_code == 401


def _asked_by_us(shop: House) -> int:
    return sum(1 for e in shop.hub.exchanges if e.token_kind is TokenKind.INSTALLATION)


def _live(shop: House, lease: Lease, seconds: int) -> None:
    """Time passes, and the run lives."""
    for _ in range(0, seconds, 25):
        shop.forward(seconds=25)
        shop.runner.heartbeat(lease)


@pytest.mark.slow
def test_showing_a_run_respects_limits_and_waits_for_budget(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    shop.settle()
    facts = shop.state.facts
    assert facts is not None
    shop.hub.faults.add(
        Fault(
            kind=FaultKind.REFUSE_BEFORE,
            method="PATCH",
            path_glob="*/issues/*",
            status=403,
            message="You have exceeded a secondary rate limit.",
            retry_after_seconds=300,
        )
    )
    shop.runner.events(lease, _batch(0, "I begin."))
    shop.sweep()
    asked = _asked_by_us(shop)
    _live(shop, lease, 100)
    shop.sweep()
    assert _asked_by_us(shop) == asked

    _live(shop, lease, 300)
    shop.ports.budget.count(budget_of(facts), Cost(points=POINTS_A_MINUTE - 100), shop.clock.now())
    till = shop.number("Make the till work")
    shop.sweep()
    assert "**Now:**" not in shop.body(till)
    _live(shop, lease, 70)
    shop.sweep()
    assert "**Now:**" in shop.body(till)


@pytest.mark.slow
def test_a_terminal_shows_a_run_until_its_end(
    shop: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.start(SHOP)
    monkeypatch.setenv("HEADGATE_VAR", str(shop.settings.var))
    till = f"#{shop.number('Make the till work')}"
    lease = shop.runner.take()
    assert lease is not None
    shop.settle()
    shop.runner.events(
        lease, _batch(0, f"I begin. {KEY}", "\x1b]0;title\x07 I go on.")
    ).raise_for_status()
    with ThreadPoolExecutor() as pool:
        watching = pool.submit(print_run, till, follow=True)
        shop.runner.events(lease, _batch(2, "I end.", files=4))
        shop.runner.do(lease)
        shop.settle()
        assert watching.result(timeout=30) == 0
    shown = capsys.readouterr().out
    assert [word in shown for word in ("I begin. [secret]", "I go on.", "I end.")] == [True] * 3
    assert "\x1b" not in shown + KEY
    assert print_run(till, follow=False) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(shown.splitlines())
    assert shown.count("= At work, 1 turn, $0.42, last tool `bash`, 4 files changed (at ") == 1
    assert print_run("nothing", follow=False) == 1
