"""The standing of a repository is read by its id, with any current name, owner or installation."""

from bot.core.values.ids import InstallationId, IssueNumber
from bot.core.values.repository import AwayReason, Standing
from bot.localhub.model import Repository, Visibility
from tests.adapters.hub_stage import PERMISSIONS, REPOSITORY, HubStage


def _repository(stage: HubStage) -> Repository:
    return next(iter(stage.hub.state.repositories.values()))


def _installation(stage: HubStage) -> int:
    return int(stage.installation)


def test_one_request_shows_that_a_repository_did_not_change(stage: HubStage) -> None:
    count = len(stage.hub.exchanges)
    assert stage.forge.standing(stage.facts, is_doubted=False) == Standing(facts=stage.facts)
    reads = [r for r in stage.requests_since(count) if "access_tokens" not in r]
    assert reads == [f"GET /repos/{REPOSITORY}"]


def test_a_rename_is_read_and_the_old_facts_still_serve(stage: HubStage) -> None:
    issue = stage.forge.open_issue(stage.facts, "Before", "", ())
    stage.hub.lives.rename(_repository(stage), stage.hub.as_user("octo"), "store")
    stage.hub.add_repository("octo", "shop", Visibility.PRIVATE)

    seen = stage.forge.standing(stage.facts, is_doubted=False).facts

    assert seen is not None
    assert (seen.id, seen.full_name) == (stage.facts.id, "octo/store")
    assert seen.clone_url.endswith("/octo/store.git")
    found = stage.forge.issue(stage.facts, IssueNumber(issue.number))
    assert found is not None, "asked by its id, not of the repository that has the name now"


def test_another_default_branch_is_read(stage: HubStage) -> None:
    repository, octo = _repository(stage), stage.hub.as_user("octo")
    stage.hub.lives.rename_branch(repository, octo, "main", "trunk")
    seen = stage.forge.standing(stage.facts, is_doubted=False).facts
    assert seen is not None
    assert seen.main_ref == "refs/heads/trunk"


def test_after_a_transfer_the_new_owners_installation_is_found(stage: HubStage) -> None:
    stage.hub.add_organization("acme")
    stage.hub.lives.transfer(
        _repository(stage), stage.hub.as_user("octo"), stage.hub.account("acme")
    )
    away = stage.forge.standing(stage.facts, is_doubted=False)
    assert away == Standing(away=AwayReason.REMOVED)

    new = InstallationId(stage.hub.install_app(stage.app_id, "acme"))
    seen = stage.forge.standing(stage.facts, is_doubted=False).facts
    assert seen is not None
    assert (seen.full_name, seen.installation_id) == ("acme/shop", new)


def test_a_suspended_installation_is_distinguished_from_a_removed_one(stage: HubStage) -> None:
    installation = stage.hub.state.installations[_installation(stage)]
    stage.hub.apps.suspend(installation)
    assert stage.forge.standing(stage.facts, is_doubted=False).away is AwayReason.SUSPENDED
    stage.hub.apps.unsuspend(installation)
    assert stage.forge.standing(stage.facts, is_doubted=True).facts == stage.facts
    stage.hub.apps.uninstall(installation)
    assert stage.forge.standing(stage.facts, is_doubted=False).away is AwayReason.REMOVED


def test_a_public_repository_outside_the_installation_counts_as_removed_in_doubt(
    stage: HubStage,
) -> None:
    repository = _repository(stage)
    repository.visibility = Visibility.PUBLIC
    stage.forge.standing(stage.facts, is_doubted=False)
    stage.hub.apps.remove_repositories(
        stage.hub.state.installations[_installation(stage)], [repository]
    )
    assert stage.forge.standing(stage.facts, is_doubted=False).facts, "anybody may read it"
    assert stage.forge.standing(stage.facts, is_doubted=True).away is AwayReason.REMOVED


def test_a_deleted_repository_counts_as_removed(stage: HubStage) -> None:
    stage.hub.lives.delete(_repository(stage), stage.hub.as_user("octo"))
    assert stage.forge.standing(stage.facts, is_doubted=False).away is AwayReason.REMOVED


def test_missing_permissions_are_named(stage: HubStage) -> None:
    installation = stage.hub.state.installations[_installation(stage)]
    stage.hub.apps.accept_permissions(installation, {**PERMISSIONS, "checks": "read"})
    assert stage.forge.standing(stage.facts, is_doubted=True) == Standing(
        away=AwayReason.PERMISSIONS, lacks=("checks: write",)
    )
    (listed,) = stage.forge.installations()
    assert listed.lacks == ("checks: write",)
