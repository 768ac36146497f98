"""Blocking rules of GitHub are reported before any cost, and work waits until they are removed."""

import pytest

from action.order import AgentOrder
from bot.core.journal import effects as ef
from bot.core.spec.policy import Policy
from bot.core.state.observed import Hint, HintKind
from bot.core.state.reason import Cause, reason_of
from bot.core.state.refusing_rules import Topic, Weight, findings
from bot.core.state.webhook import read_delivery
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.replies import why_reply
from bot.core.talk.rules_text import in_words
from bot.core.values.check_run import VERDICT_NAME, Conclusion
from bot.core.values.lifecycle import ChangeState, SpecRunState
from bot.core.values.rules import (
    ActionsPolicy,
    BranchRule,
    Bypass,
    Pattern,
    RepositoryRules,
    RequiredCheck,
    RuleKind,
)
from tests.core.kit import World, approved, proposed
from tests.core.values import FACTS, GATES, beside, policy

PULLS = BranchRule(
    kind=RuleKind.PULL_REQUEST,
    ruleset="Reviews",
    source="acme",
    bypass=Bypass.NEVER,
    approvals=2,
    needs_code_owners=True,
    needs_last_push=True,
)
RULES = (Hint(kind=HintKind.RULES),)


def of(*rules: BranchRule, **more: object) -> RepositoryRules:
    return RepositoryRules.model_validate({"branch": "main", "rules": rules, **more})


def rule(kind: str, bypass: Bypass = Bypass.NEVER, **more: object) -> BranchRule:
    return BranchRule.model_validate({"kind": kind, "ruleset": "R", "bypass": bypass, **more})


def heard_of(world: World, rules: RepositoryRules) -> None:
    world.rules = rules
    world.tick(RULES)
    world.settle()


def rules_checks(world: World) -> list[tuple[str, Conclusion | None]]:
    """What the check run said, each time."""
    told = [e for e in world.intended if isinstance(e, ef.PublishCheckRun)]
    ours = [e.text for e in told if e.text.name == "headgate/rules"]
    return [(text.title, text.conclusion) for text in ours]


def region(world: World) -> str:
    """The tracking issue's words on rules, as they were last written."""
    edits = [e for e in world.intended if isinstance(e, ef.EditIssue) and e.region == "rules"]
    opened = [e.body for e in world.intended if isinstance(e, ef.OpenIssue) and not e.slug]
    return edits[-1].text if edits else opened[-1]


def weights(found: RepositoryRules, text: str = GATES) -> list[Weight]:
    told = findings(FACTS, found, policy(text), RUNNER_LABEL)
    return [one.weight for one in told]


class TestBeforeCost:
    def test_a_blocking_rule_is_named_at_the_approval_and_no_agent_is_ordered(self) -> None:
        world = proposed(beside(1))
        world.rules = of(PULLS, codeowners=".github/CODEOWNERS")
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert world.run.state is SpecRunState.RUNNING
        assert world.open_orders(AgentOrder) == []
        said = world.replies()
        assert "Approved. But GitHub would refuse every landing" in said
        assert "the ruleset “Reviews” of `acme` lets `main` change only through a pull request" in (
            said.replace("The ruleset", "the ruleset")
        )
        assert "2 approving reviews and the review of code owners that `.github/CODEOWNERS`" in said
        assert "and the approval of another person than the last pusher" in said
        assert "Add the App to its bypass list" in said

    def test_work_starts_by_itself_when_the_rule_is_removed(self) -> None:
        world = proposed(beside(1))
        world.rules = of(PULLS)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        world.pass_time(3_600)
        world.settle()
        assert world.open_orders(AgentOrder) == []
        world.rules = of()
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1
        world.work()
        assert world.change("R0").state is ChangeState.LANDED

    def test_the_work_starts_when_the_app_may_bypass_the_rule(self) -> None:
        world = proposed(beside(1))
        world.rules = of(PULLS)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        heard_of(world, of(PULLS.model_copy(update={"bypass": Bypass.ALWAYS})))
        assert len(world.open_orders(AgentOrder)) == 1

    def test_an_approval_uses_the_rules_at_that_time(self) -> None:
        world = World()
        world.rules = of()
        world.push_spec(beside(1))
        world.settle()
        world.pass_time(10)
        world.rules = of(PULLS)
        comment = world.say(world.run.issue or 0, "/headgate approve")
        hint = Hint(kind=HintKind.COMMENT, number=comment, issue=world.run.issue or 0)
        world.tick((hint,))
        assert world.open_orders(AgentOrder) == []
        assert "would refuse every landing" in world.replies()

    def test_a_later_rule_stops_the_next_order_but_not_landings(self) -> None:
        world = approved(beside(2), GATES + "max_parallel: 1\n")
        (first,) = world.open_orders(AgentOrder)
        heard_of(world, of(PULLS))
        world.hand_in(first)
        world.work(until=lambda w: len(w.wrote("Landed")) == 1)
        assert world.open_orders(AgentOrder) == []

    def test_the_policy_may_only_report_rules(self) -> None:
        world = proposed(beside(1), GATES + "rules: tell\n")
        world.rules = of(PULLS)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1
        assert "would refuse every landing" not in world.replies()
        assert "It would refuse every landing" in region(world)

    def test_why_names_the_rule(self) -> None:
        world = proposed(beside(1))
        world.rules = of(PULLS)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        read = world.policy
        assert isinstance(read, Policy)
        assert reason_of(world.state, world.change("R0"), read).cause is Cause.RULE_REFUSES
        assert "A rule of this repository" in why_reply(world.state, read, world.change("R0"))


class TestReports:
    def test_a_rule_is_shown_in_a_check_run_and_the_tracking_issue_until_removed(self) -> None:
        world = World()
        world.rules = of(PULLS)
        world.tick()
        world.push_spec(beside(1))
        world.settle()
        refuse = ("GitHub's rules would refuse every landing", Conclusion.ACTION_REQUIRED)
        assert rules_checks(world) == [refuse]
        assert "No agent starts until this is corrected." in region(world)
        assert "**To do:**" in world.issues[world.run.issue or 0]
        world.pass_time(60)
        heard_of(world, of())
        free = ("No rule of this repository refuses a landing", Conclusion.SUCCESS)
        assert rules_checks(world) == [refuse, free]
        assert region(world) == ""

    def test_without_blocking_rules_no_check_run_is_published(self) -> None:
        world = approved(beside(1))
        world.work()
        assert rules_checks(world) == []
        assert len(world.wrote("RulesRead")) == 1

    def test_rules_are_recorded_only_when_they_change(self) -> None:
        world = World()
        world.rules = of(PULLS)
        for _ in range(3):
            world.pass_time(30)
            world.tick()
        assert len(world.wrote("RulesRead")) == 1

    def test_hidden_settings_are_reported_and_do_not_block_work(self) -> None:
        world = proposed(beside(1))
        world.rules = of(rule(RuleKind.PATHS), unreadable=("runners",))
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1
        assert "GitHub does not show Headgate: runners. Work continues." in region(world)

    def test_a_rule_about_paths_names_them(self) -> None:
        world = World()
        world.rules = of(rule(RuleKind.PATHS, limits=("secret/*", ".env")))
        world.push_spec(beside(1))
        world.settle()
        assert "that touch `secret/*`, `.env`. It may refuse a landing." in region(world)

    @pytest.mark.parametrize("event", ["repository_ruleset", "branch_protection_rule"])
    def test_a_webhook_about_rules_reads_them_again(self, event: str) -> None:
        read = read_delivery(event, b'{"action": "edited", "repository": {"id": 7}}')
        assert read is not None
        assert [hint.kind for hint in read.hints] == [HintKind.RULES]


class TestFindings:
    @pytest.mark.parametrize(
        "kind",
        [
            *(RuleKind.UPDATE, RuleKind.PULL_REQUEST, RuleKind.MERGE_QUEUE),
            *(RuleKind.DEPLOYMENTS, RuleKind.WORKFLOWS),
        ],
    )
    def test_rules_that_refuse_every_landing(self, kind: RuleKind) -> None:
        assert weights(of(rule(kind))) == [Weight.REFUSES]
        assert weights(of(rule(kind, Bypass.PULLS_ONLY))) == [Weight.REFUSES]
        assert weights(of(rule(kind, Bypass.UNKNOWN))) == [Weight.MAY_REFUSE]
        assert weights(of(rule(kind, Bypass.EXEMPT))) == []

    @pytest.mark.parametrize(
        "kind",
        [
            *("deletion", "non_fast_forward", "creation", "required_linear_history"),
            "required_signatures",
        ],
    )
    def test_rules_that_refuse_no_landing(self, kind: str) -> None:
        assert weights(of(rule(kind))) == []

    @pytest.mark.parametrize("kind", ["file_path_restriction", "a_rule_of_next_year"])
    def test_rules_that_may_refuse_a_landing_do_not_block(self, kind: str) -> None:
        assert weights(of(rule(kind))) == [Weight.MAY_REFUSE]

    @pytest.mark.parametrize(
        ("operator", "pattern", "negated", "weight"),
        [
            ("ends_with", "@users.noreply.github.test", False, []),
            ("ends_with", "@acme.test", False, [Weight.REFUSES]),
            ("starts_with", "headgate", False, []),
            ("contains", "[bot]", True, [Weight.REFUSES]),
            ("regex", r".*@acme\.test$", False, [Weight.MAY_REFUSE]),
        ],
    )
    def test_our_commit_address_is_checked_against_patterns(
        self, operator: str, pattern: str, negated: bool, weight: list[Weight]
    ) -> None:
        wanted = Pattern(operator=operator, pattern=pattern, is_negated=negated)
        found = of(rule(RuleKind.COMMITTER_PATTERN, pattern=wanted))
        assert weights(found) == weight
        assert found.may_stand_in_the_way

    def test_the_committer_of_a_signed_commit_is_github(self) -> None:
        wanted = Pattern(operator="ends_with", pattern="@github.com")
        pattern = rule(RuleKind.COMMITTER_PATTERN, pattern=wanted)
        assert weights(of(pattern)) == [Weight.REFUSES]
        assert weights(of(pattern, rule(RuleKind.SIGNATURES))) == []
        bypassed = rule(RuleKind.SIGNATURES, Bypass.ALWAYS)
        assert weights(of(pattern, bypassed)) == [Weight.REFUSES]

    def test_our_own_verdict_may_be_required(self) -> None:
        for app in (None, FACTS.app_id):
            checks = (RequiredCheck(context=VERDICT_NAME, app_id=app),)
            assert weights(of(rule(RuleKind.CHECKS, checks=checks))) == []
        of_another = (RequiredCheck(context=VERDICT_NAME, app_id=FACTS.app_id + 1),)
        assert weights(of(rule(RuleKind.CHECKS, checks=of_another))) == [Weight.MAY_REFUSE]

    def test_actions_and_runners_are_reported_if_the_app_may_see_them(self) -> None:
        off = of(actions=ActionsPolicy(is_enabled=False), labels_online=("linux",))
        found = findings(FACTS, off, policy(GATES), RUNNER_LABEL)
        assert [one.topic for one in found] == [Topic.ACTIONS_OFF, Topic.NO_RUNNER]
        some = of(actions=ActionsPolicy(is_enabled=True, allowed="selected"))
        found = findings(FACTS, some, policy(GATES), RUNNER_LABEL)
        assert [one.topic for one in found] == [Topic.ACTIONS_SELECTED]

    @pytest.mark.parametrize(
        ("said", "topics"),
        [
            ("runs_on: ubuntu-latest\n", []),
            ("runs_on: {gates: ubuntu-latest}\n", [Topic.NO_RUNNER]),
            ("runs_on: {agents: big, gates: ubuntu-latest}\n", []),
        ],
    )
    def test_a_runner_label_that_is_not_used_is_not_missed(
        self, said: str, topics: list[Topic]
    ) -> None:
        none = of(labels_online=())
        found = findings(FACTS, none, policy(GATES + said), RUNNER_LABEL)
        assert [one.topic for one in found] == topics

    @pytest.mark.parametrize("kind", [RuleKind.WORKFLOWS, "a_rule_of_next_year"])
    def test_a_rule_of_only_our_branches_is_reported_and_does_not_block(self, kind: str) -> None:
        found = of(own_branches=(rule(kind, ruleset="Reviews @ada"),))
        assert weights(found) == [Weight.MAY_REFUSE]
        told = findings(FACTS, found, policy(GATES), RUNNER_LABEL)
        (sentence,) = in_words("main", "", told)
        known = kind in set(RuleKind)
        assert ("requires workflows" if known else f"has the rule `{kind}`") in sentence
        assert ("which Headgate does not know" in sentence) is not known
        assert "may refuse a landing" in sentence
        assert "@ada" not in sentence

    @pytest.mark.parametrize("kind", [*RuleKind, "a_rule_of_next_year"])
    def test_each_finding_is_a_sentence_without_mentions(self, kind: str) -> None:
        for ruleset in ("Reviews @ada", ""):
            one = rule(kind, ruleset=ruleset, checks=(RequiredCheck(context="ci"),))
            found = of(one, own_branches=(one,))
            told = findings(FACTS, found, policy(GATES), RUNNER_LABEL)
            for sentence in in_words("main", "", told):
                assert sentence[0].isupper()
                assert sentence.endswith(".")
                assert "@ada" not in sentence
