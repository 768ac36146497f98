"""The two workflow files of a repository: each is one job that carries out one order.

The job stands in the file itself, because a workflow of another owner gets no self-hosted runners.
"""

from typing import Annotated

from pydantic import Field

from bot.core.values.ids import Frozen

FOLDER = ".github/workflows/"

# A self-hosted runner's label, or the name of a runner scale set.
RUNS_ON = ("headgate",)

# An order's own limits end its work earlier.
_TIMEOUT_MINUTES = 120


class ActionSource(Frozen):
    """Where the composite action is taken from: a commit, because a tag may be moved."""

    repository: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]
    sha: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


def workflow_files(
    source: ActionSource | None, runs_on: tuple[str, ...] = RUNS_ON
) -> dict[str, str]:
    """Path and text of each file; without a source the job calls `headgate-action`, which stands
    in the runner's image: for GitHub Enterprise Server, and where only own actions are allowed.
    """
    return {
        f"{FOLDER}headgate-{mode}.yml": _text(mode, source, runs_on) for mode in ("agent", "gates")
    }


def not_run(workflow: str, state: str) -> str:
    """`state` is GitHub's word for why it starts no run of the workflow."""
    if state == "disabled_fork":
        return (
            f"GitHub does not run workflows of a new fork, including `{workflow}`. A person "
            "with write access must enable them under the fork's tab Actions."
        )
    return f"GitHub does not run `{workflow}` (`{state}`). Enable it on its page under Actions."


def unapproved(workflow: str) -> str:
    """Why orders do not go to a workflow file, and the ways out."""
    return (
        f"`{workflow}` on the default branch is not approved: it is not Headgate's own text, "
        "and it came neither by a merged pull request nor by a push of a maintainer. Merge a "
        "pull request that changes it, or let a person with the role maintain or admin push "
        "it. If the file is missing, run `headgate init` in a clone."
    )


def _text(mode: str, source: ActionSource | None, runs_on: tuple[str, ...]) -> str:
    labels = ", ".join(f'"{label}"' for label in runs_on)
    return f"""\
# Headgate starts this workflow; it must stand on the default branch.
name: Headgate {mode}
run-name: headgate ${{{{ inputs.order_id }}}}

on:
  workflow_dispatch:
    inputs:
      order_id:
        description: The order to carry out
        type: string
        required: true
      server:
        description: The address of your Headgate server
        type: string
        required: true
      runs_on:
        description: The labels of the runner, where the policy's `runs_on` names any
        type: string
        required: false
        default: '[{labels}]'

permissions: {{}}

jobs:
  {mode}:
    name: {mode}
    runs-on: ${{{{ fromJSON(inputs.runs_on) }}}}
    timeout-minutes: {_TIMEOUT_MINUTES}
    permissions:
      contents: read
      id-token: write
    steps:
      - name: Carry out the order
{_step(mode, source)}"""


def _step(mode: str, source: ActionSource | None) -> str:
    if source is not None:
        return f"""\
        uses: {source.repository}/action@{source.sha}
        with:
          mode: {mode}
          order-id: ${{{{ inputs.order_id }}}}
          server: ${{{{ inputs.server }}}}
"""
    # Inputs travel as environment variables, never as text of the script.
    return f"""\
        env:
          HEADGATE_ORDER_ID: ${{{{ inputs.order_id }}}}
          HEADGATE_SERVER: ${{{{ inputs.server }}}}
          HEADGATE_READ_TOKEN: ${{{{ github.token }}}}
        run: exec headgate-action {mode} --order-id "$HEADGATE_ORDER_ID" --server "$HEADGATE_SERVER"
"""
