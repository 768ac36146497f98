"""A real client of GitHub's API works against localhub."""

from pathlib import Path

import httpx
from github import Auth, Github

from bot.localhub.actions.runner_messages import Status
from tests.localhub_actions.kit import box, eventually, runner

REPOSITORY = "acme/tide"
WORKFLOW = """
name: Hand
on: {workflow_dispatch: {inputs: {n: {type: number, default: 1}}}}
jobs:
  one: {runs-on: headgate, steps: [{run: echo number $N, env: {N: "${{ inputs.n }}"}}]}
  never: {runs-on: nobody, steps: [{run: 'true'}]}
"""


def test_pygithub_dispatches_follows_cancels_and_reruns(tmp_path: Path) -> None:
    with box(tmp_path) as served, runner(served, tmp_path / "work"):
        served.host.add_repository(REPOSITORY, {".github/workflows/hand.yml": WORKFLOW})
        client = Github(
            base_url=f"{served.host.base_url}/api/v3",
            auth=Auth.Token("alice-token"),
            lazy=True,
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
        )
        repository = client.get_repo(REPOSITORY)
        (workflow,) = repository.get_workflows()
        assert (workflow.name, workflow.state) == ("Hand", "active")
        assert repository.get_workflow("hand.yml").create_dispatch("main", {"n": 3})
        (run,) = repository.get_workflow_runs(event="workflow_dispatch")
        assert (run.event, run.run_attempt, run.actor.login) == ("workflow_dispatch", 1, "alice")
        held = served.service.run(REPOSITORY, run.id)
        eventually(lambda: held.attempt.jobs[0].is_over)
        one, never = run.jobs()
        assert (one.conclusion, never.status) == ("success", "queued")
        assert [step.name for step in one.steps][1] == "Run echo number $N"
        log = httpx.get(one.logs_url(), trust_env=False).text
        assert "number 3" in log
        assert run.cancel()
        eventually(lambda: held.status is Status.COMPLETED)
        run = repository.get_workflow_run(run.id)
        assert (run.status, run.conclusion) == ("completed", "cancelled")
        assert run.rerun()
        assert repository.get_workflow_run(run.id).run_attempt == 2
        client.close()
