"""Each row of docs/operate.md, "Common mistakes": doctor, the check run and the log name it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from action.order import ORDER_VERSION, LeaseRequest
from bot.core.talk.workflow_file import FOLDER
from bot.entry.commands.doctor import Health, examine
from bot.entry.sweep import Waits, beat
from bot.entry.workflow_files import workflow_files
from bot.localhub import keys
from bot.localhub.rule_model import RefRule, Ruleset
from bot.shell.orders import Refused, grant, read_claims
from bot.shell.sweep import SweepState
from tests.scenarios.test_repository_lives import installation
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

PAGE = Path(__file__).parents[2] / "docs" / "operate.md"
SHOP = spec(requirement("TILL"))
AGENT = f"{FOLDER}headgate-agent.yml"


def look(shop: House) -> None:
    """The sweep, of which every look is due."""
    beat(shop.ports, SweepState(), Waits())
    shop.settle()


def another_secret(shop: House) -> None:
    shop.restart(ports_on_story_clock(shop))
    shop.hub.state.apps[shop.settings.app_id].webhook_secret = "another"
    for _ in range(2):
        shop.push({"README.md": f"# {shop.clock.ahead}\n"}, "Say more")
        shop.hub.wait_until_delivered(20)
        look(shop)
        shop.forward(minutes=61)
    # Doctor's clock is the machine's.
    shop.clock.ahead = timedelta()


def _with(shop: House, **changed: object) -> None:
    shop.settings = shop.settings.model_copy(update=changed)
    shop.restart(ports_on_story_clock(shop))
    look(shop)


def another_key(shop: House) -> None:
    _with(shop, private_key=SecretStr(keys.private_key_pem(keys.new_key())))


def another_app(shop: House) -> None:
    _with(shop, app_id=424242)


def wrong_clock(shop: House) -> None:
    shop.restart(ports_on_story_clock(shop))
    shop.hub.state.drift = timedelta(minutes=10)
    look(shop)


def permission_taken(shop: House) -> None:
    held = installation(shop)
    shop.hub.apps.accept_permissions(held, {**held.permissions, "checks": "read"})
    shop.settle()


def refusing_rule(shop: House) -> None:
    rule = Ruleset(
        7, "Reviews", ("~DEFAULT_BRANCH",), frozenset({RefRule.PULL_REQUEST}), approvals_min=1
    )
    tracking = shop.plan(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)
    shop.ask(tracking, "/headgate approve")
    shop.work()


def job_elsewhere(shop: House) -> None:
    """The job stands in another repository's file."""
    called = workflow_files(None)[AGENT].replace("workflow_dispatch", "workflow_call")
    shop.hub.add_repository("team", "shared")
    shop.hub.commit_files("team/shared", {AGENT: called.encode()}, "Share", "team")
    head, _, _ = workflow_files(None)[AGENT].partition("jobs:")
    given = '{order_id: "${{ inputs.order_id }}", server: "${{ inputs.server }}"}'
    job = (
        f"jobs:\n  agent:\n    permissions: {{contents: read, id-token: write}}\n"
        f"    uses: team/shared/{AGENT}@main\n    with: {given}\n"
    )
    shop.push({AGENT: head + job}, "Call the organisation's workflow")
    shop.settle()
    shop.start(SHOP)
    shop.work()
    shop.settle()


def no_runner(shop: House) -> None:
    shop.start(SHOP)
    shop.forward(seconds=901)
    shop.ring_due()


def unknown_gate(shop: House) -> None:
    bad = f"{POLICY}  tested: {{builtin: test}}\n"
    shop.push({".github/headgate.yml": bad}, "Add a gate")
    shop.settle()
    shop.sweep()


def workflow_disabled(shop: House) -> None:
    shop.actions.disable(shop.full_name, AGENT)
    shop.start(SHOP)
    shop.work()


def another_owner(shop: House) -> None:
    claims = {
        "repository_id": "9",
        "run_id": "1",
        "run_attempt": "1",
        "actor_id": "1",
        "event_name": "workflow_dispatch",
        "workflow_ref": f"eve/shop/{AGENT}@refs/heads/main",
    }
    asked = LeaseRequest(version=ORDER_VERSION, order_id="o1", oidc_token="t")
    with pytest.raises(Refused):
        grant(shop.ports, read_claims(claims), asked, lambda *_: None)


@dataclass(frozen=True)
class Mistake:
    """`row` is what the page calls it; the sentences name the `thing` and the `fix`, those of the log
    `logged` where it has GitHub's words, and the check run `shown` where it has.
    """

    row: str
    make: Callable[[House], None]
    doctor: str
    event: str
    thing: str
    fix: str
    check: str = ""
    logged: str = ""
    shown: str = ""


MISTAKES = [
    Mistake(
        "webhook secret",
        another_secret,
        "webhook",
        "signature_wrong",
        "with another secret",
        "`headgate webhook https://…`",
    ),
    Mistake(
        "another App, another key",
        another_key,
        "GitHub App",
        "sweep_waits",
        "does not accept the key",
        "generate a private key",
        logged="401",
    ),
    Mistake(
        "another App, another key",
        another_app,
        "GitHub App",
        "sweep_waits",
        "no App with the id 424242",
        "HEADGATE_APP_ID",
        logged="check HEADGATE_APP_ID",
    ),
    Mistake(
        "clock off by more than a minute",
        wrong_clock,
        "GitHub App",
        "sweep_waits",
        "clock is",
        "timedatectl set-ntp true",
        logged="timedatectl set-ntp true",
    ),
    Mistake(
        "a permission that the installation lacks",
        permission_taken,
        "repositories",
        "access_lost",
        "its installation lacks `checks: write`",
        "accepts the permissions on the installation's page",
    ),
    Mistake(
        "a rule that refuses every landing",
        refusing_rule,
        "rules of repositories",
        "rule_in_the_way",
        "The ruleset “Reviews”",
        "bypass",
        check="headgate/rules",
    ),
    Mistake(
        "a runner's order that is not its own",
        job_elsewhere,
        "troubles",
        "runner_refused",
        "the job is in team/shared/",
        "`headgate init` in a clone",
        check="headgate/orders",
    ),
    Mistake(
        "no runner online",
        no_runner,
        "repositories",
        "orders_wait",
        "No runner takes the jobs of",
        "Start a self-hosted runner with the labels",
        check="headgate/orders",
    ),
    Mistake(
        "a policy that cannot be read (an unknown gate)",
        unknown_gate,
        "repositories",
        "policy_refused",
        "`gates.tested.builtin`",
        "'tests'",
        check="headgate/policy",
    ),
    Mistake(
        "a workflow of ours that GitHub does not run: disabled, or of a new fork",
        workflow_disabled,
        "rules of repositories",
        "orders_wait",
        "GitHub does not run `.github/workflows/headgate-agent.yml` (`disabled_manually`)",
        "Enable it on its page under Actions",
        check="headgate/orders",
        logged="Enable Actions for this repository, and the workflow on its page",
        shown="Enable Actions for this repository, and the workflow on its page",
    ),
    Mistake(
        "an order for a repository that the App is not installed in",
        another_owner,
        "",
        "runner_refused",
        "Headgate is not installed in eve/shop",
        "Give its App access to that repository",
    ),
]


def rows() -> dict[str, tuple[str, str, str]]:
    """The page's table: what each mistake is called, and its three cells."""
    text = PAGE.read_text().partition("## Common mistakes")[2].partition("\n## ")[0]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()]
    found = [tuple(c) for c in cells if len(c) == 4]
    return {c[0]: (c[1], c[2], c[3]) for c in found[2:]}


@pytest.mark.parametrize("one", MISTAKES, ids=lambda one: one.make.__name__)
def test_a_mistake_is_named_with_its_fix_in_all_places_that_the_page_names(
    shop: House, one: Mistake, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one.make(shop)
    doctor, check, event = rows()[one.row]

    said = [
        f"{r.__dict__.get('says', '')}{r.__dict__.get('why', '')}"
        for r in caplog.records
        if r.getMessage() == one.event
    ]
    assert f"`{one.event}`" in event
    assert any((one.logged or one.thing) in line for line in said), said
    assert any((one.logged or one.fix) in line for line in said), said

    if one.doctor:
        monkeypatch.setenv("HEADGATE_SETTINGS", str(shop.folder / "none"))
        assert one.doctor in re.split("[;,] ", doctor)
        (found,) = [f for f in examine(shop.settings) if f.name == one.doctor]
        assert found.health is not Health.FINE
        assert one.thing in f"{found.says} {found.how}"
        assert one.fix in f"{found.says} {found.how}"
    else:
        assert doctor.startswith("none: ")

    if one.check:
        assert f"`{one.check}`" in check
        runs = shop.api("GET", shop.repo(f"/commits/{shop.ref()}/check-runs")).json()["check_runs"]
        (run,) = [run for run in runs if run["name"] == one.check]
        shown = str(run["output"])
        assert run["conclusion"] in {"action_required", "failure"}
        assert (one.shown or one.thing) in shown
        assert (one.shown or one.fix) in shown
    else:
        assert check.startswith("none")


def test_a_wrong_app_id_stops_no_work(shop: House) -> None:
    """GitHub answers 404, as for a repository that the App was removed from."""
    right = shop.settings.app_id
    tracking = shop.plan(SHOP)
    another_app(shop)
    shop.forward(minutes=90)
    look(shop)
    assert shop.state.away is None
    _with(shop, app_id=right)
    # What fails again and again is tried more seldom.
    shop.forward(minutes=61)
    look(shop)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_every_row_of_the_page_is_tested() -> None:
    elsewhere = {
        "a permission that the App lacks": "tests/entry/test_doctor_and_the_app.py",
        "a setup, command or gate that cannot start": "tests/scenarios/test_pauses.py",
        "what GitHub refuses of a push (a branch called `headgate`)": "tests/scenarios/test_names_of_branches.py",
        "two servers of one App, each with a database": "tests/scenarios/test_two_servers_of_one_app.py",
        "a repository without a commit": "tests/scenarios/test_unusual_new_repositories.py",
        "Actions or issues that are switched off, an archived repository": "tests/scenarios/test_unusual_new_repositories.py",
    }
    assert set(rows()) == {one.row for one in MISTAKES} | set(elsewhere)
    assert all((PAGE.parents[1] / path).is_file() for path in elsewhere.values())
