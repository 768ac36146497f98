"""The demo's output fits an ordinary terminal, and has whole lines where there is none."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import AgentRun, ChangeFacts, RepositoryState
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import ChangeId, OrderId, PullNumber, Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import Dependency
from bot.demo.processes import MemoryPeak
from bot.demo.screen import memory_line, open_screen, print_verdict, progress_view
from bot.demo.verdict import MainCommit, Verdict
from tests.demo.team import change

SHA = Sha("a" * 40)
LONG = "Catalogue: An unknown kind is refused, Old shed files stay readable and 1 more"


def console(columns: int) -> Console:
    """A console that is no terminal and keeps its output."""
    return Console(file=io.StringIO(), width=columns, force_terminal=False)


def output(on: Console) -> str:
    assert isinstance(on.file, io.StringIO)
    return on.file.getvalue()


def facts(slug: str, state: ChangeState, after: str = "") -> ChangeFacts:
    """A change somewhere on its way."""
    edges = (Dependency(on=after, kind="explicit", evidence=""),) if after else ()
    one = change(None, slug)
    planned = one.planned.model_copy(update={"title": LONG, "depends_on": edges})
    return replace(one, state=state, planned=planned, pull=PullNumber(12), attempt=2)


def state_of(*changes: ChangeFacts) -> RepositoryState:
    """A journal that holds these changes."""
    return RepositoryState(changes={ChangeId(c.id): c for c in changes})


@pytest.mark.parametrize("columns", [80, 120])
def test_progress_fits_the_terminal(columns: int) -> None:
    state = state_of(
        facts("catalogue-contract", ChangeState.WORKING),
        facts("reminders", ChangeState.WAITING, "catalogue-contract"),
    )
    on = console(columns)
    on.print(progress_view("coast/tidepool", state, 12.0, columns))
    text = output(on)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= columns
    assert "coast/tidepool: 0 of 2 landed, 12 s" in text
    assert "working (attempt 2)" in text
    assert ("#12" in text) == (columns == 120)


def test_without_a_terminal_a_line_says_that_a_change_has_moved() -> None:
    on = console(40)
    with open_screen(on, "coast/tidepool") as screen:
        waiting = replace(facts("loans", ChangeState.WAITING), attempt=0)
        screen.show(state_of(waiting), 1.0)
        screen.show(state_of(facts("loans", ChangeState.OFFERED)), 2.0)
        screen.show(state_of(facts("loans", ChangeState.OFFERED)), 3.0)
        screen.say("A sentence that is longer than forty columns stays on one line.")
    assert output(on).splitlines() == [
        "   2.0 s  loans: judging (attempt 2)",
        "A sentence that is longer than forty columns stays on one line.",
    ]


def test_a_frozen_queue_is_printed_once() -> None:
    on = console(80)
    with open_screen(on, "coast/tidepool") as screen:
        for seconds in (1.0, 2.0):
            screen.show(
                RepositoryState(freezes={FreezeCause.RED_MAIN: Freeze(why="main is red.")}), seconds
            )
    assert output(on).splitlines() == ["   1.0 s  The queue is frozen: main is red."]


def run(outcome: str, attempt: int) -> AgentRun:
    """An agent run that ended."""
    return AgentRun(attempt=attempt, order=OrderId(f"o{attempt}"), outcome=outcome)


def test_the_verdict_names_every_problem_and_the_outcome_of_each_attempt() -> None:
    landed = replace(
        change(SHA, "loans"), agent_runs=(run("lost", 1), run("finished", 1), run("finished", 2))
    )
    line = (MainCommit(SHA, SHA, (), "headgate[bot]", LONG * 2),)
    peak = MemoryPeak(300 * 2**20, {"web": 100 * 2**20, "jobs": 200 * 2**20})
    on = console(100)
    print_verdict(on, Verdict(state_of(landed), line, 61.0, ("m",), ()), peak, is_scripted=True)
    text = output(on)
    assert "lost, sent back, landed" in text
    assert f"  aaaaaaa headgate[bot]: {LONG * 2}" in text
    assert "300 MiB (jobs 200, web 100)" in text
    assert "The model was a script" in text
    assert "Good: 1 change landed through the queue within 61 s" in text

    on = console(100)
    print_verdict(
        on, Verdict(state_of(landed), line, 61.0, (), ("a", "b")), peak, is_scripted=False
    )
    assert "Not good: a\nNot good: b\n" in output(on)
    assert "Good:" not in output(on).replace("Not good", "")
    assert "script" not in output(on)


def test_memory_that_was_not_measured_is_not_shown_as_zero() -> None:
    assert "not measured" in memory_line(MemoryPeak())
