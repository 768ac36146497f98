"""What starts runs, how they wait for one another, and which webhooks they send."""

from pathlib import Path

from bot.localhub.actions.runner_messages import Conclusion, Status
from bot.localhub.actions.service import PullRequestFacts, PushFacts
from tests.localhub_actions.kit import ALICE, Box, eventually, runner

REPOSITORY = "acme/tide"
STEPS = "runs-on: headgate, steps: [{run: 'true'}]"


def add(served: Box, **texts: str) -> str:
    files = {f".github/workflows/{name}.yml": text for name, text in texts.items()}
    return served.host.add_repository(REPOSITORY, files)


def test_pushes_and_pull_requests_start_matching_workflows(served: Box) -> None:
    sha = add(
        served,
        main=f"on: {{push: {{branches: [main], paths-ignore: ['docs/**']}}}}\njobs: {{one: {{{STEPS}}}}}",
        pulls=f"on: {{pull_request: {{branches: [main]}}}}\njobs: {{one: {{{STEPS}}}}}",
        hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}}}",
        broken="on: push\njobs: {one: {runs: x}}",
    )
    push = PushFacts(REPOSITORY, "refs/heads/main", "1" * 40, sha, ALICE, ("a.py",))
    runs = served.service.on_push(push)
    assert [(run.workflow.path, run.conclusion) for run in runs] == [
        (".github/workflows/broken.yml", Conclusion.STARTUP_FAILURE),
        (".github/workflows/main.yml", None),
    ]
    quiet = PushFacts(REPOSITORY, "refs/heads/main", "1" * 40, sha, ALICE, ("docs/a.md",))
    assert [run.workflow.path for run in served.service.on_push(quiet)] == [
        ".github/workflows/broken.yml"
    ]
    gone = PushFacts(REPOSITORY, "refs/heads/main", sha, "0" * 40, ALICE)
    assert served.service.on_push(gone) == []
    pull = PullRequestFacts(
        REPOSITORY, 5, "opened", "Add tides", "topic", "main", sha, ALICE, ("a.py",)
    )
    (run,) = served.service.on_pull_request(pull)
    assert (run.ref, run.head_branch, run.display_title) == (
        *("refs/pull/5/merge", "topic", "Add tides"),
    )
    listed = served.http.get(f"/repos/{REPOSITORY}/actions/runs?event=push&branch=main").json()
    assert listed["total_count"] == 3


def test_a_host_may_call_the_service_under_its_own_lock(served: Box, tmp_path: Path) -> None:
    """The hub reports pushes under its lock, for which deliveries of other threads wait."""
    sha = add(
        served,
        hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}, two: {{{STEPS}}}}}",
        push=f"on: push\njobs: {{one: {{{STEPS}}}}}",
    )
    runs = []
    with runner(served, tmp_path / "work", "--slots", "3"):
        for _ in range(5):
            with served.host.hub_lock:
                runs.append(served.service.dispatch(REPOSITORY, "hand.yml", "main", {}, ALICE))
                push = PushFacts(REPOSITORY, "refs/heads/main", sha, sha, ALICE, ())
                runs += served.service.on_push(push)
        for run in runs:
            assert served.finished(run).conclusion is Conclusion.SUCCESS
        eventually(lambda: {check.status for check in served.host.checks.values()} == {"completed"})
    assert len(runs) == 10


def test_changed_paths_of_a_push_come_from_the_host(served: Box) -> None:
    first = add(served, push=f"on: {{push: {{paths: ['src/**']}}}}\njobs: {{one: {{{STEPS}}}}}")
    second = served.host.commit(REPOSITORY, {"docs/a.md": "a"})
    third = served.host.commit(REPOSITORY, {"src/a.py": "a"})
    ref = "refs/heads/main"
    assert served.service.on_push(PushFacts(REPOSITORY, ref, first, second, ALICE)) == []
    (run,) = served.service.on_push(PushFacts(REPOSITORY, ref, second, third, ALICE))
    assert run.display_title == "Change src/a.py"
    shown = served.http.get(f"/repos/{REPOSITORY}/actions/runs/{run.id}").json()
    assert shown["head_commit"]["id"] == third


def test_links_to_logs_are_signed(served: Box, tmp_path: Path) -> None:
    add(served, hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}}}")
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
    job = run.attempt.jobs[0]
    answer = served.http.get(f"/repos/{REPOSITORY}/actions/jobs/{job.id}/logs")
    assert answer.status_code == 302
    link = answer.headers["Location"]
    assert "Run true" in served.http.get(link).text
    assert served.http.get(link[:-1]).status_code == 403
    assert served.http.get(link.replace("expires=", "expires=9")).status_code == 403


def test_dispatches_are_refused_as_github_refuses_them(served: Box) -> None:
    add(
        served,
        hand=f"on: {{workflow_dispatch: {{inputs: {{a: {{required: true}}}}}}}}\njobs: {{one: {{{STEPS}}}}}",
        push=f"on: push\njobs: {{one: {{{STEPS}}}}}",
        broken="on: workflow_dispatch\njobs:\n  one:\n    runs: x\n",
    )
    sha = served.host.resolve(REPOSITORY, "main")
    cases = [
        ("none.yml", {"ref": "main"}, 404, "Not Found"),
        ("hand.yml", {}, 422, '"ref" wasn\'t supplied'),
        ("hand.yml", {"ref": "other"}, 422, "No ref found for: other"),
        ("hand.yml", {"ref": sha}, 422, f"No ref found for: {sha}"),
        ("hand.yml", {"ref": "main"}, 422, "Required input 'a' not provided"),
        (
            *("hand.yml", {"ref": "main", "inputs": {"a": "1", "b": "2"}}, 422),
            'Unexpected inputs provided: ["b"]',
        ),
        ("push.yml", {"ref": "main"}, 422, "does not have 'workflow_dispatch' trigger"),
        ("broken.yml", {"ref": "main"}, 422, "(Line: 4, Col: 5): Unexpected value 'runs'"),
    ]
    for file, body, status, sentence in cases:
        path = f"/repos/{REPOSITORY}/actions/workflows/{file}/dispatches"
        answer = served.http.post(path, json=body)
        assert (answer.status_code, sentence in answer.json()["message"]) == (status, True), (
            answer.text
        )
        assert answer.json()["status"] == str(status)
    path = f"/repos/{REPOSITORY}/actions/workflows/hand.yml/dispatches"
    accepted = served.http.post(f"/api/v3{path}", json={"ref": "main", "inputs": {"a": "1"}})
    assert (accepted.status_code, accepted.content) == (204, b"")
    assert served.http.post(path, content=b"{").status_code == 400
    assert served.http.get("/repos/no/where/actions/runs").status_code == 404


def test_a_disabled_workflow_never_starts(served: Box) -> None:
    sha = add(served, hand=f"on: [push, workflow_dispatch]\njobs: {{one: {{{STEPS}}}}}")
    push = PushFacts(REPOSITORY, "refs/heads/main", "1" * 40, sha, ALICE, ("a.py",))
    path, file = f"/repos/{REPOSITORY}/actions/workflows/hand.yml", ".github/workflows/hand.yml"
    served.service.disable(REPOSITORY, file)
    assert served.http.get(path).json()["state"] == "disabled_manually"
    refused = served.http.post(f"{path}/dispatches", json={"ref": "main"})
    assert (refused.status_code, "on a disabled workflow" in refused.text) == (422, True)
    assert served.service.on_push(push) == []
    served.service.enable(REPOSITORY, file)
    assert served.http.post(f"{path}/dispatches", json={"ref": "main"}).status_code == 204
    assert len(served.service.on_push(push)) == 1


def test_workflows_of_a_new_fork_wait_for_their_owner(served: Box) -> None:
    sha = add(served, hand=f"on: [push, workflow_dispatch]\njobs: {{one: {{{STEPS}}}}}")
    push = PushFacts(REPOSITORY, "refs/heads/main", "1" * 40, sha, ALICE, ("a.py",))
    path = f"/repos/{REPOSITORY}/actions/workflows/hand.yml"
    served.host.make_fork(REPOSITORY)
    assert served.http.get(path).json()["state"] == "disabled_fork"
    refused = served.http.post(f"{path}/dispatches", json={"ref": "main"})
    assert (refused.status_code, "on a disabled workflow" in refused.text) == (422, True)
    assert served.service.on_push(push) == []
    served.service.enable(REPOSITORY)
    assert served.http.get(path).json()["state"] == "active"
    assert served.http.post(f"{path}/dispatches", json={"ref": "main"}).status_code == 204
    assert len(served.service.on_push(push)) == 1


def test_a_matrix_runs_its_combinations_and_fails_fast(served: Box, tmp_path: Path) -> None:
    add(
        served,
        hand="""
on: workflow_dispatch
jobs:
  set:
    runs-on: headgate
    outputs: {list: "${{ steps.s.outputs.list }}"}
    steps: [{id: s, run: "echo 'list=[1, 2]' >> $GITHUB_OUTPUT"}]
  each:
    needs: set
    strategy: {matrix: {n: "${{ fromJSON(needs.set.outputs.list) }}"}}
    runs-on: headgate
    steps: [{run: "echo number ${{ matrix.n }} is ${{ strategy.job-index }} of ${{ strategy.job-total }}"}]
  fast:
    needs: set
    strategy: {matrix: {n: [1, 2]}}
    runs-on: ["${{ matrix.n == 1 && 'headgate' || 'nobody' }}"]
    steps: [{run: exit 1}]
""",
    )
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
    assert served.conclusions(run) == {
        "set": "success",
        "each (1)": "success",
        "each (2)": "success",
        "fast (1)": "failure",
        "fast (2)": "cancelled",
    }
    assert "number 2 is 1 of 2" in served.log(run, "each (2)")


def test_one_run_of_a_concurrency_group_runs_and_one_waits(served: Box, tmp_path: Path) -> None:
    add(
        served,
        hand=f"""
on: workflow_dispatch
concurrency: same
jobs: {{one: {{{STEPS}}}}}
""",
    )
    first, second, third = (served.dispatch(REPOSITORY, "hand.yml") for _ in range(3))
    assert [run.status for run in (first, second, third)] == ["queued", "completed", "pending"]
    assert second.conclusion is Conclusion.CANCELLED
    with runner(served, tmp_path / "work"):
        served.finished(third)
    assert [run.conclusion for run in (first, third)] == ["success", "success"]


def test_webhooks_and_check_runs_are_sent_in_order(served: Box, tmp_path: Path) -> None:
    add(served, hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}}}")
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
        eventually(lambda: len(served.host.webhooks) == 6)
    assert [(hook.event, hook.action) for hook in served.host.webhooks] == [
        ("workflow_run", "requested"),
        ("workflow_job", "queued"),
        ("workflow_run", "in_progress"),
        ("workflow_job", "in_progress"),
        ("workflow_job", "completed"),
        ("workflow_run", "completed"),
    ]
    statuses = [
        (body["status"], body["conclusion"])
        for hook in served.host.webhooks
        if isinstance(body := hook.body.get("workflow_job"), dict)
    ]
    assert statuses == [("queued", None), ("in_progress", None), ("completed", "success")]
    (check,) = served.host.checks.values()
    assert (check.name, check.status, check.conclusion) == ("one", "completed", "success")
    assert check.head_sha == run.head_sha
    assert all(hook.sender["login"] == ALICE.login for hook in served.host.webhooks)


def test_secrets_never_reach_the_log(served: Box, tmp_path: Path) -> None:
    add(
        served,
        hand="""
on: workflow_dispatch
jobs:
  one:
    runs-on: headgate
    steps:
      - run: |
          echo "plain $KEY"; echo -n "$KEY" | base64; echo -n "xy$KEY" | base64
          echo "::add-mask::derived-value"; echo "now derived-value is hidden"
          echo "::error file=app.py,line=3,title=Broken::the $KEY%0Asecond line"
          echo "::set-output name=a::b"; echo "::stop-commands::pause"; echo "::warning::quiet"; echo "::pause::"
          echo "token ${{ github.token }} ${{ secrets.GITHUB_TOKEN }}"
        env: {KEY: "${{ secrets.KEY }}"}
      - {if: always(), run: "echo '${{ vars.PLACE }} ${{ steps.none.outputs.x }}'"}
""",
    )
    served.service.set_secret(REPOSITORY, "KEY", "s3cret-of-the-sea")
    served.service.set_variable(REPOSITORY, "PLACE", "at the pier")
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
    log = served.log(run)
    assert run.conclusion is Conclusion.SUCCESS, log
    assert "s3cret-of-the-sea" not in log
    assert "c3NlY3Jld" not in log
    assert "now *** is hidden" in log
    assert "ghs_job" not in log
    assert "::warning::quiet" in log
    assert "at the pier" in log
    (note,) = run.attempt.jobs[0].annotations
    assert (note.path, note.line, note.title) == ("app.py", 3, "Broken")
    assert note.message == "the ***\nsecond line"


def test_invalid_file_commands_fail_the_step(served: Box, tmp_path: Path) -> None:
    add(
        served,
        hand="""
on: workflow_dispatch
jobs:
  one:
    runs-on: headgate
    steps:
      - {id: a, run: "printf 'text<<E\\\\none\\\\ntwo\\\\nE\\\\n' >> $GITHUB_OUTPUT"}
      - run: test "${{ steps.a.outputs.text }}" = "$(printf 'one\\ntwo')"
      - {id: b, run: "echo nonsense >> $GITHUB_OUTPUT"}
""",
    )
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
    conclusions = [step.conclusion for step in run.attempt.jobs[0].steps]
    assert conclusions[1:4] == ["success", "success", "failure"], served.log(run)
    assert "Invalid format 'nonsense'" in served.log(run)


def test_repository_and_just_in_time_runners_can_register(served: Box, tmp_path: Path) -> None:
    add(served, hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}}}")
    served.host.add_repository("acme/other", {})
    base = f"/repos/{REPOSITORY}/actions/runners"
    token = served.http.post(f"{base}/registration-token").json()["token"]
    wish = {"name": "jit", "runner_group_id": 1, "labels": ["headgate"]}
    made = served.http.post(f"{base}/generate-jitconfig", json=wish)
    assert made.status_code == 201
    assert served.http.post(f"{base}/generate-jitconfig", json=wish).status_code == 409
    assert served.http.get(base).json()["runners"][0]["status"] == "offline"
    config = made.json()["encoded_jit_config"]
    with runner(served, tmp_path / "jit", "--jitconfig", config) as process:
        served.finished(served.dispatch(REPOSITORY, "hand.yml"))
        assert process.wait(timeout=10) == 0
    assert served.http.get(base).json()["total_count"] == 0
    with runner(served, tmp_path / "own", "--token", token):
        (shown,) = served.http.get(base).json()["runners"]
        assert (shown["name"], shown["status"], shown["busy"]) == ("own", "online", False)
        assert {label["name"] for label in shown["labels"]} >= {"self-hosted", "headgate"}
        assert served.http.get("/repos/acme/other/actions/runners").json()["total_count"] == 0
        run = served.finished(served.dispatch(REPOSITORY, "hand.yml"))
        assert run.conclusion is Conclusion.SUCCESS
    assert served.http.delete(f"{base}/{shown['id']}").status_code == 204
    assert served.http.delete(f"{base}/{shown['id']}").status_code == 404


def test_lists_have_pages_and_filters(served: Box) -> None:
    add(served, hand=f"on: workflow_dispatch\njobs: {{one: {{{STEPS}}}}}")
    for _ in range(3):
        served.dispatch(REPOSITORY, "hand.yml")
    base = f"/repos/{REPOSITORY}/actions/runs"
    page = served.http.get(f"{base}?per_page=2")
    assert (page.json()["total_count"], len(page.json()["workflow_runs"])) == (3, 2)
    last = served.http.get(page.links["next"]["url"])
    assert len(last.json()["workflow_runs"]) == 1
    assert "prev" in last.links
    for query, count in {
        "status=queued": 3,
        "status=success": 0,
        "actor=alice": 3,
        "actor=bob": 0,
        "created=>=2020-01-01": 3,
        "created=<2020-01-01": 0,
        "created=2020-01-01..2021-01-01": 0,
        "created=*..2099-01-01": 3,
    }.items():
        assert served.http.get(f"{base}?{query}").json()["total_count"] == count, query
    files = served.http.get(f"/repos/{REPOSITORY}/actions/workflows").json()
    assert [file["path"] for file in files["workflows"]] == [".github/workflows/hand.yml"]
    by_id = served.http.get(
        f"/repos/{REPOSITORY}/actions/workflows/{files['workflows'][0]['id']}/runs"
    )
    assert by_id.json()["total_count"] == 3
    assert all(run.status is Status.QUEUED for run in served.service.runs(REPOSITORY))
