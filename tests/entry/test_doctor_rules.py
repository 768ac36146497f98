"""The doctor lists for each repository GitHub's rules that would refuse a landing."""

from pathlib import Path

import pytest

from bot.core.values.repository import RepositoryFacts
from bot.core.values.rules import RepositoryRules
from bot.entry.commands.doctor_rules import told_of_rules
from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset
from bot.ports import UserError
from tests.adapters.hub_stage import REPOSITORY, staged

RELEASE = "release/1"
FURTHER = f"version: 1\nbranches: [{RELEASE}]\ngates:\n  test: {{run: pytest}}\n".encode()


def test_a_rule_that_refuses_landings_is_named_with_its_repository(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        installations = stage.forge.installations()
        assert told_of_rules(stage.forge, installations) == (False, [])
        rules = frozenset({RefRule.PULL_REQUEST})
        stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Reviews", ("~DEFAULT_BRANCH",), rules))
        refuses, (said,) = told_of_rules(stage.forge, installations)
        assert refuses
        assert said.startswith(f"{REPOSITORY}: The ruleset “Reviews” of `{REPOSITORY}`")
        assert "Add the App to its bypass list" in said
        policy = b"version: 1\nlanding: github\ngates:\n  test: {run: pytest}\n"
        stage.hub.repository(REPOSITORY).rulesets.clear()
        stage.hub.commit_files(REPOSITORY, {".github/headgate.yml": policy}, "Let GitHub merge")
        stage.hub.add_ruleset(REPOSITORY, Ruleset(5, "Reviews", ("~DEFAULT_BRANCH",), rules))
        refuses, (said,) = told_of_rules(stage.forge, installations)
        assert not refuses
        assert "GitHub merges each pull request into `main`" in said


def test_a_self_hosted_runner_is_not_required_if_the_policy_names_github_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with staged(tmp_path) as stage:
        without_runners = RepositoryRules(branch="main", labels_online=())
        monkeypatch.setattr(stage.forge, "rules", lambda _: without_runners)
        installations = stage.forge.installations()
        _, (said,) = told_of_rules(stage.forge, installations)
        assert "`headgate`" in said
        policy = b"version: 1\nruns_on: ubuntu-latest\ngates:\n  test: {run: pytest}\n"
        stage.hub.commit_files(REPOSITORY, {".github/headgate.yml": policy}, "Say where it runs")
        assert told_of_rules(stage.forge, installations) == (False, [])


def test_rules_of_a_further_branch_are_named_as_that_branchs(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        stage.hub.commit_files(REPOSITORY, {".github/headgate.yml": FURTHER}, "Name a branch")
        rules = frozenset({RefRule.PULL_REQUEST})
        ruleset = Ruleset(5, "Reviews", (f"refs/heads/{RELEASE}",), rules)
        stage.hub.add_ruleset(REPOSITORY, ruleset)
        refuses, (said,) = told_of_rules(stage.forge, stage.forge.installations())
        assert refuses
        assert f"lets `{RELEASE}` change only through a pull request" in said


def test_findings_for_all_branches_are_printed_once_and_a_refusal_does_not_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with staged(tmp_path) as stage:
        stage.hub.commit_files(REPOSITORY, {".github/headgate.yml": FURTHER}, "Name a branch")
        installations = stage.forge.installations()
        without_runners = RepositoryRules(branch="main", labels_online=())
        monkeypatch.setattr(stage.forge, "rules", lambda _: without_runners)
        _, (said,) = told_of_rules(stage.forge, installations)
        assert "`headgate`" in said

        def rules(facts: RepositoryFacts) -> RepositoryRules:
            if facts.default_branch == RELEASE:
                raise UserError("GitHub refused.")
            return RepositoryRules(branch="main")

        monkeypatch.setattr(stage.forge, "rules", rules)
        assert told_of_rules(stage.forge, installations) == (
            False,
            [f"{REPOSITORY}: GitHub refused."],
        )


def test_a_rule_about_threads_is_reported_even_if_the_app_may_bypass_it(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        rules = frozenset({RefRule.PULL_REQUEST})
        ruleset = Ruleset(
            5,
            "Threads",
            ("~DEFAULT_BRANCH",),
            rules,
            needs_resolution=True,
            bypass_app_ids=frozenset({stage.facts.app_id}),
        )
        stage.hub.add_ruleset(REPOSITORY, ruleset)
        refuses, (said,) = told_of_rules(stage.forge, stage.forge.installations())
        assert not refuses
        assert "“Threads”" in said
        assert (
            "requires that all review threads of a pull request are resolved before `main` "
            "changes" in said
        )


def test_an_additional_branch_is_checked_with_its_own_policy(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        gate = "  ci: {external: {check: ci, app: 15368}}\n"
        there = f"version: 1\ngates:\n  test: {{run: pytest}}\n{gate}".encode()
        first = stage.hub.commit_files(
            REPOSITORY, {".github/headgate.yml": there}, "Await the checks"
        )
        stage.hub.repository(REPOSITORY).refs[f"refs/heads/{RELEASE}"] = first
        stage.hub.commit_files(REPOSITORY, {".github/headgate.yml": FURTHER}, "Name a branch")
        ruleset = Ruleset(5, "Checks", (RELEASE,), required_checks=(RequiredCheck("ci", 15368),))
        stage.hub.add_ruleset(REPOSITORY, ruleset)
        # Main's policy awaits no check; that branch's own does.
        assert told_of_rules(stage.forge, stage.forge.installations()) == (False, [])
