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
    "What it does not fit is not judged yet, or red, so it stays in the queue: it leaves when that has passed, "
    "and is merged anew on whatever comes after that."
)
_AGAIN = "To put it into the queue again, comment `/headgate queue`."


def queued_reply(state: RepositoryState, pull: QueuedPull) -> str:
    return (
        f"In the queue at place {place_of(state, pull)}. It lands as {code(pull.head[:12])} merged on "
        f"{main_or(state.on_branch)}, if the gates pass on exactly that; a new push takes it out of the queue."
        f"{_stopped(state, pull)}"
    )


def unseen_reviews(branch: str) -> str:
    """Beside the reply to `queue`."""
    return (
        "It waits for no approval: no ruleset asks for one, and GitHub does not show Headgate the classic "
        f"protection of {main_or(branch)}. If that asks for reviews, say so in the policy: `reviews: 1`; "
        "if it does not, `reviews: none`."
    )


def queued_already(state: RepositoryState, pull: QueuedPull) -> str:
    return f"It is in the queue at place {place_of(state, pull)}.{_stopped(state, pull)}"


def entered_by_itself(by: str, said: tuple[str, ...]) -> str:
    """The comment on a pull that the policy put into the queue; `said` is what its person would be told."""
    return (
        f"{login(by)} has approved it and the required checks are green, so it enters the queue: the policy "
        f"says `auto_queue: approved`. {' '.join(said)}\n\n`/headgate dequeue` takes it out, and it stays out "
        "until somebody pushes to it or comments `/headgate queue`. `/headgate hold` keeps it from landing."
    )


def not_in_queue() -> str:
    return "Nothing here is in the queue. `/headgate queue` puts a pull there."


def is_landing() -> str:
    return "It is landing just now, and cannot be stopped any more."


def left_reply() -> str:
    return f"It is out of the queue. {_AGAIN}"


def unsigned(commits: tuple[Sha, ...]) -> str:
    """Why a pull leaves the queue where main takes signed commits only."""
    named = ", ".join(code(sha[:12]) for sha in commits[:_COMMITS_NAMED])
    more = f" and {len(commits) - _COMMITS_NAMED} more" if len(commits) > _COMMITS_NAMED else ""
    return (
        "A rule of this repository requires signed commits, and the merge of this pull would bring "
        f"some to main whose signature GitHub has not verified: {named}{more}. Sign them and push "
        "again."
    )


def held_reply() -> str:
    return "It stays in the queue and does not land until `/headgate release`."


def released_reply(*, was_held: bool) -> str:
    return "The hold is over." if was_held else "Nobody holds it."


def awaited_anew() -> str:
    """The reply to `release` where a check of another App was late."""
    return "The check is awaited as long once more. Nothing lands without it."


def next_reply(state: RepositoryState, pull: QueuedPull) -> str:
    return (
        "It goes next, after what is landing, what was overtaken too often and what was put first "
        f"before: it is at place {place_of(state, pull)}.{_stopped(state, pull)}"
    )


def what_it_loses(state: RepositoryState, pull: QueuedPull) -> str:
    """What keeps it from landing by `losses: fail`, and what to do about it; empty where nothing is lost."""
    lost = lost_by(state, pull)
    if not lost:
        return ""
    return (
        f" It does not land, because of what it takes from a spec: {inert(' '.join(lost), _WHY_CHARACTERS)} "
        "Put it back, or remove it by a delta, and queue the new head."
    )


def _stopped(state: RepositoryState, queued: Queued) -> str:
    """What keeps it from landing whatever its place is; empty if nothing does."""
    held = (
        " It is held, and does not land until `/headgate release`."
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
        "Headgate lands the pulls of its changes itself. `/headgate why` says what this waits for; "
        "`/headgate queue priority N`, `now`, `hold` and `release` say when it lands, `/headgate stop` ends it."
    )


def is_over() -> str:
    return "It has ended: it is not on its way to the queue. `/headgate retry` tries it again."


def held_change_reply() -> str:
    return "Agents and gates go on; it does not land until `/headgate release`."


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
            f"Nothing can land while {code(POLICY_PATH)} cannot be read. Line {found.line}: "
            f"{inert(found.quote, 80)}. {found.question}"
        )
    return (
        "Nothing can land without a required gate. Merge the pull that proposes a first "
        "`.github/headgate.yml`, or write that file."
    )


def not_understood(argument: str) -> str:
    return f"“{inert(argument, 60)}” is neither its commit nor a priority. Write `/headgate queue [SHA] [priority N]`, N from -9 to 9."


def why_out(pull: Pull | None, default_branch: str, head: Sha | None) -> str:
    """Why a pull cannot land as it is on GitHub now; empty if it can. `head` None: any head."""
    if pull is None:
        return "There is no such pull."
    if pull.state is PullState.MERGED:
        return f"{_MERGED} by {login(pull.merged_by)}." if pull.merged_by else f"{_MERGED}."
    if pull.state is not PullState.OPEN:
        return "It is closed."
    if pull.is_draft:
        return "It is a draft. Mark it as ready for review first."
    if pull.base_branch != default_branch:
        return (
            f"It asks to be merged into {code(pull.base_branch)}, and the queue is "
            f"{code(default_branch)}'s."
        )
    if head is not None and pull.head_sha != head:
        return (
            f"{code(pull.head_sha[:12])} was pushed to it, and {code(head[:12])} was queued: what "
            "nobody queued does not land."
        )
    return ""


def not_served(branch: str) -> str:
    return f"The policy does not name {code(branch)} any more, so that branch has no queue."


def label_is_off() -> str:
    return f"The label {code(QUEUE_LABEL)} was taken off."


def label_not_permitted(by: str, role: Role, needed: Role) -> str:
    return (
        f"The label {code(QUEUE_LABEL)} queues a pull. That needs the role {needed}; {login(by)} has the "
        f"role {role} here."
    )


def from_fork() -> str:
    return (
        "It comes from a fork. Its code would run on this repository's own runners, so it is not "
        "queued: read it, push its commits to a branch of this repository, and queue the pull of that. Or "
        "name runners for such code in the policy (`forks: {runs_on: …}`)."
    )


def which_head(head: Sha) -> str:
    return (
        "It comes from a fork, whose owner may push at any moment. Say which commit you have read: "
        f"`/headgate queue {head[:12]}` is its head now."
    )


def other_head(named: str, head: Sha) -> str:
    return f"{code(named)} is not its head: that is {code(head[:12])} now."


def needs_code_owners(branch: str) -> str:
    return (
        f"A rule of {main_or(branch)} asks for the review of code owners, which Headgate cannot check. "
        "Merge it by hand, or say in the policy how many approvals are enough (`reviews: 1`), or that of each file "
        "one of the people must approve whom CODEOWNERS names (`reviews: code-owners`)."
    )


def workflows(folder: str) -> str:
    """Why a pull is not landed that edits workflows."""
    return (
        f"It edits {code(folder)}, which GitHub lets no App do without a right that Headgate does not "
        "ask for. Merge it by hand; Headgate judges main after that."
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
        f"It edits {_listed(pull.rules)}, by which others are judged. Somebody with the role "
        f"{RULES_ROLE} must read that and comment `/headgate allow {pull.head[:12]}`. Then it is judged "
        "by main's gates and by those that it brings. Others land meanwhile."
    )


def rules_from_fork(paths: tuple[str, ...]) -> str:
    """Why a pull from a fork leaves that edits what others are judged by."""
    return (
        f"It comes from a fork and edits {_listed(paths)}, by which others are judged. Bring that with a pull "
        "of a branch of this repository."
    )


def word_not_permitted(by: str, role: Role) -> str:
    return (
        f"What others are judged by is edited with the word of somebody who has the role {RULES_ROLE}; "
        f"{login(by)} has the role {role} here."
    )


def allowed_reply(pull: QueuedPull, by: str) -> str:
    """The reply to `allow`, and to whoever asks twice."""
    edits = f" to edit {_listed(pull.rules)}" if pull.rules else ", whatever rules it edits"
    return f"{login(by)} allowed {code(pull.head[:12])}{edits}. The ledger will say so."


def another_head(argument: str, pull: QueuedPull) -> str:
    named = f"{code(argument[:40])} is not the head that is queued. " if argument else ""
    return f"{named}Comment `/headgate allow {pull.head[:12]}` when you have read that commit."


def _listed(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - _PATHS_NAMED} more" if len(paths) > _PATHS_NAMED else ""
    return ", ".join(code(path) for path in paths[:_PATHS_NAMED]) + more


def brings_nothing(branch: str) -> str:
    return f"It brings nothing that {main_or(branch)} does not have."


def conflict(branch: str, base: Sha, files: tuple[str, ...]) -> str:
    named = ", ".join(code(path) for path in files[:10])
    return f"It does not merge with {main_or(branch)} at {code(base[:12])}: {named}."


def lost(times: int, sentence: str) -> str:
    return f"Its gates were lost {times} times in a row. The last time: {inert(sentence)}"


_WAITS = {
    Wait.LANDS: "it lands next",
    Wait.HELD: "a person holds it",
    Wait.CHECK: "a check of another App is late",
    Wait.REVIEWS: "reviews keep it from landing",
    Wait.WORD: "it edits what others are judged by, and a person must allow that",
    Wait.SPEC: "it takes from a spec what must not go (`headgate/spec` says what)",
    Wait.REFUSED: "its landing was refused, and is tried again soon",
    Wait.AHEAD: "others are ahead of it",
    Wait.GATES: "its gates run",
    Wait.MAIN: "{main} is not sound, or is being judged",
    Wait.FROZEN: "a person has frozen the queue",
    Wait.ADOPTED: "Headgate did not land a commit of {main}, and a person must say that the queue goes on",
    Wait.SMOKE: "the smoke gates are red on {main} after a landing",
    Wait.BUILD: "it is merged on {main} next",
}


def waiting_for(place: Place) -> str:
    """What an entry waits for, and why."""
    if place.waits_for is Wait.REVIEWS:
        return for_reviews(place)
    if place.waits_for is Wait.RIVALS:
        others = ", ".join(f"#{number}" for number in place.behind)
        return f"it begins after {others}, which edits {inert(place.why, _WHY_CHARACTERS)}, too, for another spec"
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
        waits = f"It entered by itself (`auto_queue`): {login(pull.by)} approved it."
    if hold is not None:
        why = f": {inert(hold.why, _WHY_CHARACTERS)}" if hold.why else ""
        waits += f" Held by {login(hold.by)}{why}."
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
            return Conclusion.CANCELLED, "It is out of the queue"
        case QueuedPullState.WAITING if hold is not None:
            return None, "In the queue, held by a person"
        case QueuedPullState.WAITING if pull.waits_for_reviews:
            return None, "In the queue, waits for reviews"
        case QueuedPullState.WAITING if lost_by(state, pull):
            return None, "In the queue, takes from a spec what must not go"
        case QueuedPullState.WAITING if waits_for_word(state, pull):
            return None, "In the queue, waits for the word of a person"
        case QueuedPullState.WAITING if does_not_fit(state, pull):
            there = state.on_branch or "main"
            return None, f"In the queue, does not fit {there}, which is not judged yet"
        case QueuedPullState.WAITING:
            return None, "In the queue"
        case QueuedPullState.JUDGING:
            return None, f"The gates are running on its merge with {state.on_branch or 'main'}"
        case QueuedPullState.QUEUED | QueuedPullState.LANDING:
            return None, "It passed, and lands next"
