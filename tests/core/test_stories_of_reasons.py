"""Replies to `why` state facts: the gate, the entry ahead, the runner, the person, the time."""

from datetime import timedelta

import pytest

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding, AgentQuestion
from bot.core.journal import events as ev
from bot.core.journal.effects import DispatchOrder, EditComment, EditIssue, PostComment
from bot.core.state.observed import Hint, HintKind
from bot.core.talk import issues
from bot.core.talk.issues import status_text
from bot.core.values.ids import EffectKey, OrderId
from bot.core.values.lifecycle import ChangeState, OfferStage
from gates.result import Ending
from tests.core.kit import World, approved, judging, proposed
from tests.core.values import GATES, START, beside, chain, policy, requirement, spec

S = ChangeState


def why(world: World, requirement: str) -> str:
    """The reply to `/headgate why` about a change, on its issue if it has one."""
    change = world.change(requirement)
    before = len(world.posted)
    if change.issue is None:
        world.say(world.run.issue or 0, f"/headgate why {change.slug}")
    else:
        world.say(change.issue, "/headgate why")
    world.pass_time(1)
    world.settle()
    return next(text for _, text in reversed(world.posted[before:]) if "`" in text)


def number(world: World, requirement: str) -> int:
    return world.change(requirement).issue or 0


def _dispatches(world: World) -> list[EffectKey]:
    """Orders that GitHub has not been told of yet."""
    return [k for k, e in world.state.open_effects.items() if isinstance(e, DispatchOrder)]


class TestWhy:
    """`/headgate why` says the cause that counts now."""

    def test_why_names_the_missing_approval(self) -> None:
        world = proposed()
        said = f"comment `/headgate approve` on #{world.run.issue} (needs the role write)."
        assert said in why(world, "A")

    def test_why_names_the_missing_runner_with_its_label(self) -> None:
        world = approved(beside(1))
        world.pass_time(720)
        said = why(world, "R0")
        assert (
            "No runner with the label `headgate` has taken its order since 2026-03-02 09:00" in said
        )
        assert "https://github.test/acme/shop/actions/runs/" in said
        assert "After 2026-03-02 09:15 UTC Headgate sends the order again." in said

    def test_why_names_runner_labels_of_the_policy(self) -> None:
        labels = "runs_on:\n  agents: [gpu, linux]\n  gates: [plain]\n"
        world = approved(beside(1), GATES + labels)
        assert "No runner with the labels `gpu`, `linux` has taken its order" in why(world, "R0")
        world.lease(world.open_orders(AgentOrder)[0])
        world.settle()
        world.pass_time(46)
        world.settle()
        assert "start a runner with the labels `gpu`, `linux`: no runner completed" in (
            first_line(world)
        )
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert "No runner with the label `plain` has taken its order" in why(world, "R0")

    def test_why_names_the_working_agent(self) -> None:
        world = approved(beside(1))
        world.lease(world.open_orders(AgentOrder)[0], seconds=600)
        assert "An agent has been working on it since 2026-03-02 09:00 UTC" in why(world, "R0")

    def test_why_names_the_dependency_and_its_state(self) -> None:
        world = approved(chain())
        assert f"It starts when #{number(world, 'A')} (working) has landed." in why(world, "B")

    def test_why_names_the_changes_that_use_the_slots(self) -> None:
        world = approved(beside(2), f"{GATES}max_parallel: 1\n")
        said = (
            f"Agents are working on #{number(world, 'R0')} (working), and no more can work at "
            "the same time"
        )
        assert f"{said} (`max_parallel: 1`)." in why(world, "R1")

    def test_why_names_the_open_question_and_its_deadline(self) -> None:
        world = approved(beside(1))
        asked = AgentQuestion(question="Which colour?", assumption="Blue")
        world.ask(world.open_orders(AgentOrder)[0], asked)
        world.settle()
        said = why(world, "R0")
        assert f"Its agent asks in #{number(world, 'R0')}: “Which colour?”" in said
        assert "Without an answer it continues at 2026-03-05 09:00 UTC." in said

    def test_why_names_the_entry_ahead(self) -> None:
        world = approved(beside(2))
        world.refusals["LandCandidate"] = "nothing lands now"
        world.work(until=lambda w: w.stage("R1") is OfferStage.QUEUED)
        front, behind = sorted(
            ("R0", "R1"), key=lambda r: world.state.entry_of(world.change(r)).entered or 0
        )
        ahead = f"Ahead of it in the queue: #{number(world, front)} (queued)."
        assert ahead in why(world, behind)
        said = why(world, front)
        assert "nothing lands now. Headgate tries again at 2026-03-02 09:0" in said

    def test_why_names_the_files_of_a_waiting_conflict(self) -> None:
        world = approved(beside(2), f"{GATES}max_parallel: 2\n")
        for name in ("R0", "R1"):
            world.conflicting[world.change(name).id] = ("routes.txt",)
            world.hand_in(world.agent_order_of(name))
            world.settle()
        said = (
            f"a conflict with main in `routes.txt` and waits for #{number(world, 'R0')} (working)"
        )
        assert said in why(world, "R1")

    def test_why_names_the_running_gates(self) -> None:
        world, order = judging()
        world.lease(order, seconds=600)
        assert "The gates have been running on its candidate since 2026-03-02 09:00 UTC" in why(
            world, "R0"
        )

    def test_why_names_the_red_main(self) -> None:
        world = approved(beside(1))
        world.push_code("broken")
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.GAVE_UP, "It cannot be done")
        world.settle()
        said = (
            "is red. Did not pass: test (failed). It comes from a commit by ann that Headgate "
            "did not"
        )
        assert said in why(world, "R0")
        assert "It continues when main is fixed." in why(world, "R0")

    def test_why_names_a_github_limit_and_its_end(self) -> None:
        world = proposed(beside(1))
        world.say(world.run.issue or 0, "/headgate approve")
        while not (keys := _dispatches(world)):
            world.perform()
            world.decide()
        (key,) = keys
        until = START + timedelta(minutes=40)
        limit = "GitHub's limit of requests an hour is used up."
        world.write((ev.EffectDelayed(key=key, sentence=limit, until=until, tries=1),))
        world.say(number(world, "R0"), "/headgate why")
        for _ in range(3):
            world.decide()
        (reply,) = [e.text for e in world.intended if isinstance(e, PostComment)]
        assert f"{limit} Headgate tries again at 2026-03-02 09:40 UTC." in reply

    def test_why_names_the_blocking_change_and_the_command_to_use(self) -> None:
        world = approved(chain(), f"{GATES}attempts_max: 1\nreplan_cycles_max: 0\n")
        world.work(until=lambda w: w.stage("A") is OfferStage.JUDGING)
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        said = why(world, "B")
        assert f"It is held back by #{number(world, 'A')} (failed)." in said
        assert f"comment `/headgate retry` on #{number(world, 'A')}." in why(world, "A")


def rows(world: World, requirement: str) -> list[str]:
    """The rows of the table of attempts in a change's issue, without turns and tokens."""
    text = status_text(world.state, world.change(requirement))
    found = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [line.rsplit("|", 3)[0].rstrip() for line in found]


def lose_gates(world: World, order: OrderId) -> None:
    """The gates' job ends without a report, in its own words."""
    world.job_errors = ("No space left on device.", "and more")
    world.ended_runs[order] = "failure"
    run = world.state.orders[order].workflow_run
    assert run is not None
    world.tick((Hint(kind=HintKind.WORKFLOW_RUN, number=run),))
    world.settle()


class TestLostGates:
    """A gate order whose job ended without a report is told in the job's own words."""

    WORDS = "The job's message: No space left on device.; and more"

    def test_lost_gates_of_a_change_are_explained(self) -> None:
        world, order = judging()
        lose_gates(world, order)
        said = why(world, "R0")
        assert "Its gates were lost 1 time in a row. The last time: The workflow run ended" in said
        assert self.WORDS in said
        assert "no runner completed the gates of #" in first_line(world)
        assert self.WORDS in first_line(world)

    def test_lost_gates_are_not_mentioned_after_a_gate_report(self) -> None:
        world = approved(beside(1), GATES.replace("    repeat: 0\n", ""))
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        lose_gates(world, world.open_orders(GateOrder)[0])
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        assert world.stage("R0") is OfferStage.JUDGING, "the red gates are asked once more"
        assert "were lost" not in why(world, "R0")
        assert "carry out" not in first_line(world)

    def test_lost_gates_of_main_are_explained_until_they_freeze_the_queue(self) -> None:
        world = approved(beside(1))
        world.push_code("x")
        world.settle()
        lose_gates(world, world.open_orders(GateOrder)[0])
        said = why(world, "R0")
        assert "The gates of main were lost 1 time in a row." in said
        assert self.WORDS in said
        for _ in range(2):
            lose_gates(world, world.open_orders(GateOrder)[0])
        assert "no runner completed its gates, 3 times. The last time: The workflow" in (
            world.state.frozen or ""
        )
        assert "The gates of main" not in why(world, "R0"), "the frozen queue says it"


class TestAttempts:
    """The table of attempts says what stopped each."""

    def test_an_attempt_shows_the_gate_and_the_failed_tests(self) -> None:
        world, order = judging()
        world.judge(order, ("tests/a.py::b", "x", "y", "z", "w", "v"), test=Ending.FAILED)
        world.settle()
        said = "`test` failed: `tests/a.py::b`, `x`, `y` and 3 more"
        assert rows(world, "R0") == [f"| 1 | gates red | {said}"]
        world.work()
        assert rows(world, "R0") == [f"| 1 | gates red | {said}", "| 2 | landed | –"]

    def test_a_gate_without_named_tests_is_explained_by_its_error_line(self) -> None:
        world, order = judging()
        world.log = "warning: old\nmain.c:3: error: no such thing\nmake: *** wait\n"
        world.judge(order, test=Ending.FAILED)
        world.settle()
        assert rows(world, "R0") == [
            "| 1 | gates red | `test` failed: main.c:3: error: no such thing"
        ]

    def test_a_lost_order_is_not_numbered_as_an_attempt(self) -> None:
        world = approved(beside(1))
        for _ in range(2):
            world.lease(world.open_orders(AgentOrder)[0])
            world.settle()
            world.pass_time(46)
            world.settle()
        lost = "| – | lost | The runner stopped responding: it missed three heartbeats."
        assert rows(world, "R0") == [lost, lost]

    def test_a_conflict_names_the_files(self) -> None:
        world = approved(beside(1))
        world.conflicting[world.change("R0").id] = ("routes.txt",)
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert rows(world, "R0") == ["| 1 | conflict with main | `routes.txt`"]

    def test_the_report_names_the_test_that_stopped_a_change(self) -> None:
        world = approved(beside(1), f"{GATES}attempts_max: 1\n")
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        world.judge(world.open_orders(GateOrder)[0], ("t.py::sum",), test=Ending.FAILED)
        world.work()
        assert "The gates said: `test` failed: `t.py::sum`. To try again" in world.replies()


def first_line(world: World) -> str:
    """What the tracking issue begins with, as GitHub was last told."""
    told = [e for e in world.intended if isinstance(e, EditIssue) and e.region == issues.NOW]
    return told[-1].text if told else ""


class TestTheFirstLine:
    """The tracking issue begins with what happens now and who must do what."""

    def test_the_first_line_comes_before_the_plan(self) -> None:
        world = proposed(chain())
        body = issues.tracking_body(world.state, policy(), world.run)
        now = "**Now:** revision 1 of the plan waits for approval, and no work has started."
        to_do = "**To do:** comment `/headgate approve` (needs the role write)."
        assert body.splitlines()[3] == f"{now} {to_do}"

    def test_the_first_line_counts_running_changes_and_asks_for_nothing(self) -> None:
        world = approved(chain())
        a, c = number(world, "A"), number(world, "C")
        said = f"**Now:** 1 waiting, 2 working (#{a}, #{c}). There is nothing to do."
        assert first_line(world) == said

    def test_the_first_line_links_a_question_with_its_deadline(self) -> None:
        world = approved(beside(1))
        world.ask(world.open_orders(AgentOrder)[0], AgentQuestion(question="Which?"))
        world.settle()
        said = f"answer the question in #{number(world, 'R0')} until 2026-03-05 09:00 UTC."
        assert first_line(world).endswith(f"**To do:** {said}")

    def test_the_first_line_names_the_label_of_a_missing_runner(self) -> None:
        world = approved(beside(1))
        world.pass_time(901)
        world.settle()
        said = "**To do:** start a self-hosted runner with the labels in"
        assert said in first_line(world)

    def test_the_first_line_asks_a_person_to_repair_a_red_main(self) -> None:
        world = approved(beside(1))
        world.push_code("broken")
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        assert "**To do:** fix main: main at" in first_line(world)

    def test_the_first_line_of_an_ended_run_counts_landings_and_failures(self) -> None:
        world = approved(beside(2), f"{GATES}attempts_max: 1\n")
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.work()
        failed = next(c for c in world.state.changes.values() if c.state is S.FAILED)
        said = "**Now:** the run has ended; 1 of 2 changes landed. **To do:** read why "
        assert first_line(world).startswith(f"{said}#{failed.issue} failed")


class TestThePlanInTheIssue:
    """The plan is open before approval and collapsed afterwards."""

    def test_plan_details_are_collapsed_after_approval(self) -> None:
        world = proposed(chain())
        open_text = issues.plan_text(world.run, policy())
        assert "<details><summary>The plan in detail" not in open_text
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        text = issues.plan_text(world.run, policy())
        above, _, folded = text.partition("<details><summary>The plan in detail</summary>")
        assert "Approved by @ann." in above
        assert "| Change | Type |" not in above
        assert "| Change | Type |" in folded
        assert text.endswith("</details>")

    def test_a_long_plan_keeps_its_closing_details_tag(self) -> None:
        """Otherwise the rest of the issue would be collapsed, too."""
        many = [requirement(f"R{n}", f"domain{n}", title="x" * 200) for n in range(240)]
        world = proposed(spec(*many))
        world.say(world.run.issue or 0, "/headgate approve all")
        world.settle(ticks_max=400)
        body = issues.tracking_body(world.state, policy(), world.run)
        assert "cut here" in body
        assert body.count("<details>") == body.count("</details>") == 1


class TestTheReport:
    def test_a_run_that_was_reopened_has_one_report_which_is_edited(self) -> None:
        world = approved(beside(1), f"{GATES}attempts_max: 1\n")
        world.work(until=lambda w: w.stage("R0") is OfferStage.JUDGING)
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.work()
        assert world.run.issue_closed
        world.say(number(world, "R0"), "/headgate retry agent")
        world.work()
        written = [e for e in world.intended if isinstance(e, PostComment | EditComment)]
        reports = [e for e in written if e.text.startswith("### Report")]
        assert [type(e) for e in reports] == [PostComment, EditComment]
        assert [e.subject for e in reports] == [f"report {world.run.id}"] * 2
        assert "1 of 1 requirements landed" in reports[-1].text
        assert world.run.issue_closed


@pytest.mark.parametrize("requirement", ["A", "B", "C"])
def test_reasons_do_not_quote_the_table_of_states(requirement: str) -> None:
    """The name of a state is not a reason."""
    world = approved(chain())
    assert "starts it when the plan is approved" not in why(world, requirement)
