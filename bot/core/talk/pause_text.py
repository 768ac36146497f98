"""What people are told of what orders wait for: since when, why, and what to do about it."""

from bot.core.journal.pause_state import Pause
from bot.core.journal.state import RepositoryState
from bot.core.talk.text import code, inert
from bot.core.values.pause import Cause

_HEADS = {
    Cause.NO_WORKFLOW: "The workflow {} cannot be started.",
    Cause.NO_RUNNER: "No runner takes the jobs of {}.",
    Cause.SANDBOX_REFUSED: "The runner has no sandbox that works.",
    Cause.FETCH_FAILED: "The runner cannot fetch {}.",
    Cause.SETUP_FAILED: "The policy's `setup` fails: {}.",
    Cause.GATE_MISSING: "The gate {} cannot be started, on the default branch neither.",
    Cause.PROGRAM_MISSING: "The agent's command cannot be started: {}.",
    Cause.PROXY_REFUSED: "The agent asks for something that Headgate's proxy refuses: {}.",
    Cause.MODEL_REFUSED: "The model {} refuses to answer.",
    Cause.MODEL_UNPAID: "The account that pays for the model {} has nothing left.",
    Cause.MODEL_AWAY: "The model {} does not answer.",
}

_FIXES = {
    Cause.NO_WORKFLOW: "Put it on the default branch with a `workflow_dispatch` trigger, and enable "
    "Actions for this repository.",
    Cause.NO_RUNNER: "Start a self-hosted runner with the labels that the workflow's `runs-on` names.",
    Cause.SANDBOX_REFUSED: "Prepare the runner as is said below.",
    Cause.FETCH_FAILED: "Give the runner a way to GitHub, and the workflow `contents: read`.",
    Cause.SETUP_FAILED: "Correct `setup` (or `egress`) in the policy, the files that it uses, or the "
    "runner.",
    Cause.GATE_MISSING: "Correct the gate's `run` in the policy, or install its program: on the runner "
    "or by `setup`.",
    Cause.PROGRAM_MISSING: "Correct `agent.command` in the policy, or show the program's folder to the "
    "sandbox: `HEADGATE_SANDBOX_PATHS` on the runner.",
    Cause.PROXY_REFUSED: "Choose an agent that speaks the Messages API, or set it to that.",
    Cause.MODEL_REFUSED: "Correct the model's name in the policy, or the key on the server.",
    Cause.MODEL_UNPAID: "Buy credits, or raise the spending limit, where the server's key comes from.",
    Cause.MODEL_AWAY: "There is nothing to do but wait.",
}


def paused(state: RepositoryState) -> list[str]:
    """A paragraph for each pause."""
    return [_paragraph(pause) for pause in state.pauses.values()]


def mends(state: RepositoryState) -> list[str]:
    """What people must do so that orders are placed again; nothing helps against an outage."""
    fixes = (_FIXES[p.cause] for p in state.pauses.values() if p.cause is not Cause.MODEL_AWAY)
    return [f"{fix[0].lower()}{fix[1:]}".rstrip(".") for fix in dict.fromkeys(fixes)]


def _paragraph(pause: Pause) -> str:
    head = _HEADS[pause.cause].format(code(pause.about))
    since = f"{pause.since:%Y-%m-%d %H:%M} UTC"
    return (
        f"**Paused since {since}:** {head} {_FIXES[pause.cause]} No attempt is counted. One order at a "
        "time tries again by itself, and the others follow when it succeeds; `/headgate resume` tries "
        f"at once. It was said last: {inert(pause.sentence)}"
    )
