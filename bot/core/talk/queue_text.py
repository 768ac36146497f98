"""What people are told of their pulls in the queue."""

from datetime import datetime

from bot.core.journal.hold import Hold
from bot.core.journal.state import ChangeFacts, QueuedPull, RepositoryState
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.guarded import lost_by
from bot.core.state.queue_order import Queued, blocked_by, does_not_fit, place_of, waits_for_word
from bot.core.state.queue_view import Place, Wait, queue_view
from bot.core.talk.checks import gate_table
from bot.core.talk.commit import subject
from bot.core.talk.review_waits import for_reviews
from bot.core.talk.text import code, cut, inert, login, main_or, minutes, span
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.queue_label import QUEUE_LABEL
from bot.core.values.repository import Pull, PullState, Role

QUEUE_NAME = "headgate/queue"

_WHY_CHARACTERS = 300
_COMMITS_NAMED = 5
_PATHS_NAMED = 5
# Who may change what others are judged by; the same may approve workflow files by pushing them.
RULES_ROLE = Role.MAINTAIN


_MERGED = "It was merged"
_MAY_FIT_LATER = (
    "The commit on main that it conflicts with is red or not judged yet, so it stays in the "
    "queue. It leaves the queue if that commit passes. If main changes otherwise, Headgate "
    "merges it again."
)
_AGAIN = "To put it into the queue again, comment `/headgate queue`."


def queued_reply(state: RepositoryState, pull: QueuedPull) -> str:
    return (
        f"In the queue at place {place_of(state, pull)}. It lands as {code(pull.head[:12])} "
        f"merged on {main_or(state.on_branch)}, if the gates pass on exactly that merge. A new "
        f"push removes it from the queue.{_stopped(state, pull)}"
    )


def unseen_reviews(branch: str) -> str:
    """Beside the reply to `queue`."""
    return (
        "It waits for no approval, because no ruleset requires one, and Headgate cannot see "
        f"the classic branch protection of {main_or(branch)}. If that protection requires "
        "reviews, set `reviews: 1` in the policy; if not, set `reviews: none`."
    )


def queued_already(state: RepositoryState, pull: QueuedPull) -> str:
    return f"It is in the queue at place {place_of(state, pull)}.{_stopped(state, pull)}"


def entered_by_itself(by: str, said: tuple[str, ...]) -> str:
    """The comment on a pull that the policy put into the queue; `said` is what its person would be told."""
    return (
        f"{login(by)} has approved it and the required checks are green, so it enters the queue "
        f"(`auto_queue: approved` in the policy). {' '.join(said)}\n\n"
        "To remove it, comment `/headgate dequeue`; it stays out until a push to it or "
        "`/headgate queue`. To keep it in the queue without landing, comment `/headgate hold`."
    )


def not_in_queue() -> str:
    return (
        "This is not in the queue. To put a pull request into the queue, comment `/headgate queue`."
    )


def is_landing() -> str:
    return "It is landing now and can no longer be stopped."


def left_reply() -> str:
    return f"It is no longer in the queue. {_AGAIN}"


def unsigned(commits: tuple[Sha, ...]) -> str:
    """Why a pull leaves the queue where main takes signed commits only."""
    named = ", ".join(code(sha[:12]) for sha in commits[:_COMMITS_NAMED])
    more = f" and {len(commits) - _COMMITS_NAMED} more" if len(commits) > _COMMITS_NAMED else ""
    return (
        "A rule of this repository requires signed commits, but GitHub has not verified the "
        f"signature of these commits: {named}{more}. Sign them and push again."
    )


def held_reply() -> str:
    return "It stays in the queue and does not land until `/headgate release`."


def released_reply(*, was_held: bool) -> str:
    return "The hold has ended." if was_held else "It is not on hold."


def awaited_anew() -> str:
    """The reply to `release` where a check of another App was late."""
    return "Headgate waits for the check again, for the same time. It does not land without it."


def next_reply(state: RepositoryState, pull: QueuedPull) -> str:
    return (
        f"It goes next, and is at place {place_of(state, pull)}. A landing in progress, entries "
        "that were overtaken too often, and entries that were put first earlier go before "
        f"it.{_stopped(state, pull)}"
    )


def what_it_loses(state: RepositoryState, pull: QueuedPull) -> str:
    """What keeps it from landing by `losses: fail`, and what to do about it; empty where nothing is lost."""
    lost = lost_by(state, pull)
    if not lost:
        return ""
    return (
        " It does not land, because of what it removes from a spec: "
        f"{inert(' '.join(lost), _WHY_CHARACTERS)} Restore the text, or remove it by a delta, "
        "and queue the new head."
    )


def _stopped(state: RepositoryState, queued: Queued) -> str:
    """What keeps it from landing whatever its place is; empty if nothing does."""
    held = (
        " It is on hold, and does not land until `/headgate release`."
        if state.entry_of(queued).hold
        else ""
    )
    if isinstance(queued, QueuedPull) and queued.waits_for_reviews:
        held += f" For now {for_reviews(queued)}."
    if isinstance(queued, QueuedPull):
        held += what_it_loses(state, queued)
    why = blocked_by(state)
    return f"{held} {inert(why, _WHY_CHARACTERS)}" if why else held


def ours() -> str:
    """The reply to `queue` and `dequeue` of a change."""
    return (
        "Headgate lands the pull requests of its changes itself. To see what this one waits "
        "for, comment `/headgate why`. To decide when it lands, use `/headgate queue priority "
        "N`, `now`, `hold` and `release`; to stop it, `/headgate stop`."
    )


def is_over() -> str:
    return (
        "It has ended, so it will not enter the queue. To try it again, comment `/headgate retry`."
    )


def held_change_reply() -> str:
    return "Agents and gates continue, but it does not land until `/headgate release`."


def moved_change_reply(state: RepositoryState, change: ChangeFacts) -> str:
    """The reply to `now` and `queue priority` of a change."""
    entry = state.entry_of(change)
    first = "It goes next" if entry.is_next else f"Its priority is {entry.priority}"
    if entry.entered is None:
        return f"{first}, once its gates have passed.{_stopped(state, change)}"
    return f"{first}: it is at place {place_of(state, change)}.{_stopped(state, change)}"


def needs_gates(policy: Policy | PolicyRefusal) -> str:
    if isinstance(policy, PolicyRefusal):
        found = policy.findings[0]
        return (
            f"No change can land while {code(POLICY_PATH)} cannot be read. Line {found.line}: "
            f"{inert(found.quote, 80)}. {found.question}"
        )
    return (
        "No change can land without a required gate. Merge the pull request that proposes a "
        "first `.github/headgate.yml`, or write that file."
    )


def not_understood(argument: str) -> str:
    return (
        f"“{inert(argument, 60)}” is neither a commit of it nor a priority. Write `/headgate "
        "queue [SHA] [priority N]`, with N from -9 to 9."
    )


def why_out(pull: Pull | None, default_branch: str, head: Sha | None) -> str:
    """Why a pull cannot land as it is on GitHub now; empty if it can. `head` None: any head."""
    if pull is None:
        return "There is no such pull request."
    if pull.state is PullState.MERGED:
        return f"{_MERGED} by {login(pull.merged_by)}." if pull.merged_by else f"{_MERGED}."
    if pull.state is not PullState.OPEN:
        return "It is closed."
    if pull.is_draft:
        return "It is a draft. Mark it as ready for review first."
    if pull.base_branch != default_branch:
        return (
            f"Its base branch is {code(pull.base_branch)}, but this queue is for "
            f"{code(default_branch)}."
        )
    if head is not None and pull.head_sha != head:
        return (
            f"A new commit {code(pull.head_sha[:12])} was pushed, but {code(head[:12])} was "
            "queued. Only a queued commit can land."
        )
    return ""


def not_served(branch: str) -> str:
    return f"The policy no longer names {code(branch)}, so that branch has no queue."


def label_is_off() -> str:
    return f"The label {code(QUEUE_LABEL)} was removed."


def label_not_permitted(by: str, role: Role, needed: Role) -> str:
    return (
        f"The label {code(QUEUE_LABEL)} puts a pull request into the queue. That needs the role "
        f"{needed}; {login(by)} has the role {role} here."
    )


def from_fork() -> str:
    return (
        "It comes from a fork, and its code would run on this repository's own runners, so it "
        "is not queued. Read it, push its commits to a branch of this repository, and queue "
        "the pull request of that branch. Or name runners for such code in the policy (`forks: "
        "{runs_on: …}`)."
    )


def which_head(head: Sha) -> str:
    return (
        "It comes from a fork, and its owner may push at any moment. Name the commit that you "
        f"have read: `/headgate queue {head[:12]}` for its current head."
    )


def other_head(named: str, head: Sha) -> str:
    return f"{code(named)} is not its head. Its head is {code(head[:12])} now."


def needs_code_owners(branch: str) -> str:
    return (
        f"A rule of {main_or(branch)} requires the review of code owners, which Headgate cannot "
        "check. Merge it by hand, or set in the policy how many approvals are enough "
        "(`reviews: 1`). With `reviews: code-owners`, one person whom CODEOWNERS names must "
        "approve each file."
    )


def workflows(folder: str) -> str:
    """Why a pull is not landed that edits workflows."""
    return (
        f"It edits {code(folder)}. An App needs a permission for that, and Headgate does not "
        "request it. Merge it by hand; Headgate judges main after that."
    )


def unreadable_policy(refusal: PolicyRefusal) -> str:
    """Why a pull is not landed that brings a policy nobody can read."""
    found = refusal.findings[0]
    return (
        f"Line {found.line} of {code(POLICY_PATH)}, as it would be on main, cannot be read: "
        f"{inert(found.quote, 80)}. {found.question}"
    )


def needs_word(pull: QueuedPull) -> str:
    """The comment on a pull that edits what others are judged by."""
    return (
        f"It edits {_listed(pull.rules)}, which decides how others are judged. A person with "
        f"the role {RULES_ROLE} must read this and comment `/headgate allow {pull.head[:12]}`. "
        "Then main's gates and its own gates judge it. Other entries can land before that."
    )


def rules_from_fork(paths: tuple[str, ...]) -> str:
    """Why a pull from a fork leaves that edits what others are judged by."""
    return (
        f"It comes from a fork and edits {_listed(paths)}, which decides how others are judged. "
        "Open a pull request from a branch of this repository for that."
    )


def word_not_permitted(by: str, role: Role) -> str:
    return (
        "An edit of files that decide how others are judged needs the approval of a person "
        f"with the role {RULES_ROLE}. {login(by)} has the role {role} here."
    )


def allowed_reply(pull: QueuedPull, by: str) -> str:
    """The reply to `allow`, and to whoever asks twice."""
    edits = f" to edit {_listed(pull.rules)}" if pull.rules else ", whatever rules it edits"
    return f"{login(by)} allowed {code(pull.head[:12])}{edits}. The ledger will record this."


def another_head(argument: str, pull: QueuedPull) -> str:
    named = f"{code(argument[:40])} is not the queued head. " if argument else ""
    return f"{named}Comment `/headgate allow {pull.head[:12]}` when you have read that commit."


def _listed(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - _PATHS_NAMED} more" if len(paths) > _PATHS_NAMED else ""
    return ", ".join(code(path) for path in paths[:_PATHS_NAMED]) + more


def brings_nothing(branch: str) -> str:
    return f"It has no changes that {main_or(branch)} does not have."


def conflict(branch: str, base: Sha, files: tuple[str, ...]) -> str:
    named = ", ".join(code(path) for path in files[:10])
    return f"It conflicts with {main_or(branch)} at {code(base[:12])}: {named}."


def lost(times: int, sentence: str) -> str:
    return (
        f"No runner completed its gates, {times} times in a row. The last time: {inert(sentence)}"
    )


_WAITS = {
    Wait.LANDS: "it lands next",
    Wait.HELD: "a person put it on hold",
    Wait.CHECK: "a check of another App is late",
    Wait.REVIEWS: "it waits for reviews",
    Wait.WORD: "it edits files that decide how others are judged, and a person must allow that",
    Wait.SPEC: "it removes text from a spec that must stay (`headgate/spec` says which)",
    Wait.REFUSED: "GitHub refused its landing; Headgate tries again soon",
    Wait.AHEAD: "others are ahead of it",
    Wait.GATES: "its gates are running",
    Wait.MAIN: "{main} is red, or is being judged",
    Wait.FROZEN: "a person has frozen the queue",
    Wait.ADOPTED: "Headgate did not land a commit of {main}, and a person must end the freeze "
    "(`/headgate unfreeze`)",
    Wait.SMOKE: "the smoke gates are red on {main} after a landing",
    Wait.BUILD: "Headgate merges it on {main} next",
}


def waiting_for(place: Place) -> str:
    if place.waits_for is Wait.REVIEWS:
        return for_reviews(place)
    if place.waits_for is Wait.RIVALS:
        others = ", ".join(f"#{number}" for number in place.behind)
        return (
            f"it starts after {others}, which also edits {inert(place.why, _WHY_CHARACTERS)}, "
            "for another spec"
        )
    why = f" ({inert(place.why, _WHY_CHARACTERS)})" if place.why else ""
    return f"{_WAITS[place.waits_for].format(main=main_or(place.branch))}{why}"


def waits_text(place: Place) -> str:
    """What an entry waits for, with how long that may take."""
    said = waiting_for(place)
    if place.judged_seconds is not None:
        said += f", for {minutes(place.judged_seconds)} so far"
    if place.expected_seconds is not None:
        said += f"; expected in {span(place.expected_seconds)}"
    return said


def place_text(state: RepositoryState, entry: str, now: datetime) -> str:
    """Where an entry stands in the queue, and what it waits for there; empty if it is not in it."""
    view = queue_view(state, now)
    place = next((one for one in view if one.entry == entry), None)
    if place is None:
        return ""
    return f"It is at place {place.place} of {len(view)} in the queue: {waits_text(place)}."


def why_pull(state: RepositoryState, pull: QueuedPull, now: datetime) -> str:
    """The reply to `why` on a pull that is, or was, in the queue."""
    where = place_text(state, f"pull:{pull.number}", now)
    hold = state.entry_of(pull).hold
    return where or f"{_said(state, pull, hold)[1]}. {pull.sentence}".strip()


def left_text(state: RepositoryState, pull: QueuedPull) -> str:
    """The comment on a pull that left the queue without being asked to."""
    results = state.results_of(pull)
    table = f"\n\n{gate_table(results)}" if results else ""
    again = "" if pull.sentence.startswith(_MERGED) else f" {_AGAIN}"
    return cut(f"**Out of the queue.** {pull.sentence}{again}{table}")


def pull_message(number: PullNumber, title: str, by: str) -> str:
    """The message of the merge commit; main's history shows it."""
    return f"Merge #{number}: {subject(title)}\n\nQueued-by: {login(by).removeprefix('@')}\n"


def queue_check(state: RepositoryState, pull: QueuedPull, note: str = "") -> CheckRunText:
    """The check run on the pull's head; `note` is said of one that is still in the queue."""
    hold = state.entry_of(pull).hold
    conclusion, title = _said(state, pull, hold)
    waits = f"Queued by {login(pull.by)}."
    if pull.is_by_policy:
        waits = f"It entered automatically (`auto_queue`) after {login(pull.by)} approved it."
    if hold is not None:
        why = f": {inert(hold.why, _WHY_CHARACTERS)}" if hold.why else ""
        waits += f" Put on hold by {login(hold.by)}{why}."
    if not pull.has_left:
        waits += f" For now {for_reviews(pull)}." if pull.waits_for_reviews else ""
        waits += what_it_loses(state, pull)
        waits += f" {_MAY_FIT_LATER}" if does_not_fit(state, pull) else ""
    results = state.results_of(pull)
    parts = (
        waits,
        "" if pull.has_left else note,
        pull.sentence,
        gate_table(results) if results else "",
    )
    return CheckRunText(
        name=QUEUE_NAME,
        conclusion=conclusion,
        title=title,
        summary=cut("\n\n".join(part for part in parts if part), 65_000),
    )


def _said(
    state: RepositoryState, pull: QueuedPull, hold: Hold | None
) -> tuple[Conclusion | None, str]:
    match pull.state:
        case QueuedPullState.LANDED:
            return Conclusion.SUCCESS, f"It is on {state.on_branch or 'main'}"
        case QueuedPullState.EVICTED:
            return Conclusion.FAILURE, "It cannot land as it is"
        case QueuedPullState.WITHDRAWN:
            return Conclusion.CANCELLED, "It is no longer in the queue"
        case QueuedPullState.WAITING if hold is not None:
            return None, "In the queue, on hold"
        case QueuedPullState.WAITING if pull.waits_for_reviews:
            return None, "In the queue, waiting for reviews"
        case QueuedPullState.WAITING if lost_by(state, pull):
            return None, "In the queue, but removes text from a spec that must stay"
        case QueuedPullState.WAITING if waits_for_word(state, pull):
            return None, "In the queue, waiting for a person to allow it"
        case QueuedPullState.WAITING if does_not_fit(state, pull):
            there = state.on_branch or "main"
            return None, f"In the queue, in conflict with {there}, which is not judged yet"
        case QueuedPullState.WAITING:
            return None, "In the queue"
        case QueuedPullState.JUDGING:
            return None, f"The gates are running on its merge with {state.on_branch or 'main'}"
        case QueuedPullState.QUEUED | QueuedPullState.LANDING:
            return None, "It passed and lands next"
