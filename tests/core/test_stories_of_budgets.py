"""What agents cost: budgets of a change, a run and a day, and the question whether to go on."""

from datetime import timedelta

from action.order import AgentOrder
from action.report import AgentEnding
from bot.core.decide.decide import wake_at
from bot.core.journal.events import FailureReason
from bot.core.journal.state import asked_at, snapshot_of
from bot.core.prompts.figures import Learned
from bot.core.state.learned import learned
from bot.core.talk.issues import plan_text
from bot.core.talk.now_text import now_text
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import ChangeSize
from bot.core.values.question import money_place
from bot.core.values.repository import Role
from bot.core.values.spec_model import Finding, Severity, Spec
from tests.core.kit import World, approved
from tests.core.values import GATES, PATH, beside, policy, requirement, spec

S = ChangeState
OTHER = "specs/other.md"
# An attempt of the kit uses 100 tokens: a dollar. One at a small change may cost two.
PRICED = (
    f"{GATES}agent: {{model: m1, dollars_max: 4}}\nprices: {{m1: {{input: 10000, output: 0}}}}\n"
)


def world_of(count: int, budgets: str, parallel: int = 1) -> World:
    return approved(beside(count), f"{PRICED}max_parallel: {parallel}\nbudgets: {{{budgets}}}\n")


def tracking(world: World) -> int:
    assert world.run.issue is not None
    return int(world.run.issue)


def say(world: World, text: str, role: Role = Role.ADMIN, author: str = "ann") -> None:
    world.pass_time(1)
    world.say(tracking(world), text, role=role, author=author)
    world.settle()


def landed(world: World) -> int:
    return sum(c.state is S.LANDED for c in world.state.changes.values())


def with_a_question() -> Spec:
    """The same spec, of which the rules ask something."""
    whole = beside(4)
    asked = Finding(
        code="x", severity=Severity.ASK, line=3, quote="fast", question="How fast?", path=PATH
    )
    document = whole.documents[0].model_copy(update={"findings": (asked,)})
    return whole.model_copy(update={"documents": (document,)})


def money_comment(world: World) -> str:
    """As people see it: without the gaps that keep two amounts from being a formula."""
    posted = [text for _, text in world.posted if text.startswith("**The budget of this")][-1]
    return posted.replace("\u200b", "")


def spent_out(count: int = 4) -> World:
    """A run whose budget of two dollars is spent, by two agents."""
    world = world_of(count, "run_dollars: 2")
    world.work()
    assert landed(world) == 2
    return world


class TestRun:
    def test_a_run_without_budget_pauses_and_asks_once(self) -> None:
        world = spent_out()
        assert world.open_orders(AgentOrder) == []
        assert "spent $2.00 of its $2.00. Continue for $4.00 more?" in money_comment(world)
        assert len([t for _, t in world.posted if "The budget of this" in t]) == 1
        now = now_text(world.state, policy(world.policy_text or ""), world.run)
        assert "decide whether agents may spend more: question 1" in now
        assert "Agents have spent $2.00 of the run's $2.00." in now

    def test_yes_adds_the_requested_amount_to_the_budget(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 yes")
        assert world.run.cents_added == 400
        world.work()
        assert landed(world) == 4
        assert "Answered by @ann: yes, $4.00 more" in money_comment(world)

    def test_an_amount_is_added_and_the_next_question_uses_the_same_comment(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 $1")
        world.work()
        assert landed(world) == 3
        assert "**2.** The agents of this spec run have spent $3.00 of its $3.00" in money_comment(
            world
        )
        assert (
            len([e for e in world.intended if e.type == "PostComment" and "budget of" in e.text])
            == 1
        )

    def test_no_keeps_the_pause_until_someone_answers_yes(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 no")
        world.work()
        assert landed(world) == 2
        assert len(world.wrote("QuestionsPut")) == 1
        say(world, "/headgate answer 1 yes")
        world.work()
        assert landed(world) == 4

    def test_yes_counts_once(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 yes")
        say(world, "/headgate answer 1 yes", author="bob")
        assert world.run.cents_added == 400
        assert "Question 1 was answered with yes" in world.replies()

    def test_other_words_are_refused_as_an_answer(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 maybe")
        assert world.wrote("BudgetRaised") == []
        assert "answer `yes`, `no`, or an amount" in world.replies()

    def test_only_plan_approvers_can_raise_the_budget(self) -> None:
        world = spent_out()
        world.policy_text = f"{world.policy_text}approver: maintain\n"
        world.settle()
        say(world, "/headgate answer 1 yes", role=Role.WRITE)
        assert world.wrote("BudgetRaised") == []
        assert "needs the role maintain" in world.replies()

    def test_a_larger_budget_in_the_policy_continues_the_run(self) -> None:
        world = spent_out()
        world.policy_text = (world.policy_text or "").replace("run_dollars: 2", "run_dollars: 9")
        world.push_code("policy")
        world.work()
        assert landed(world) == 4
        assert "No agent waits for an answer now." in money_comment(world)

    def test_an_agent_is_limited_to_the_remaining_budget(self) -> None:
        world = world_of(2, "run_dollars: 1.5")
        assert world.agent_order().agent.limits.dollars_max == 1.5
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert world.agent_order().agent.limits.dollars_max == 0.5

    def test_parallel_agents_share_the_budget(self) -> None:
        world = world_of(3, "run_dollars: 3", parallel=3)
        limits = [
            world.agent_order(o).agent.limits.dollars_max for o in world.open_orders(AgentOrder)
        ]
        assert limits == [2.0, 1.0]
        assert world.wrote("QuestionsPut") == []
        world.work()
        assert landed(world) == 3

    def test_a_budget_question_uses_no_spec_question_number(self) -> None:
        world = spent_out()
        world.push_spec(with_a_question(), "v2")
        world.settle()
        assert [q.number for q in asked_at(world.state, money_place(world.run.id)).questions] == [1]
        assert min(q.number for q in asked_at(world.state, world.run.path).questions) == 2

    def test_a_raised_budget_survives_a_snapshot(self) -> None:
        world = spent_out()
        say(world, "/headgate answer 1 yes")
        assert snapshot_of(world.state)


class TestChange:
    def test_a_change_that_spent_its_budget_fails_and_a_retry_gives_as_much_again(self) -> None:
        world = world_of(1, "change_dollars: 2")
        for _ in range(2):
            world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TURNS, "Too long.")
            world.settle()
        change = world.change("R0")
        assert (change.state, change.failure) == (S.FAILED, FailureReason.BUDGET_SPENT)
        assert "Its attempts have cost $2.00" in change.sentence
        say(world, f"/headgate retry {change.slug}")
        assert world.agent_order().agent.limits.dollars_max == 2.0


class TestDay:
    def test_no_agent_is_ordered_until_the_next_day(self) -> None:
        world = world_of(3, "day_dollars: 2")
        world.work()
        assert landed(world) == 2
        assert "The day's budget is spent. Headgate starts an agent at 2026-03-03 00:00" in (
            why(world, "R2")
        )
        at = wake_at(world.state, policy(world.policy_text or ""), (), world.now)
        assert at is not None
        world.now = at
        world.work()
        assert landed(world) == 3

    def test_the_cost_of_yesterday_does_not_count(self) -> None:
        world = world_of(2, "day_dollars: 1")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.now += timedelta(days=1)
        world.work()
        assert landed(world) == 2


class TestEstimates:
    def test_estimates_are_learned_from_attempts_of_this_repository(self) -> None:
        world = approved(beside(3), PRICED)
        before = plan_text(world.run, policy(PRICED))
        assert "Sizes: 3 S, 0 M. S: at most $2.00" in before
        assert "Estimate" not in before
        world.work()
        assert learned(world.state, policy(PRICED))[ChangeSize.S] == Learned(
            runs=3, tokens=110, dollars=1.0, minutes=1
        )
        world.push_spec(spec(*(requirement(f"Q{n}", f"d{n}") for n in range(2))), "v1", OTHER)
        world.settle()
        assert (
            "Estimate for the first attempts: 220 tokens, about $2.00, about 1 minutes (learned "
            "from 3 attempts here)." in plan_text(world.run, policy(PRICED))
        )

    def test_too_few_attempts_give_no_estimate(self) -> None:
        world = approved(beside(2), PRICED)
        world.work()
        assert learned(world.state, policy(PRICED)) == {}


def why(world: World, requirement: str) -> str:
    say(world, f"/headgate why {world.change(requirement).slug}")
    return world.replies()


def test_the_reported_cost_of_a_lost_run_counts() -> None:
    world = world_of(1, "run_dollars: 2")
    order = world.open_orders(AgentOrder)[0]
    world.say_cost(order, 1.5)
    world.settle()
    world.pass_time(60)
    world.settle()
    assert world.agent_order().agent.limits.dollars_max == 0.5
    assert OrderId(str(world.change("R0").order)) != order
