"""Has GitHub merge a pull into main, and looks at what main has become of it.

GitHub compares the head alone: between our look at main and its merge somebody may move main. What came of
it is said plainly, and never taken for what was judged.
"""

from dataclasses import dataclass
from datetime import timedelta

from bot.core.journal import effects as ef
from bot.core.state.observed import Hint, HintKind
from bot.core.talk.merge_text import behind_others, merge_refused, not_judged
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.repository import Pull, PullState, RepositoryFacts
from bot.core.values.rules import MergeMethod
from bot.ports import Retryable
from bot.shell.move_main import Move, found_elsewhere
from bot.shell.process_ports import Ports

# GitHub shows the commit of a merge a moment after it.
_SHOWN_AFTER = timedelta(seconds=2)


@dataclass(frozen=True, kw_only=True)
class WantedMerge:
    """Merge `head`, so that main at `base` becomes `tree`, by the first method that GitHub takes."""

    number: PullNumber
    head: Sha
    base: Sha
    candidate: Sha
    tree: Sha
    methods: tuple[MergeMethod, ...]
    message: str
    is_queued: bool = False

    @property
    def is_by_github(self) -> bool:
        return bool(self.methods) or self.is_queued


def wanted_merge_of(effect: ef.LandCandidate | ef.LandPull) -> WantedMerge:
    return WantedMerge(
        number=effect.number if isinstance(effect, ef.LandPull) else effect.pull,
        head=effect.head if isinstance(effect, ef.LandPull) else effect.candidate,
        base=effect.base,
        candidate=effect.candidate,
        tree=effect.tree,
        methods=effect.merges,
        message=effect.message,
        is_queued=effect.queues,
    )


@dataclass(frozen=True)
class Merged:
    """Main's commit; `sentence` says why it is not what was judged, and is empty where it is."""

    sha: Sha
    sentence: str = ""


def merge_pull(ports: Ports, facts: RepositoryFacts, wanted: WantedMerge) -> Merged | Move:
    """Merge it, if main is at the base."""
    elsewhere = found_elsewhere(ports, facts, wanted.base, wanted.candidate)
    if elsewhere is not None:
        return elsewhere
    answer = ports.forge.merge_pull(
        facts, wanted.number, wanted.head, wanted.methods, wanted.message
    )
    if answer.merged_as is not None:
        return _what_came_of_it(ports, facts, wanted, answer.merged_as)
    if answer.is_stale:
        raise Retryable(f"#{wanted.number} or main has moved: {answer.sentence}", _SHOWN_AFTER)
    return Move(
        is_done=False, sentence=merge_refused(wanted.number, answer.sentence), is_refused=True
    )


def merged_before(
    ports: Ports, facts: RepositoryFacts, wanted: WantedMerge, pull: Pull
) -> Merged | None:
    """What became of our merge, of which the answer was lost, or of that by GitHub's queue; None where it was
    somebody else's.
    """
    is_ours = wanted.is_queued or pull.merged_by == facts.bot_login
    is_ours = is_ours and pull.head_sha == wanted.head
    if pull.state is not PullState.MERGED or pull.merged_as is None or not is_ours:
        return None
    return _what_came_of_it(ports, facts, wanted, pull.merged_as)


def _what_came_of_it(ports: Ports, facts: RepositoryFacts, wanted: WantedMerge, sha: Sha) -> Merged:
    if not ports.git.has(facts, sha):
        ports.git.fetch(facts)
    if not ports.git.has(facts, sha):
        raise Retryable(f"GitHub does not show the merge of #{wanted.number} yet", _SHOWN_AFTER)
    history = ports.git.history(facts, wanted.base, sha) or ()
    if len(history) == 1 and history[0].sha == sha and history[0].tree == wanted.tree:
        return Merged(sha)
    # Whoever accounts for main's commits has them judged.
    ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    said = behind_others if wanted.is_queued else not_judged
    return Merged(sha, said(wanted.number, sha, wanted.base))
