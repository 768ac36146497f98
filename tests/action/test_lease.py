"""Stories of leases: refused, lost, taken back, cancelled by a person."""

import signal

import pytest

from action.order import ORDER_VERSION
from tests.action.fake_server import FakeServer, bash
from tests.action.kit import Harness, Project, agent_order, ended

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("status", [401, 403, 409, 410, 426])
def test_a_refused_lease_logs_the_servers_sentence_and_has_its_own_exit_code(
    server: FakeServer, harness: Harness, status: int
) -> None:
    server.refuse_lease = (status, "No lease: 100% of it belongs to ::another:: run.")

    run = harness.run()

    assert run.code == 3
    # An annotation of the job, which the server reads where no report comes, and no other command.
    said = (
        "The server did not give the order to this job: No lease: 100%25 of it belongs to : "
        ":another: : run."
    )
    assert f"\n::error::{said}\n" in f"\n{run.output}"
    assert server.tries.count("lease") == 1


def test_refusing_an_order_of_a_newer_version_says_what_to_upgrade(
    server: FakeServer, harness: Harness
) -> None:
    newer = ORDER_VERSION + 1
    server.lease_json = {"version": newer, "order": {"version": newer, "kind": "agent", "new": 1}}

    run = harness.run()

    assert run.code == 3
    assert "Upgrade the headgate action" in run.output


def test_an_order_of_the_other_kind_is_refused(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)

    assert harness.run("gates").code == 3


def test_a_job_without_an_oidc_token_names_the_missing_permission(harness: Harness) -> None:
    harness.environment = {"ACTIONS_ID_TOKEN_REQUEST_URL": ""}

    run = harness.run()

    assert run.code == 3
    assert "id-token: write" in run.output


def test_the_harness_stops_without_a_report_when_the_server_says_so(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("sleep 60")]]
    process = harness.start()
    assert server.asked_model.wait(30)
    server.carry_on = False

    run = ended(process, 15)

    assert run.code == 4, run.output
    assert "The change was withdrawn." in run.output
    assert server.reports == []
    assert harness.left_behind() == []


@pytest.mark.parametrize("status", [409, 410])
def test_a_lost_lease_stops_the_work(
    server: FakeServer, project: Project, harness: Harness, status: int
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("sleep 60")]]
    process = harness.start()
    assert server.asked_model.wait(30)
    server.failures = {"heartbeat": [status]}

    assert ended(process, 15).code == 4


def test_a_silent_server_is_tried_until_the_lease_has_run_out(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("sleep 60")]]
    process = harness.start()
    assert server.asked_model.wait(30)
    server.failures = {"heartbeat": [500] * 99}

    run = ended(process, 20)

    assert run.code == 4
    assert "The lease expired" in run.output
    assert server.tries.count("heartbeat") >= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_cancelled_workflow_is_reported_and_leaves_no_files(
    server: FakeServer, project: Project, harness: Harness, number: int
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("sleep 60")]]
    process = harness.start()
    assert server.asked_model.wait(30)

    process.send_signal(number)
    run = ended(process, 15)

    assert run.code == 6, run.output
    assert "The workflow was cancelled" in server.agent_report.sentence
    assert harness.left_behind() == []
