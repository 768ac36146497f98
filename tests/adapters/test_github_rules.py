"""The rules of the default branch, read with and without the permission to see all of them."""

import pytest

from bot.adapters.github.rule_shapes import ProtectionAnswer, RuleAnswer, RulesetAnswer
from bot.core.values.rules import ActionsPolicy, BranchRule, Bypass, Pattern, RequiredCheck
from bot.localhub.rule_model import (
    ContentRule,
    ContentRuleKind as Kind,
    RefRule,
    RequiredCheck as HubCheck,
    Ruleset,
)
from tests.adapters.hub_stage import PERMISSIONS, REPOSITORY, HubStage

DEFAULT = ("~DEFAULT_BRANCH",)
APP = 7
_VALUES = ("^.+$", "^.+$", "secret/*", ".exe", "1", "200")


def _grant(stage: HubStage, **permissions: str) -> None:
    app = stage.hub.state.apps[stage.app_id]
    app.permissions = {**PERMISSIONS, **permissions}
    stage.hub.state.installations[int(stage.installation)].permissions = dict(app.permissions)


def test_a_repository_without_rules_lists_unreadable_settings(stage: HubStage) -> None:
    seen = stage.forge.rules(stage.facts)
    assert (seen.branch, seen.rules, seen.lacks) == ("main", (), ())
    assert seen.unreadable == ("settings of Actions", "runners")
    assert (seen.actions, seen.labels_online) == (None, None)


@pytest.mark.parametrize("permissions", [{}, {"administration": "read"}])
def test_a_private_repository_of_the_free_plan_has_no_rules(
    stage: HubStage, permissions: dict[str, str]
) -> None:
    _grant(stage, **permissions)
    stage.hub.repository(REPOSITORY).has_rules = False
    seen = stage.forge.rules(stage.facts)
    assert (seen.rules, seen.own_branches) == ((), ())
    assert {"rules of the branch", "classic protection of the branch"}.isdisjoint(seen.unreadable)


def test_each_rule_says_whether_our_app_may_bypass_it(stage: HubStage) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    free = frozenset({stage.app_id})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Reviews", DEFAULT, rules, approvals_min=2))
    stage.hub.add_ruleset(REPOSITORY, Ruleset(6, "Ours", DEFAULT, rules, bypass_app_ids=free))
    first, second = stage.forge.rules(stage.facts).rules
    assert (first.kind, first.ruleset, first.approvals) == ("pull_request", "Reviews", 2)
    assert (first.bypass, second.bypass) == (Bypass.NEVER, Bypass.ALWAYS)
    assert (first.source, second.ruleset) == (REPOSITORY, "Ours")


def test_required_checks_are_read_with_their_app(stage: HubStage) -> None:
    checks = (HubCheck("ci", 15368), HubCheck("lint"))
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "CI", DEFAULT, required_checks=checks))
    (rule, *_) = stage.forge.rules(stage.facts).rules
    assert rule.checks == (
        RequiredCheck(context="ci", app_id=15368),
        RequiredCheck(context="lint"),
    )


def test_rules_of_other_branches_are_not_ours(stage: HubStage) -> None:
    rules = frozenset({RefRule.UPDATE})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Releases", ("release/*",), rules))
    assert stage.forge.rules(stage.facts).rules == ()


@pytest.mark.parametrize("branches", [("headgate/*",), DEFAULT])
def test_an_unknown_kind_of_rule_keeps_its_kind(stage: HubStage, branches: tuple[str, ...]) -> None:
    rules = frozenset({RefRule.LICENSES, RefRule.DELETION})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "New", branches, rules))
    seen = stage.forge.rules(stage.facts)
    kinds = [rule.kind for rule in (seen.own_branches if branches[0] != DEFAULT[0] else seen.rules)]
    assert "license_compliance_scanning" in kinds


def test_settings_of_actions_are_read_with_the_permission(stage: HubStage) -> None:
    _grant(stage, administration="read")
    seen = stage.forge.rules(stage.facts)
    assert seen.actions == ActionsPolicy(is_enabled=True, allowed="all")


def test_missing_permissions_are_named(stage: HubStage) -> None:
    _grant(stage, checks="read")
    assert stage.forge.rules(stage.facts).lacks == ("checks: write",)


def test_a_classic_protection_becomes_rules() -> None:
    answer = {
        "required_status_checks": {"contexts": ["ci"], "checks": [{"context": "ci", "app_id": -1}]},
        "required_pull_request_reviews": {
            "required_approving_review_count": 1,
            "require_code_owner_reviews": True,
            "require_last_push_approval": True,
            "bypass_pull_request_allowances": {"apps": [{"id": APP}]},
        },
        "restrictions": {"users": [], "apps": [{"id": 8}]},
        "required_signatures": {"enabled": True},
        "required_linear_history": {"enabled": False},
        "required_conversation_resolution": {"enabled": True},
        "lock_branch": {"enabled": True},
    }
    checks, reviews, restricted, threads, signed, locked = ProtectionAnswer.model_validate(
        answer
    ).to_rules(APP)
    assert (threads.kind, threads.needs_resolution) == ("required_conversation_resolution", True)
    assert checks.checks == (RequiredCheck(context="ci"),)
    assert (reviews.kind, reviews.bypass) == ("pull_request", Bypass.ALWAYS)
    assert (reviews.needs_code_owners, reviews.needs_last_push) == (True, True)
    assert restricted == BranchRule(kind="update", bypass=Bypass.NEVER)
    assert [signed.kind, locked.kind] == ["required_signatures", "update"]


@pytest.mark.parametrize(
    ("said", "bypass"),
    [
        ("always", Bypass.ALWAYS),
        ("exempt", Bypass.EXEMPT),
        ("pull_requests_only", Bypass.PULLS_ONLY),
        ("never", Bypass.NEVER),
        ("on_sundays", Bypass.UNKNOWN),
        (None, Bypass.UNKNOWN),
    ],
)
def test_a_bypass_that_github_does_not_state_is_unknown(said: str | None, bypass: Bypass) -> None:
    assert RulesetAnswer(name="R", current_user_can_bypass=said).bypass is bypass


def test_a_ruleset_that_is_hidden_leaves_its_rule() -> None:
    answer = {
        "type": "commit_message_pattern",
        "ruleset_id": 9,
        "ruleset_source": "acme",
        "parameters": {"operator": "starts_with", "pattern": "SHOP-", "negate": False, "name": "x"},
    }
    rule = RuleAnswer.model_validate(answer).to_value(None)
    assert (rule.ruleset, rule.bypass) == ("ruleset 9", Bypass.UNKNOWN)
    assert rule.pattern == Pattern(operator="starts_with", pattern="SHOP-")


def test_a_push_rule_lists_refused_paths_and_sizes(stage: HubStage) -> None:
    rules = tuple(ContentRule(kind, value) for kind, value in zip(Kind, _VALUES, strict=True))
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Pushes", DEFAULT, contents=rules))
    found = {rule.kind: rule.limits for rule in stage.forge.rules(stage.facts).rules}
    assert found["file_path_restriction"] == ("secret/*",)
    assert found["file_extension_restriction"] == (".exe",)
    assert found["max_file_size"] == ("1 MB",)
    assert found["max_file_path_length"] == ("200 characters",)


def test_code_owners_are_read(stage: HubStage) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    held = Ruleset(5, "Owners", DEFAULT, rules, needs_code_owners=True)
    stage.hub.add_ruleset(REPOSITORY, held)
    (rule,) = stage.forge.rules(stage.facts).rules
    assert (rule.needs_code_owners, rule.needs_last_push) == (True, False)


def test_the_rule_that_threads_must_be_resolved_is_read(stage: HubStage) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Threads", DEFAULT, rules, needs_resolution=True))
    (rule,) = stage.forge.rules(stage.facts).rules
    assert rule.needs_resolution
    assert rule.needs_last_push is False


def test_the_rule_for_approval_of_the_last_push_is_read(stage: HubStage) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Others", DEFAULT, rules, needs_last_push=True))
    (rule,) = stage.forge.rules(stage.facts).rules
    assert (rule.needs_code_owners, rule.needs_last_push) == (False, True)
