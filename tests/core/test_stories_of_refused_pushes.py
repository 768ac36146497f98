"""GitHub refuses a push: the work waits with its reason, and no attempt is lost."""

from action.order import AgentOrder, RetryReason
from bot.core.decide.decide import wake_at
from bot.core.journal.effects import BuildCandidate, EditIssue, ImportBundle
from bot.core.journal.events import EffectIntended
from bot.core.spec.policy import Policy
from bot.core.values.lifecycle import ChangeState, OfferStage
from tests.core.kit import World, approved
from tests.core.test_github_refusals import SECRET, WORKFLOW
from tests.core.values import beside

S = ChangeState
RULE = "GH013: Repository rule violations found; - Commits must have verified signatures."


def refused(words: str, effect: str = "ImportBundle") -> World:
    """A world in which GitHub refuses the first agent's work."""
    world = approved(beside(1))
    world.refused_by_github[effect] = words
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world


def said_in(world: World, region: str) -> str:
    """What a part of an issue says now."""
    texts = [
        e.effect.text
        for e in world.wrote("EffectIntended")
        if isinstance(e, EffectIntended)
        and isinstance(e.effect, EditIssue)
        and e.effect.region == region
    ]
    return texts[-1]


def why(world: World) -> str:
    issue = world.change("R0").issue
    assert issue is not None
    world.pass_time(5)
    world.say(issue, "/headgate why")
    world.settle()
    return world.posted[-1][1]


def wakes(world: World) -> float:
    """After how many seconds the repository is looked at again."""
    policy = world.policy
    assert isinstance(policy, Policy)
    at = wake_at(world.state, policy, (), world.now)
    assert at is not None
    return (at - world.now).total_seconds()


class TestWaitingWork:
    def test_a_refused_push_costs_no_attempt_and_continues_without_the_rule(self) -> None:
        world = refused(RULE)
        change = world.change("R0")
        assert (change.state, change.attempt, change.tries) == (S.IMPORTING, 1, 1)
        assert world.open_orders(AgentOrder) == []
        del world.refused_by_github["ImportBundle"]
        world.pass_time(301)
        world.work()
        change = world.change("R0")
        assert (change.state, change.attempt) == (S.LANDED, 1)

    def test_a_refused_push_is_retried_with_growing_delays(self) -> None:
        world = refused(RULE)
        for minutes in (5, 10, 20, 40, 60, 60):
            assert wakes(world) == minutes * 60
            world.pass_time(minutes * 60)
            world.settle()

    def test_resume_retries_a_refused_push_at_once(self) -> None:
        world = refused(RULE)
        del world.refused_by_github["ImportBundle"]
        assert world.run.issue is not None
        world.say(world.run.issue, "/headgate resume")
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_refused_candidate_push_waits(self) -> None:
        world = refused(RULE, "BuildCandidate")
        assert world.stage("R0") is OfferStage.BUILDING
        assert any(isinstance(e, BuildCandidate) for e in world.state.open_effects.values())
        del world.refused_by_github["BuildCandidate"]
        world.pass_time(301)
        world.work()
        assert world.change("R0").attempt == 1


class TestTexts:
    def test_a_refused_push_is_shown_in_the_tracking_issue(self) -> None:
        told = said_in(refused(RULE), "now").partition("**To do:**")[2]
        assert "Add Headgate's App to the bypass list of that rule" in told

    def test_a_refused_push_is_shown_in_the_issue_of_the_change(self) -> None:
        said = said_in(refused(RULE), "status")
        assert "A rule of this repository refuses the push" in said
        assert "verified signatures" in said

    def test_why_quotes_github_and_names_the_next_try(self) -> None:
        said = why(refused(RULE))
        assert "verified signatures" in said
        assert "this does not count as an attempt" in said
        assert "To try at once, comment `/headgate resume`" in said

    def test_a_refusal_about_workflows_asks_for_no_action(self) -> None:
        world = refused(WORKFLOW)
        assert "There is nothing to do" in said_in(world, "now")
        assert wakes(world) == 1


class TestRetry:
    def test_retry_orders_an_agent_with_the_refused_files(self) -> None:
        world = refused(SECRET)
        issue = world.change("R0").issue
        assert issue is not None
        world.pass_time(5)
        world.say(issue, "/headgate retry")
        world.settle()
        retry = world.agent_order().retry
        assert retry is not None
        assert retry.reason is RetryReason.BUNDLE_REFUSED
        assert retry.refused_files == ("tests/fixture file.txt", "tests/other.txt")
        assert not any(isinstance(e, ImportBundle) for e in world.state.open_effects.values())

    def test_retry_keeps_work_that_a_rule_refused(self) -> None:
        world = refused(RULE)
        issue = world.change("R0").issue
        assert issue is not None
        world.pass_time(5)
        world.say(issue, "/headgate retry")
        world.settle()
        assert world.change("R0").state is S.IMPORTING
        assert world.open_orders(AgentOrder) == []
