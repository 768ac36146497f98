"""What keeps failing, for whoever operates the server: what it is, since when, and what to do."""

from bot.core.talk.text import counted, moment
from bot.core.values.ids import Sha
from bot.core.values.trouble import Trouble, TroubleKind

_WHAT = {
    TroubleKind.ENDED: "The work for {thing} never completes",
    TroubleKind.DIED: "The process that works for {thing} is killed each time",
    TroubleKind.UNREACHABLE: "{thing} cannot be reached",
    TroubleKind.REFUSED: "GitHub does not let us read {thing}",
    TroubleKind.ACCESS: "Headgate has no permission to work in {thing}",
    TroubleKind.DELIVERY: "Delivery {thing} could not be read and was given up",
    TroubleKind.SIGNATURE: "GitHub signs its webhook deliveries with another secret",
    TroubleKind.RUNNER: "Headgate refuses an order to a runner of {thing}",
    TroubleKind.SERVER: "Another Headgate server of the same App has worked in {thing}",
    TroubleKind.EMPTY: "{thing} has no commit on its default branch yet",
}

_FIX = {
    TroubleKind.ENDED: "Look for `repository_rests` in the worker's log. It shows a bug, or more work than a "
    "worker can do in one job.",
    TroubleKind.DIED: "Look in the system's log for the cause, usually too little memory, and give the "
    "worker more.",
    TroubleKind.UNREACHABLE: "Check whether this server reaches GitHub, and githubstatus.com.",
    TroubleKind.REFUSED: "Check whether the App is still installed there, with all of its permissions.",
    # What is said of the reason has it.
    TroubleKind.ACCESS: "",
    TroubleKind.DELIVERY: "No data is lost, because Headgate also searches for repositories every ten minutes. "
    "If one is missing, check whether the App is installed there.",
    TroubleKind.SIGNATURE: "Run `headgate webhook https://…`. It sets the same secret at GitHub and on this "
    "server.",
    TroubleKind.RUNNER: "Only a run that this server started, of the workflow on the default branch, gets an "
    "order. To write the correct workflow file, run `headgate init` in a clone.",
    TroubleKind.SERVER: "Two servers with one App do the same work twice. Stop the other server, or create "
    "another App for it (`headgate setup`). If the other server no longer exists, there is "
    "nothing to do.",
    TroubleKind.EMPTY: "Push a first commit there. Headgate then starts and opens its first pull request.",
}

# What is seen, and not tried again.
_SEEN = {
    TroubleKind.ACCESS,
    TroubleKind.SIGNATURE,
    TroubleKind.RUNNER,
    TroubleKind.SERVER,
    TroubleKind.EMPTY,
}


def left_by_another(refs: int) -> str:
    """Why another server is thought of where this one begins."""
    return f"{counted(refs, 'ref')} below `refs/headgate/` existed before this server started"


def ledger_of_another(commit: Sha) -> str:
    """Why another server is thought of where the ledger is written."""
    return f"The ledger (`refs/headgate/ledger`) had lines in {commit[:12]} that this server did not write"


def trouble_text(trouble: Trouble, name: str = "") -> str:
    """`name` is the repository's, where those who read it may know it."""
    thing = trouble.about if trouble.kind is TroubleKind.DELIVERY else _repository(trouble, name)
    what = _WHAT[trouble.kind].format(thing=thing)
    since = f"since {moment(trouble.since)}"
    why = f" {trouble.why.rstrip('.')}." if trouble.why else ""
    # A repository's name stays as it is written.
    first = what[0] if name and what.startswith(name) else what[0].upper()
    return f"{first}{what[1:]} ({since}, {_tries(trouble)}).{why} {_FIX[trouble.kind]}".rstrip()


def without_names(trouble: Trouble) -> str:
    """For those who may not know which repositories there are. Why we may not work is said in our own
    words alone: which permission is missing, say.
    """
    is_ours = trouble.kind is TroubleKind.ACCESS
    return trouble_text(trouble if is_ours else trouble.replace(why=""))


def _repository(trouble: Trouble, name: str) -> str:
    return f"{name} (repository {trouble.about})" if name else f"repository {trouble.about}"


def _tries(trouble: Trouble) -> str:
    if trouble.kind in _SEEN:
        return f"seen {trouble.at:%H:%M}"
    tries = f"{trouble.tries} tries" if trouble.tries > 1 else "1 try"
    is_over = trouble.kind is TroubleKind.DELIVERY
    return tries if is_over else f"{tries}, the next at {trouble.until:%H:%M}"
