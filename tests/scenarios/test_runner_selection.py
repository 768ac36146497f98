"""Which runners get orders, and which jobs may lease them."""

from bot.core.talk.workflow_file import FOLDER, workflow_files
from bot.entry.commands.doctor import _repositories, _troubles
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY
from tests.testkit.runner import Runner
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
PATH = f"{FOLDER}headgate-agent.yml"
ENDED = """\
runs_on:
  feature: [self-hosted, big]
  gates: ubuntu-latest
"""


def jobs(shop: House) -> list[tuple[str, tuple[str, ...]]]:
    """File and labels of each job, oldest first."""
    answer = shop.api("GET", shop.repo("/actions/runs?per_page=100"))
    return [
        (run["path"], tuple(job["labels"]))
        for run in reversed(answer.json()["workflow_runs"])
        for job in shop.api("GET", shop.repo(f"/actions/runs/{run['id']}/jobs")).json()["jobs"]
    ]


def test_orders_go_to_the_runners_that_the_policy_names_by_change_type(shop: House) -> None:
    shop.push({".github/headgate.yml": POLICY + ENDED}, "Choose runners")
    shop.settle()
    labels = ("self-hosted", "headgate", "big", "ubuntu-latest")
    shop.runner = Runner(shop.url, shop.folder / "big", shop.http, labels=labels)

    shop.start(SHOP)
    shop.work()

    assert TILL in shop.main_files()
    gates, agent = f"{FOLDER}headgate-gates.yml", PATH
    first, *rest = jobs(shop)
    # Main itself belongs to no change; a change's type goes before the kind of order.
    assert first == (gates, ("ubuntu-latest",))
    assert {*rest} == {(agent, ("self-hosted", "big")), (gates, ("self-hosted", "big"))}


def test_a_workflow_file_without_the_input_pauses_the_work_with_githubs_words(shop: House) -> None:
    text = workflow_files(None)[PATH]
    start = text.index("      runs_on:")
    old = text[:start] + text[text.index("\npermissions:") :].replace(
        "${{ fromJSON(inputs.runs_on) }}", "headgate"
    )
    policy = POLICY + "runs_on: {agents: big}\n"
    shop.push({PATH: old, ".github/headgate.yml": policy}, "Keep the workflow of last year")
    shop.settle()

    tracking = shop.start(SHOP)

    assert "The workflow `headgate-agent.yml` cannot be started." in shop.body(tracking)
    assert "Unexpected inputs provided" in shop.body(tracking)
    said = _repositories(shop.settings).says
    assert said.startswith("team/shop: The workflow `headgate-agent.yml` cannot be started. Put it")


def test_a_job_of_another_workflow_gets_no_lease(shop: House) -> None:
    """The called file may change any day without a commit in this repository."""
    called = workflow_files(None)[PATH].replace("workflow_dispatch", "workflow_call")
    shop.hub.add_repository("team", "shared")
    shop.hub.commit_files("team/shared", {PATH: called.encode()}, "Share a workflow", "team")
    head, _, _ = workflow_files(None)[PATH].partition("jobs:")
    caller = f"""{head}jobs:
  agent:
    permissions: {{contents: read, id-token: write}}
    uses: team/shared/{PATH}@main
    with: {{order_id: "${{{{ inputs.order_id }}}}", server: "${{{{ inputs.server }}}}"}}
"""
    shop.push({PATH: caller}, "Call the organisation's workflow")
    shop.settle()
    shop.start(SHOP)

    shop.runner.do_all()

    assert shop.runner.refused == [
        f"No lease: the job is in team/shared/{PATH}@refs/heads/main, not in the repository's "
        "own workflow. Use the file that Headgate proposes, which has the job itself."
    ]
    told = _troubles(shop.settings).says
    assert told.startswith("Headgate refuses an order to a runner of team/shop (repository ")
    assert "the job is in team/shared/" in told
    assert "run `headgate init` in a clone" in told
    shop.settle()
    tracking = int(shop.tracking()["number"])
    assert "Headgate gives no order to the jobs of `headgate-agent.yml`." in shop.body(tracking)
    shop.push({PATH: workflow_files(None)[PATH]}, "Hold the job again")
    shop.settle()
    shop.forward(seconds=31)
    shop.ring_due()
    shop.work()
    assert _troubles(shop.settings).says == "none"
    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_disabled_workflow_pauses_the_work_until_it_is_enabled(shop: House) -> None:
    path = ".github/workflows/headgate-agent.yml"
    tracking = shop.plan(SHOP)
    shop.actions.disable(shop.full_name, path)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    said = shop.body(tracking)
    assert "**Paused since " in said
    assert "on a disabled workflow" in said
    assert "and the workflow on its page" in said

    shop.actions.enable(shop.full_name, path)
    shop.ask(tracking, "/headgate resume")
    shop.work()
    assert [change.attempt for change in shop.state.changes.values()] == [1]
    assert shop.issue(tracking)["state"] == "closed"
