"""How dialogues evolve: the issues that ask for work, their turns and what came of them.

What their people were asked and answered is folded in `evolve_questions`.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.dialogue_state import COMMENT, Dialogue
from bot.core.journal.effects import EditComment, PostComment
from bot.core.journal.evolve_retired_issues import issues_retired
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import RepositoryState, dialogue_of, with_dialogue
from bot.core.journal.transitions import DIALOGUES
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import DraftRejection, issue_of
from bot.core.values.replacement import replace
from bot.core.values.spent import with_call


class _AboutIssue(Protocol):
    @property
    def issue(self) -> IssueNumber: ...


class _AtPlace(Protocol):
    @property
    def place(self) -> str: ...


E = TypeVar("E", bound=_AboutIssue)
P = TypeVar("P", bound=_AtPlace)


def _of_dialogue(
    fold: Callable[[Dialogue, E], Dialogue],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """Fold a known dialogue after its phase moved; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        dialogue = _moved(state.dialogues.get(event.issue), event)
        return with_dialogue(state, fold(dialogue, event)) if dialogue else state

    return folded


def _at_dialogue(
    fold: Callable[[Dialogue, P], Dialogue],
) -> Callable[[RepositoryState, P], RepositoryState]:
    """The same for an event of a model that names the issue as its place."""

    def folded(state: RepositoryState, event: P) -> RepositoryState:
        issue = issue_of(event.place)
        dialogue = _moved(state.dialogues.get(issue) if issue else None, event)
        return with_dialogue(state, fold(dialogue, event)) if dialogue else state

    return folded


def _moved(dialogue: Dialogue | None, event: object) -> Dialogue | None:
    """The dialogue in its phase after the event, with news that its comment does not tell yet."""
    after = DIALOGUES.after(dialogue, event) if dialogue else None
    return replace(dialogue, phase=after, is_told=False) if dialogue and after else None


def _told(state: RepositoryState, event: ev.EffectIntended) -> RepositoryState:
    """A comment that is about to be written says what is known now."""
    effect = event.effect
    if not isinstance(effect, PostComment | EditComment) or not effect.subject.startswith(COMMENT):
        return state
    known = state.dialogues.get(effect.issue)
    if known is None or known.subject != effect.subject:
        return state
    return with_dialogue(state, replace(known, is_told=True))


def _began(state: RepositoryState, event: ev.WorkAsked) -> RepositoryState:
    known = dialogue_of(state, event.issue)
    phase = DIALOGUES.after(known, event)
    if phase is None:
        return state
    begun = Dialogue(
        issue=event.issue,
        begun=known.begun + 1 if known else 1,
        labelling=event.labelling,
        asked_by=event.asked_by,
        title=event.title,
        digest=event.digest,
        phase=phase,
    )
    return with_dialogue(state, begun)


def _called(dialogue: Dialogue, event: ev.ModelAsked) -> Dialogue:
    return replace(dialogue, model_use=with_call(dialogue.model_use, event.call))


def _replied(dialogue: Dialogue, event: ev.ModelAnswered) -> Dialogue:
    return replace(dialogue, reply_to=event.prompt, reply=event.answer)


def _without_reply(dialogue: Dialogue) -> Dialogue:
    return replace(dialogue, reply="", reply_to="")


def _failed(dialogue: Dialogue, event: ev.ModelFailed) -> Dialogue:
    return replace(_without_reply(dialogue), failure=event.sentence)


def _turned(dialogue: Dialogue) -> Dialogue:
    """A turn of ours begins: what was thought before is not about what is known now."""
    return replace(_without_reply(dialogue), rejections=())


def _reworded(dialogue: Dialogue, event: ev.WorkReworded) -> Dialogue:
    edits = dialogue.edits + 1
    return replace(_turned(dialogue), title=event.title, digest=event.digest, edits=edits)


def _closed(dialogue: Dialogue, event: ev.RoundClosed) -> Dialogue:
    skipped = (event.skipped_by,) if event.skipped_by else ()
    return replace(
        _turned(dialogue), closed=event.round, skipped_by=(*dialogue.skipped_by, *skipped)
    )


def _returned(dialogue: Dialogue, event: ev.DraftReturned) -> Dialogue:
    rejection = DraftRejection(previous=event.previous, reasons=event.reasons)
    return replace(_without_reply(dialogue), rejections=(*dialogue.rejections, rejection))


def _proposed(dialogue: Dialogue, event: ev.SpecProposed) -> Dialogue:
    return replace(_without_reply(dialogue), pull=event.pull, path=event.path, proposal=event.round)


def _ended(dialogue: Dialogue, event: ev.DialogueEnded) -> Dialogue:
    return replace(dialogue, ending=event.ending, ended_by=event.by)


DIALOGUE_FOLDS = folds(
    on(ev.WorkAsked, _began),
    on(ev.EffectIntended, _told),
    on(ev.ModelAsked, _at_dialogue(_called)),
    on(ev.ModelAnswered, _at_dialogue(_replied)),
    on(ev.ModelFailed, _at_dialogue(_failed)),
    on(ev.WorkReworded, _of_dialogue(_reworded)),
    on(ev.RoundClosed, _of_dialogue(_closed)),
    on(ev.DraftReturned, _of_dialogue(_returned)),
    on(ev.SpecProposed, _of_dialogue(_proposed)),
    on(ev.DialogueEnded, _of_dialogue(_ended)),
    on(ev.IssuesRetired, issues_retired),
)
