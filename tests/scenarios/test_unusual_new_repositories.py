"""Unusual new repositories: each problem is reported, and work continues after the fix."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.github.forge import GitHubForge
from bot.core.state.troubles import standing
from bot.core.talk import selftest_text as text
from bot.core.talk.trouble_text import trouble_text
from bot.core.values.repository import AwayReason
from bot.core.values.selftest import Held
from bot.entry.commands.doctor_rules import told_of_rules
from bot.localhub.model import Installation, Repository, Role
from bot.ports import UserError
from bot.shell.installation import install
from bot.shell.sweep import INSTALLATIONS_EVERY, SweepState, sweep
from tests.scenarios.test_onboarding import TITLE, check, follow, links, merge
from tests.scenarios.test_selftest import LISTED, later, selftest
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
FRESH = "team/fresh"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as story:
        story.restart(ports_on_story_clock(story))
        yield story


def fresh(shop: House, files: dict[str, bytes] | None = None) -> Repository:
    """A repository of ada's own, which the App does not know yet; `files` None: without a commit."""
    made = shop.hub.add_repository("team", "fresh")
    shop.hub.add_collaborator(FRESH, "ada", Role.ADMIN)
    if files is not None:
        shop.hub.commit_files(FRESH, files, "Begin", "ada")
    shop.full_name = FRESH
    return made


def installation(shop: House) -> Installation:
    return list(shop.hub.state.installations.values())[-1]


def give(shop: House, repository: Repository) -> None:
    """Let the App have the repository, too."""
    shop.hub.apps.add_repositories(installation(shop), [repository])
    shop.settle()


def beat(shop: House) -> None:
    """The sweep, of which every look is due."""
    shop.forward(seconds=INSTALLATIONS_EVERY.total_seconds() + 1)
    sweep(shop.ports, SweepState())
    shop.settle()


def doctor(shop: House) -> list[str]:
    """What `headgate doctor` says under troubles."""
    return [trouble_text(t) for t in standing(shop.ports.troubles.all(), shop.clock.now())]


def doctor_on_rules(shop: House) -> list[str]:
    assert isinstance(shop.ports.forge, GitHubForge)
    _, told = told_of_rules(shop.ports.forge, shop.ports.forge.installations())
    return told


def said(caplog: pytest.LogCaptureFixture, event: str) -> list[str]:
    found = [str(r.__dict__["says"]) for r in caplog.records if r.getMessage() == event]
    caplog.clear()
    return found


def test_an_empty_repository_is_reported_and_starts_with_its_first_commit(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    empty = fresh(shop)
    give(shop, empty)
    beat(shop)
    (line,) = said(caplog, "repository_empty")
    assert line.startswith(f"{FRESH} (repository {empty.id}) has no commit on its default branch")
    assert line.endswith(
        "Push a first commit there. Headgate then starts and opens its first pull request."
    )
    (told,) = doctor(shop)
    assert told.startswith(f"Repository {empty.id} has no commit on its default branch yet")

    shop.hub.commit_files(FRESH, {"Makefile": b"test:\n\ttrue\n"}, "Begin", "ada")
    shop.settle()
    assert shop.pull(TITLE)["state"] == "open"
    assert doctor(shop) == []


def test_a_new_repository_may_have_another_default_branch(shop: House) -> None:
    """The branch has another name from the start, and is renamed while the first pull is open."""
    repository = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    ada = shop.hub.as_user("ada")
    shop.hub.lives.rename_branch(repository, ada, "main", "trunk")
    give(shop, repository)
    pull = shop.pull(TITLE)
    assert pull["base"]["ref"] == "trunk"

    shop.hub.lives.rename_branch(repository, ada, "trunk", "master")
    shop.settle()
    number = int(pull["number"])
    for url in links(shop.body(number)).values():
        follow(shop, url)
    shop.settle()
    assert check(shop, number) == ("completed", "success", "All files are there")
    merge(shop, number)
    later(shop, LISTED)
    hello, tried = shop.comments(number)
    assert "Headgate is ready here" in hello
    assert "All checks passed." in tried
    assert shop.ref("master") == shop.state.main


def test_actions_that_are_switched_off_are_named_with_the_setting(shop: House) -> None:
    tracking = shop.plan(SHOP)
    shop.actions.disable(shop.full_name)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    told = shop.body(tracking)
    assert "GitHub answers 422: Actions has been disabled for this repository" in told
    assert "Enable Actions for this repository" in told
    assert shop.check_runs(shop.ref())["headgate/orders"] == "action_required"

    shop.actions.enable(shop.full_name)
    shop.ask(tracking, "/headgate resume")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_orders_in_a_new_fork_wait_until_its_workflows_are_enabled(shop: House) -> None:
    tracking = shop.plan(SHOP)
    fork = shop.hub.repository(shop.full_name)
    fork.parent = shop.hub.add_repository("team", "upstream")
    shop.ask(tracking, "/headgate approve")
    shop.work()
    told = shop.body(tracking)
    assert "GitHub answers 422: Cannot trigger a 'workflow_dispatch' on a disabled workflow" in told
    assert "In a new fork, enable all workflows under the tab Actions" in told
    assert shop.check_runs(shop.ref())["headgate/orders"] == "action_required"
    said = doctor_on_rules(shop)
    (agent,) = [s for s in said if "`.github/workflows/headgate-agent.yml`" in s]
    assert "under the fork's tab Actions" in agent

    shop.actions.enable(shop.full_name)
    shop.ask(tracking, "/headgate resume")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_the_doctor_names_a_disabled_workflow(shop: House) -> None:
    shop.actions.disable(shop.full_name, ".github/workflows/headgate-gates.yml")
    said = doctor_on_rules(shop)
    assert said == [
        f"{shop.full_name}: GitHub does not run `.github/workflows/headgate-gates.yml` "
        "(`disabled_manually`). Enable it on its page under Actions."
    ]


def test_a_self_test_says_that_actions_are_switched_off(shop: House) -> None:
    shop.actions.disable(shop.full_name)
    line = selftest(shop)[text.RUNNER[0]]
    assert line.held is Held.NO
    assert "Actions has been disabled for this repository" in line.says
    assert line.fix.startswith("enable Actions in the repository's settings")


def test_a_fork_without_issues_starts_once_they_are_enabled(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    """GitHub makes forks, private ones too, with issues switched off."""
    fork = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    fork.parent = shop.hub.repository("team/shop")
    fork.has_issues = False
    give(shop, fork)
    beat(shop)
    assert shop.state.away is not None
    assert shop.state.away.reason is AwayReason.NO_ISSUES
    (line,) = set(said(caplog, "access_lost"))
    assert "issues are disabled in the repository's settings" in line
    assert "Settings, General, Features" in line
    assert len(doctor(shop)) == 1

    fork.has_issues = True
    beat(shop)
    assert shop.state.away is None
    assert shop.pull(TITLE)["state"] == "open"
    assert doctor(shop) == []


def test_a_repository_made_of_a_template_needs_only_its_policy(shop: House) -> None:
    """Its workflow files are there already; the first pull asks for nothing."""
    files = {path: one.encode() for path, one in shop.ports.workflow_files.items()}
    give(shop, fresh(shop, {"Makefile": b"test:\n\ttrue\n", **files}))
    pull = shop.pull(TITLE)
    number = int(pull["number"])
    assert links(pull["body"]) == {}
    assert check(shop, number) == ("completed", "success", "All files are there")
    merge(shop, number)
    later(shop, LISTED)
    hello, tried = shop.comments(number)
    assert "Headgate is ready here" in hello
    assert "All checks passed." in tried


def test_the_first_pull_waits_while_the_repository_is_archived(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    repository = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    give(shop, repository)
    number = int(shop.pull(TITLE)["number"])
    ada = shop.hub.as_user("ada")
    shop.hub.lives.archive(repository, ada)
    beat(shop)
    lines = said(caplog, "access_lost")
    assert any("the repository is archived" in line for line in lines)
    assert any("Unarchive it in its settings" in line for line in doctor(shop))

    shop.hub.lives.unarchive(repository, ada)
    beat(shop)
    assert doctor(shop) == []
    for url in links(shop.body(number)).values():
        follow(shop, url)
    shop.settle()
    assert check(shop, number) == ("completed", "success", "All files are there")


def test_a_rename_during_the_first_pull_keeps_its_links_and_check(shop: House) -> None:
    repository = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    give(shop, repository)
    number = int(shop.pull(TITLE)["number"])
    shop.hub.lives.rename(repository, shop.hub.as_user("ada"), "store")
    shop.settle()
    shop.full_name = "team/store"
    for url in links(shop.body(number)).values():
        follow(shop, url)
    shop.settle()
    assert check(shop, number) == ("completed", "success", "All files are there")


def test_a_permission_revoked_during_the_first_pull_is_named(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    give(shop, fresh(shop, {"Makefile": b"test:\n\ttrue\n"}))
    number = int(shop.pull(TITLE)["number"])
    held = installation(shop)
    all_of_them = dict(held.permissions)
    shop.hub.apps.accept_permissions(held, {**all_of_them, "checks": "read"})
    shop.settle()
    assert any("`checks: write`" in line for line in said(caplog, "access_lost"))
    assert any("accepts the permissions on the installation" in line for line in doctor(shop))

    shop.hub.apps.accept_permissions(held, all_of_them)
    shop.settle()
    for url in links(shop.body(number)).values():
        follow(shop, url)
    shop.settle()
    assert check(shop, number) == ("completed", "success", "All files are there")


def test_an_app_follows_the_selection_of_repositories(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    held = installation(shop)
    first = shop.hub.repository("team/shop")
    added = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    beat(shop)
    assert shop.pull(TITLE)["state"] == "open"
    # Its owner chooses "Only select repositories", and leaves the new one out.
    held.repository_ids = {first.id, added.id}
    shop.hub.apps.remove_repositories(held, [added])
    shop.settle()
    assert any(
        "it was removed from this repository" in line for line in said(caplog, "access_lost")
    )
    assert any("gives the App access to it" in line for line in doctor(shop))
    shop.full_name = "team/shop"
    shop.start(SHOP)
    shop.work()
    assert "src/till-make-the-till-work.txt" in shop.main_files()


def test_an_installation_suspended_at_first_sight_starts_when_unsuspended(
    shop: House,
) -> None:
    repository = fresh(shop, {"Makefile": b"test:\n\ttrue\n"})
    held = installation(shop)
    listed = shop.ports.forge.installations()
    shop.hub.apps.suspend(held)
    shop.hold_deliveries()
    new = next(one for one in listed if one.repository == repository.id)
    with pytest.raises(UserError, match="suspended"):
        install(shop.ports, new)
    beat(shop)
    assert shop.ports.journal.load(new.repository).facts is None
    shop.hub.apps.unsuspend(held)
    beat(shop)
    assert shop.pull(TITLE)["state"] == "open"
