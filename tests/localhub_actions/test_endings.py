"""Jobs that fail, are cancelled, take too long, lose their runner, or run again."""

import os
import signal
from pathlib import Path

from bot.localhub.actions.engine import Settings
from bot.localhub.actions.records import WorkflowRun
from bot.localhub.actions.runner_messages import Conclusion, Status
from tests.localhub_actions.kit import Box, box, eventually, runner

REPOSITORY = "acme/tide"
ON = "on: {workflow_dispatch: {inputs: {fail: {type: string}}}}\n"


def start(served: Box, jobs: str, **inputs: str) -> WorkflowRun:
    served.host.add_repository(REPOSITORY, {".github/workflows/w.yml": f"{ON}jobs:\n{jobs}"})
    return served.dispatch(REPOSITORY, "w.yml", inputs)


def started(run: WorkflowRun, path: Path) -> int:
    """Wait until a step has written its process id."""
    eventually(lambda: path.exists() and path.read_text().strip())
    return int(path.read_text())


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_after_a_failure_only_steps_and_jobs_with_such_a_condition_run(
    served: Box, tmp_path: Path
) -> None:
    run = start(
        served,
        """
  build:
    runs-on: headgate
    steps:
      - {id: soft, run: exit 3, continue-on-error: true}
      - run: test "${{ steps.soft.outcome }}-${{ steps.soft.conclusion }}" = failure-success
      - run: exit 7
      - run: echo never
      - {if: failure(), run: echo after the failure}
  needs-it: {needs: build, runs-on: headgate, steps: [{run: echo never}]}
  further: {needs: needs-it, runs-on: headgate, steps: [{run: echo never}]}
  report:
    needs: further
    if: failure() && needs.further.result == 'skipped'
    runs-on: headgate
    steps: [{run: echo reported}]
  condition: {if: github.ref == 'refs/heads/other', runs-on: headgate, steps: [{run: echo never}]}
""",
    )
    with runner(served, tmp_path / "work"):
        served.finished(run)
    assert served.conclusions(run) == {
        "build": "failure",
        "needs-it": "skipped",
        "further": "skipped",
        "report": "success",
        "condition": "skipped",
    }
    assert run.conclusion is Conclusion.FAILURE
    log = served.log(run, "build")
    assert "Process completed with exit code 7." in log
    assert "after the failure" in log
    assert "echo never" not in log
    steps = served.service.job(REPOSITORY, run.attempt.jobs[0].id).steps
    assert [str(step.conclusion) for step in steps] == [
        *("success", "success", "success", "failure", "skipped", "success", "success"),
    ]


def test_a_cancelled_job_is_interrupted_and_its_always_steps_run(
    served: Box, tmp_path: Path
) -> None:
    mark = tmp_path / "pid"
    run = start(
        served,
        f"""
  slow:
    runs-on: headgate
    steps:
      - run: |
          trap 'echo interrupted politely; exit 130' INT
          echo $$ > {mark}
          while true; do sleep 0.05; done
      - run: echo never
      - {{if: always(), run: echo cleaned up}}
      - {{if: cancelled(), run: echo saw the cancellation}}
  later: {{needs: slow, runs-on: headgate, steps: [{{run: echo never}}]}}
""",
    )
    with runner(served, tmp_path / "work"):
        pid = started(run, mark)
        answer = served.http.post(f"/repos/{REPOSITORY}/actions/runs/{run.id}/cancel")
        assert answer.status_code == 202
        served.finished(run)
    log = served.log(run, "slow")
    assert "interrupted politely" in log
    assert "cleaned up" in log
    assert "saw the cancellation" in log
    assert served.conclusions(run) == {"slow": "cancelled", "later": "cancelled"}
    assert run.conclusion is Conclusion.CANCELLED
    eventually(lambda: not is_alive(pid))
    again = served.http.post(f"/repos/{REPOSITORY}/actions/runs/{run.id}/cancel")
    assert again.status_code == 409


def test_a_forced_cancellation_ignores_every_if(served: Box, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    run = start(
        served,
        f"""
  stubborn:
    if: always()
    runs-on: headgate
    steps:
      - run: |
          trap '' INT TERM
          echo $$ > {mark}
          while true; do sleep 0.05; done
      - {{if: always(), run: touch {mark}.never}}
""",
    )
    with runner(served, tmp_path / "work"):
        pid = started(run, mark)
        served.http.post(f"/repos/{REPOSITORY}/actions/runs/{run.id}/cancel")
        assert run.status is Status.IN_PROGRESS
        served.http.post(f"/repos/{REPOSITORY}/actions/runs/{run.id}/force-cancel")
        served.finished(run, timeout_seconds=3)
        eventually(lambda: not is_alive(pid))
    assert run.conclusion is Conclusion.CANCELLED
    assert not Path(f"{mark}.never").exists()


def test_queued_jobs_are_cancelled_without_a_runner(served: Box) -> None:
    run = start(served, "  one: {runs-on: nobody, steps: [{run: 'true'}]}\n")
    assert served.conclusions(run) == {"one": None}
    served.service.cancel(REPOSITORY, run.id)
    assert served.conclusions(run) == {"one": "cancelled"}
    assert run.conclusion is Conclusion.CANCELLED


def test_time_limits_of_steps_and_jobs_are_enforced(served: Box, tmp_path: Path) -> None:
    run = start(
        served,
        """
  step:
    runs-on: headgate
    steps:
      - {name: Wait, run: exec sleep 60, timeout-minutes: 0.005}
      - {if: failure(), run: echo the step failed}
  job:
    runs-on: headgate
    timeout-minutes: 0.01
    steps:
      - {run: exec sleep 60}
      - {if: cancelled(), run: echo the job is cancelled}
""",
    )
    with runner(served, tmp_path / "work", "--slots", "2"):
        served.finished(run)
    # On GitHub a job over its time limit is cancelled, a step over its limit fails.
    assert served.conclusions(run) == {"step": "failure", "job": "cancelled"}
    assert "The action 'Wait' has timed out after 0.005 minutes." in served.log(run, "step")
    assert "the step failed" in served.log(run, "step")
    assert "has exceeded the maximum execution time of 0.01 minutes" in served.log(run, "job")
    assert "the job is cancelled" in served.log(run, "job")


def test_killing_a_runner_kills_its_children_and_fails_the_run(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    with box(tmp_path, Settings(runner_lost_seconds=0.6)) as served:
        run = start(
            served,
            f"""
  lost:
    runs-on: headgate
    steps:
      - run: |
          setsid env -i sleep 300 &
          echo $! > {mark}.child
          echo $$ > {mark}
          wait
  after: {{if: always(), needs: lost, runs-on: nobody, steps: [{{run: 'true'}}]}}
""",
        )
        with runner(served, tmp_path / "work") as process:
            pid, child = started(run, mark), started(run, Path(f"{mark}.child"))
            process.kill()
            eventually(lambda: not is_alive(pid))
            eventually(lambda: not is_alive(child))
            eventually(lambda: run.attempt.jobs[0].is_over)
        assert served.conclusions(run) == {"lost": "failure", "after": None}
        assert "lost communication" in run.attempt.jobs[0].annotations[0].message
        served.service.cancel(REPOSITORY, run.id)


def test_a_stopped_runner_ends_and_reports_its_job(served: Box, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    run = start(
        served,
        f"""
  slow:
    runs-on: headgate
    steps:
      - run: |
          echo $$ > {mark}
          exec sleep 300
      - {{if: always(), run: touch {mark}.never}}
""",
    )
    with runner(served, tmp_path / "work") as process:
        pid = started(run, mark)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    served.finished(run, timeout_seconds=1)
    assert run.conclusion is Conclusion.FAILURE
    assert "received a shutdown signal" in served.log(run)
    eventually(lambda: not is_alive(pid))
    assert not Path(f"{mark}.never").exists()
    assert not (tmp_path / "work" / "_jobs").exists()


def test_a_job_taken_by_a_dead_runner_is_offered_again(tmp_path: Path) -> None:
    with box(tmp_path, Settings(acknowledge_seconds=0.2)) as served:
        token = served.http.post(
            "/_actions/runner/register", json={"name": "dead", "labels": ["headgate"]}
        ).json()["runner_token"]
        run = start(served, "  one: {runs-on: headgate, steps: [{run: echo done}]}\n")
        taken = served.http.post(
            "/_actions/runner/acquire", headers={"Authorization": f"bearer {token}"}
        )
        assert taken.status_code == 200
        assert run.status is Status.QUEUED
        with runner(served, tmp_path / "work"):
            served.finished(run)
        assert run.conclusion is Conclusion.SUCCESS


def test_a_dispatch_that_never_starts_can_be_cancelled(served: Box, tmp_path: Path) -> None:
    served.service.settings.never_start = 1
    held = start(served, "  one: {runs-on: headgate, steps: [{run: 'true'}]}\n")
    with runner(served, tmp_path / "work"):
        assert served.finished(served.dispatch(REPOSITORY, "w.yml")).conclusion is not None
        assert held.status is Status.QUEUED
        assert held.attempt.jobs == []
        served.service.cancel(REPOSITORY, held.id)
    assert held.conclusion is Conclusion.CANCELLED


def test_a_run_is_rerun_whole_or_failed_jobs_only(served: Box, tmp_path: Path) -> None:
    counter = tmp_path / "count"
    run = start(
        served,
        f"""
  fine: {{runs-on: headgate, outputs: {{x: "kept"}}, steps: [{{run: echo fine >> {counter}}}]}}
  flaky:
    needs: fine
    runs-on: headgate
    steps:
      - run: test "$GITHUB_RUN_ATTEMPT ${{{{ needs.fine.outputs.x }}}}" != "1 kept"
""",
    )
    again = f"/repos/{REPOSITORY}/actions/runs/{run.id}"
    assert served.http.post(f"{again}/rerun").status_code == 403
    with runner(served, tmp_path / "work"):
        served.finished(run)
        assert served.conclusions(run) == {"fine": "success", "flaky": "failure"}
        assert served.http.post(f"{again}/rerun-failed-jobs").status_code == 201
        served.finished(run)
        assert served.conclusions(run) == {"fine": "success", "flaky": "success"}
        assert counter.read_text().count("fine") == 1
        assert served.http.post(f"{again}/rerun").status_code == 201
        served.finished(run)
    assert counter.read_text().count("fine") == 2
    assert run.attempt.number == 3
    first = served.http.get(f"{again}/attempts/1").json()
    assert (first["conclusion"], first["run_attempt"]) == ("failure", 1)
    everything = served.http.get(f"{again}/jobs?filter=all").json()
    assert everything["total_count"] == 6
    requested = [hook for hook in served.host.webhooks if hook.action == "requested"]
    assert len(requested) == 1


def test_processes_and_files_of_a_job_are_removed_at_its_end(served: Box, tmp_path: Path) -> None:
    run = start(
        served,
        f"""
  one:
    runs-on: headgate
    steps:
      - run: |
          nohup setsid sleep 300 > /dev/null 2>&1 &
          echo $! > {tmp_path}/child
      - run: kill -0 "$(cat {tmp_path}/child)"
""",
    )
    with runner(served, tmp_path / "work"):
        served.finished(run)
        assert run.conclusion is Conclusion.SUCCESS, served.log(run)
        child = int((tmp_path / "child").read_text())
        eventually(lambda: not is_alive(child))
        assert not list((tmp_path / "work" / "_jobs").iterdir())
    assert "Cleaning up orphan processes: 1" in served.log(run)


def test_killing_one_runner_does_not_affect_processes_of_another(tmp_path: Path) -> None:
    with box(tmp_path) as served:
        mark = tmp_path / "pid"
        run = start(
            served,
            f"  one: {{runs-on: headgate, steps: [{{run: 'echo $$ > {mark}; exec sleep 300'}}]}}\n",
        )
        with runner(served, tmp_path / "first"):
            pid = started(run, mark)
            with runner(served, tmp_path / "second") as other:
                other.kill()
                other.wait()
            assert is_alive(pid)
            os.kill(pid, signal.SIGKILL)
            served.finished(run)
        assert "Process completed with exit code 137." in served.log(run)
