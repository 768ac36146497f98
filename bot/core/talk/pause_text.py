"""What people are told of what orders wait for: since when, why, and what to do about it."""

from bot.core.journal.pause_state import Pause
from bot.core.journal.state import RepositoryState
from bot.core.talk.freeze_text import stops
from bot.core.talk.text import code, inert, moment
from bot.core.talk.workflow_file import RUNS_ON
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.pause import NO_LEASE, Cause

ORDERS_NAME = "headgate/orders"

_HEADS = {
    Cause.NO_WORKFLOW: "The workflow {} cannot be started.",
    Cause.NO_RUNNER: "No runner takes the jobs of {}.",
    Cause.SANDBOX_REFUSED: "The runner has no working sandbox.",
    Cause.FETCH_FAILED: "The runner cannot fetch {}.",
    Cause.SETUP_FAILED: "The policy's `setup` fails: {}.",
    Cause.GATE_MISSING: "The gate {} cannot be started, not even on the default branch.",
    Cause.PROGRAM_MISSING: "The agent's command cannot be started: {}.",
    Cause.PROXY_REFUSED: "The agent sends requests that Headgate's proxy refuses: {}.",
    Cause.MODEL_REFUSED: "The model {} refuses to answer.",
    Cause.MODEL_UNPAID: "The account for the model {} has no credit left.",
    Cause.MODEL_AWAY: "The model {} does not answer.",
}

_FIXES = {
    Cause.NO_WORKFLOW: "Put it on the default branch with a `workflow_dispatch` trigger, by a pull request or "
    "by a push of a maintainer. Enable Actions for this repository, and the workflow on "
    "its page. In a new fork, enable all workflows under the tab Actions.",
    Cause.NO_RUNNER: "Start a self-hosted runner with the labels in the policy's `runs_on`. Without "
    f"`runs_on`, the labels are `{', '.join(RUNS_ON)}`.",
    Cause.SANDBOX_REFUSED: "Prepare the runner as described below.",
    Cause.FETCH_FAILED: "Give the runner network access to GitHub, and the workflow the permission `contents: "
    "read`.",
    Cause.SETUP_FAILED: "Correct `setup`, `egress` or `environment` in the policy, the files that setup uses, "
    "or the runner.",
    Cause.GATE_MISSING: "Correct the gate's `run` in the policy, or install its program on the runner or by "
    "`setup`.",
    Cause.PROGRAM_MISSING: "Correct `agent.command` in the policy, or add the program's folder to "
    "`HEADGATE_SANDBOX_PATHS` on the runner.",
    Cause.PROXY_REFUSED: "Choose an agent that uses the Messages API, or configure the agent to use it.",
    Cause.MODEL_REFUSED: "Correct the model's name in the policy, or the key on the server.",
    Cause.MODEL_UNPAID: "Buy credits, or raise the spending limit, at the provider of the server's key.",
    Cause.MODEL_AWAY: "Wait; Headgate tries again.",
}
# Runners are there: the server gives none of them the order.
_NOT_GIVEN = (
    "Headgate gives no order to the jobs of {}. The reason is below. To write the correct "
    "file, run `headgate init` in a clone."
)


def paused(state: RepositoryState) -> list[str]:
    """A paragraph for each pause, and for what a person stopped."""
    return [*stops(state), *(_paragraph(pause) for pause in state.pauses.values())]


def fixes(state: RepositoryState) -> list[str]:
    """What people must do so that orders are placed again; nothing helps against an outage."""
    fixes = (_fix(p) for p in state.pauses.values() if p.cause is not Cause.MODEL_AWAY)
    return [f"{fix[0].lower()}{fix[1:]}".rstrip(".") for fix in dict.fromkeys(fixes)]


def _fix(pause: Pause) -> str:
    if NO_LEASE in pause.sentence:
        return "Run `headgate init` in a clone, and commit the workflow file that it writes."
    return _FIXES[pause.cause]


def head_of(cause: Cause, about: str) -> str:
    """What is missing, as a part of a sentence."""
    said = _HEADS[cause].format(code(about)).rstrip(".")
    return f"{said[0].lower()}{said[1:]}"


def in_brief(cause: Cause, about: str, sentence: str) -> str:
    """What is missing and what to do about it: the same as long as it lasts. `sentence` is what was said."""
    if NO_LEASE in sentence:
        return _NOT_GIVEN.format(code(about))
    return f"{_HEADS[cause].format(code(about))} {_FIXES[cause]}"


def wrong(state: RepositoryState) -> list[str]:
    """What somebody must put right so that orders are placed again."""
    return [_wrong(p) for p in state.pauses.values() if p.cause is not Cause.MODEL_AWAY]


def _wrong(pause: Pause) -> str:
    brief = in_brief(pause.cause, pause.about, pause.sentence)
    # GitHub's words, or the server's own: the same as long as it lasts, and the only ones that name it.
    is_named = pause.cause is Cause.NO_WORKFLOW or NO_LEASE in pause.sentence
    return f"{brief} The message was: {inert(pause.sentence)}" if is_named else brief


def check_run(sentences: list[str]) -> CheckRunText:
    """What is wrong with the set-up as a check run; green once nothing is."""
    if not sentences:
        return CheckRunText(
            name=ORDERS_NAME,
            conclusion=Conclusion.SUCCESS,
            title="No order is waiting",
            summary="There is nothing to do.",
        )
    return CheckRunText(
        name=ORDERS_NAME,
        conclusion=Conclusion.ACTION_REQUIRED,
        title="Orders wait until a person corrects the setup",
        summary="\n".join(f"- {sentence}" for sentence in sentences),
    )


def _paragraph(pause: Pause) -> str:
    since = moment(pause.since)
    return (
        f"**Paused since {since}:** {in_brief(pause.cause, pause.about, pause.sentence)} This "
        "does not count as an attempt. Headgate tries again with one order at a time; when it "
        "succeeds, the others follow. To try at once, comment `/headgate resume`. The last "
        f"message was: {inert(pause.sentence)}"
    )
