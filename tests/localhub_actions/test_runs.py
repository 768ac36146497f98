"""Whole runs: dispatched over REST, executed by a runner process, read over REST."""

from pathlib import Path

from bot.localhub.actions.runner_messages import Conclusion
from tests.localhub_actions.kit import Box, runner

REPOSITORY = "acme/tide"

HELLO = """
name: Hello
run-name: headgate ${{ inputs.order_id }}
on:
  workflow_dispatch:
    inputs:
      order_id: {required: true, type: string}
      loud: {type: boolean, default: false}
env:
  GREETING: good ${{ inputs.loud && 'EVENING' || 'morning' }}
jobs:
  greet:
    runs-on: [self-hosted, headgate]
    outputs:
      said: ${{ steps.say.outputs.said }}
      token: ${{ github.token }}
    env:
      NAME: ${{ github.actor }}
    steps:
      - id: say
        name: Say it
        run: |
          echo "$GREETING $NAME for $ORDER"
          echo "said=$GREETING" >> "$GITHUB_OUTPUT"
          echo "LATER=from the first step" >> "$GITHUB_ENV"
          mkdir -p bin && printf '#!/bin/sh\\necho own tool\\n' > bin/tool && chmod +x bin/tool
          echo "$PWD/bin" >> "$GITHUB_PATH"
        env:
          ORDER: ${{ inputs.order_id }}
      - run: |
          echo "$LATER"; tool
          test "$GITHUB_REPOSITORY" = acme/tide && test "$GITHUB_WORKSPACE" = "$PWD"
          test -z "${GITHUB_TOKEN+x}" && test -z "${ACTIONS_ID_TOKEN_REQUEST_URL+x}"
          grep -q order-1 "$GITHUB_EVENT_PATH"
        shell: bash
      - run: "print('and python')"
        shell: python
  after:
    needs: greet
    runs-on: self-hosted
    steps:
      - run: echo "heard '${{ needs.greet.outputs.said }}' and '${{ needs.greet.outputs.token }}'"
"""


def add(served: Box, text: str) -> None:
    served.host.add_repository(REPOSITORY, {".github/workflows/w.yml": text})


def test_a_dispatched_workflow_runs_and_its_jobs_pass_outputs(served: Box, tmp_path: Path) -> None:
    add(served, HELLO)
    with runner(served, tmp_path / "work"):
        run = served.finished(
            served.dispatch(REPOSITORY, "w.yml", {"order_id": "order-1", "loud": "true"})
        )
    first, second = served.log(run, "greet"), served.log(run, "after")
    assert run.conclusion is Conclusion.SUCCESS, first + second
    assert "good EVENING alice for order-1" in first
    assert "from the first step" in first
    assert "own tool" in first
    assert "and python" in first
    assert "heard 'good EVENING' and ''" in second
    assert "Skip output 'token' since it may contain secret" in first
    shown = served.http.get(f"/repos/{REPOSITORY}/actions/runs/{run.id}").json()
    assert shown["display_title"] == "headgate order-1"
    assert (shown["status"], shown["conclusion"]) == ("completed", "success")
    assert served.host.job_tokens == {}
