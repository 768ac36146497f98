"""Looks at people's pulls that are to be queued, and at what reviews say of those in the queue."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence

from bot.core.decide.changes.tell_agents import TEXT_CHARACTERS_MAX
from bot.core.journal.state import RepositoryState
from bot.core.spec.code_owners import owners_lacking
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.state.approvals import (
    do_reviews_count,
    needs_others,
    needs_owners,
    needs_resolution,
)
from bot.core.state.observed import CommentWithRole, Looks
from bot.core.state.queued_pulls import queued_by_label
from bot.core.values.candidate import MergeConflict
from bot.core.values.command import BY_BASE_BRANCH
from bot.core.values.ids import Frozen, IssueNumber, PullNumber, Sha
from bot.core.values.pull_review import (
    Approvals,
    PullReview,
    approves,
    newest_opinions,
)
from bot.core.values.queue_label import QUEUE_LABEL, QueueLabel
from bot.core.values.repository import Pull, RepositoryFacts, Role
from bot.core.values.rules import CODEOWNERS
from bot.ports import UserError
from bot.shell.process_ports import Ports


def pulls_to_queue(
    ports: Ports, facts: RepositoryFacts, comments: Iterable[CommentWithRole]
) -> dict[PullNumber, Pull | None]:
    """The pulls of commands whose effect depends on the base branch (`BY_BASE_BRANCH`)."""
    asked = (c for c in comments if any(one.verb in BY_BASE_BRANCH for one in c.commands))
    numbers = (PullNumber(c.comment.issue) for c in asked if c.comment is not None)
    return {number: ports.forge.pull(facts, number) for number in numbers}


# So many pulls are asked for one by one; more are looked for among all open ones, a hundred a request.
NAMED_A_LOOK = 10


def named_pulls(
    ports: Ports, facts: RepositoryFacts, numbers: Sequence[PullNumber], listed: Sequence[Pull]
) -> dict[PullNumber, Pull | None]:
    """The pulls that hints name; of many, those that are not open are None. `listed` are all open ones,
    where they were listed anyway.
    """
    if len(numbers) <= NAMED_A_LOOK and not listed:
        return {number: ports.forge.pull(facts, number) for number in numbers}
    found = {pull.number: pull for pull in listed or ports.forge.open_pulls(facts)}
    return {number: found.get(number) for number in numbers}


def _pulls_asked_about(
    ports: Ports, facts: RepositoryFacts, numbers: Sequence[PullNumber], listed: Sequence[Pull]
) -> dict[PullNumber, Pull | None]:
    """Of those that are not open it is also read what became of them."""
    found = named_pulls(ports, facts, numbers, listed)
    if len(numbers) <= NAMED_A_LOOK and not listed:
        return found
    return {n: pull or ports.forge.pull(facts, n) for n, pull in found.items()}


class PullsSeen(Frozen):
    """`pulls` are those that somebody asks about, `listed` all open ones where all are asked about;
    `labels` are of pulls that have the queue's label, or were queued by it.
    """

    pulls: dict[PullNumber, Pull | None]
    listed: tuple[Pull, ...]
    labels: dict[PullNumber, QueueLabel]


def pulls_seen(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, looks: Looks
) -> PullsSeen:
    """The pulls, and who put the queue's label on people's."""
    forge = ports.forge
    listed = forge.open_pulls(facts) if looks.is_full else ()
    named = named_pulls(ports, facts, looks.labelled_pulls, listed)
    # Of one that is not there it is said elsewhere what became of it.
    labelled = {number: pull for number, pull in named.items() if pull is not None}
    by_label = queued_by_label(state)
    labelled |= {
        pull.number: pull
        for pull in listed
        if (QUEUE_LABEL in pull.labels) is not (pull.number in by_label)
        and state.change_with(pull.number) is None
    }
    return PullsSeen(
        pulls={**labelled, **_pulls_asked_about(ports, facts, looks.pulls, listed)},
        listed=listed,
        labels={n: _label_of(ports, facts, pull) for n, pull in labelled.items()},
    )


def _label_of(ports: Ports, facts: RepositoryFacts, pull: Pull) -> QueueLabel:
    if QUEUE_LABEL not in pull.labels:
        return QueueLabel()
    act = ports.forge.labelling(facts, IssueNumber(pull.number), QUEUE_LABEL)
    role = ports.forge.role(facts, act.by) if act is not None else Role.NONE
    return QueueLabel(act=act, role=role)


def approvals_at(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    looks: Looks,
    pulls: Mapping[PullNumber, Pull | None],
    at: tuple[Sha | None, Policy | PolicyRefusal],
) -> dict[PullNumber, Approvals]:
    """Of people's pulls among these, and of the changes' that are asked about; none where reviews do not
    count. `at`: main and its policy.
    """
    main, policy = at
    if main is None or not isinstance(policy, Policy):
        return {}
    found = {}
    for number, pull in pulls.items():
        is_change = state.change_with(number) is not None
        is_asked = number in looks.reviewed_changes or not is_change
        if pull is None or not is_asked or not do_reviews_count(state, policy, number):
            continue
        found[number] = approvals_of(ports, facts, pull, main, _built_of(state, number))
        if needs_resolution(policy, state.rules):
            # What GitHub does not show is asked for again by the landing, which says so.
            with contextlib.suppress(UserError):
                found[number] = with_threads(ports, facts, number, found[number])
        if not is_change and needs_owners(policy):
            found[number] = with_owners(ports, facts, pull, main, found[number])
        if not is_change and needs_others(policy, state.rules):
            found[number] = by_others(ports, facts, pull, main, found[number])
    return found


def with_threads(
    ports: Ports, facts: RepositoryFacts, pull: PullNumber, approvals: Approvals
) -> Approvals:
    """With the places of its open threads. Raises UserError where they cannot be read."""
    threads = ports.forge.review_threads(facts, pull)
    return approvals.replace(unresolved=tuple(one.place for one in threads if not one.is_resolved))


def with_owners(
    ports: Ports, facts: RepositoryFacts, pull: Pull, main: Sha, approvals: Approvals
) -> Approvals:
    """With the code owners who have still to approve, by the file on main and what would land there; where git
    cannot merge it at all, those of any file.
    """
    git = ports.git
    texts = git.files(facts, main, CODEOWNERS)
    text = next((texts[place] for place in CODEOWNERS if place in texts), b"")
    paths: Sequence[str] | None = None
    with contextlib.suppress(UserError):
        if not git.has(facts, pull.head_sha):
            git.fetch_pull(facts, pull.number)
        paths = git.changed_paths(facts, main, git.merge(facts, main, pull.head_sha).tree)
    return approvals.replace(owners=owners_lacking(text, paths, approvals.by))


def _built_of(state: RepositoryState, number: PullNumber) -> tuple[Sha, ...]:
    change = state.change_with(number)
    return change.built if change is not None else ()


def approvals_of(
    ports: Ports, facts: RepositoryFacts, pull: Pull, main: Sha, built: tuple[Sha, ...] = ()
) -> Approvals:
    """The newest opinion of each person who may write here now; `built` are commits of the same work."""
    return approvals_in(ports, facts, pull, main, _of_the_head(ports, facts, pull, built))


def _of_the_head(
    ports: Ports, facts: RepositoryFacts, pull: Pull, built: tuple[Sha, ...]
) -> tuple[PullReview, ...]:
    """The reviews, as if what was built of the same work before had been the head: only main is another there."""
    reviews = tuple(ports.forge.reviews(facts, pull.number))
    if pull.head_sha not in built:
        return reviews
    return tuple(
        one.replace(commit=pull.head_sha) if approves(one) and one.commit in built else one
        for one in reviews
    )


def approvals_in(
    ports: Ports,
    facts: RepositoryFacts,
    pull: Pull,
    main: Sha,
    reviews: Iterable[PullReview],
) -> Approvals:
    """The newest opinion in these reviews of each person who may write here now."""
    opinions = [
        one
        for one in newest_opinions(reviews)
        if ports.forge.role(facts, one.by).covers(Role.WRITE)
    ]
    approving = [one for one in opinions if approves(one)]
    asking = [one for one in opinions if not approves(one)]
    current = [one for one in approving if _is_the_same(ports, facts, pull, (one.commit, main))]
    return Approvals(
        by=tuple(one.by for one in current),
        outdated=tuple(one.by for one in approving if one not in current),
        against=tuple(one.by for one in asking),
        against_commits=tuple(one.commit for one in asking),
        against_said=tuple(one.body[:TEXT_CHARACTERS_MAX] for one in asking),
    )


def by_others(
    ports: Ports, facts: RepositoryFacts, pull: Pull, main: Sha, approvals: Approvals
) -> Approvals:
    """Without the approvals of who pushed last; where that is not known, without one of them: at most one
    of those who approve pushed.
    """
    pushers = _last_pushers(ports, facts, pull, main) if approvals.by else frozenset()
    if pushers is None:
        own = approvals.by[:1]
    else:
        own = tuple(one for one in approvals.by if one.lower() in pushers)
    others = tuple(one for one in approvals.by if one not in own)
    return approvals.replace(by=others, by_pushers=own)


def _last_pushers(
    ports: Ports, facts: RepositoryFacts, pull: Pull, main: Sha
) -> frozenset[str] | None:
    """Who made the newest push that changed what would land, and who pushed since; None where GitHub does
    not say.
    """
    moves = ports.forge.branch_moves(facts, pull.head_branch) if not pull.is_from_fork else ()
    newest_first = {move.after: move for move in reversed(moves)}
    found, at = set[str](), pull.head_sha
    while (move := newest_first.pop(at, None)) is not None:
        found.add(move.by.lower())
        if not _is_the_same(ports, facts, pull, (move.before, main)):
            return frozenset(found)
        at = move.before
    return None


def _is_the_same(ports: Ports, facts: RepositoryFacts, pull: Pull, at: tuple[Sha, Sha]) -> bool:
    """Whether merging the reviewed commit on main gives the same tree as merging the head."""
    reviewed, main = at
    if reviewed == pull.head_sha:
        return True
    git = ports.git
    try:
        # A fetched head brings its ancestors. A reviewed commit that is none of them stays unknown.
        if not git.has(facts, pull.head_sha):
            git.fetch_pull(facts, pull.number)
        if not git.has(facts, reviewed):
            return False
        before = git.merge(facts, main, reviewed)
        after = git.merge(facts, main, pull.head_sha)
    except UserError:
        return False
    are_merged = not isinstance(before, MergeConflict) and not isinstance(after, MergeConflict)
    return are_merged and before == after
