"""How dialogues evolve: the issues that ask for work, their rounds and what came of them.

An answer stays through every round and edit; questions that nobody answered give way to those that
are asked in their place.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.dialogue_state import COMMENT, Dialogue, GivenAnswer, Round
from bot.core.journal.effects import EditComment, PostComment
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import RepositoryState
from bot.core.journal.transitions import DIALOGUES
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import DraftRejection
from bot.core.values.spent import with_call

_PLACE = "issue:"


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
    """The fold of a known dialogue, whose phase has moved by then; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        dialogue = _moved(state.dialogues.get(event.issue), event)
        return _with(state, fold(dialogue, event)) if dialogue else state

    return folded


def _at_dialogue(
    fold: Callable[[Dialogue, P], Dialogue],
) -> Callable[[RepositoryState, P], RepositoryState]:
    """The same for an event of a model that names the issue as its place."""

    def folded(state: RepositoryState, event: P) -> RepositoryState:
        number = event.place.removeprefix(_PLACE) if event.place.startswith(_PLACE) else ""
        known = state.dialogues.get(IssueNumber(int(number))) if number.isdecimal() else None
        dialogue = _moved(known, event)
        return _with(state, fold(dialogue, event)) if dialogue else state

    return folded


def _moved(dialogue: Dialogue | None, event: object) -> Dialogue | None:
    """The dialogue in its phase after the event, with news that its comment does not tell yet."""
    after = DIALOGUES.after(dialogue, event) if dialogue else None
    return replace(dialogue, phase=after, is_told=False) if dialogue and after else None


def _with(state: RepositoryState, dialogue: Dialogue) -> RepositoryState:
    return replace(state, dialogues={**state.dialogues, dialogue.issue: dialogue})


def _told(state: RepositoryState, event: ev.EffectIntended) -> RepositoryState:
    """A comment that is about to be written says what is known now."""
    effect = event.effect
    if not isinstance(effect, PostComment | EditComment) or not effect.subject.startswith(COMMENT):
        return state
    known = state.dialogues.get(effect.issue)
    if known is None or known.subject != effect.subject:
        return state
    return _with(state, replace(known, is_told=True))


def _began(state: RepositoryState, event: ev.WorkAsked) -> RepositoryState:
    known = state.dialogues.get(event.issue)
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
    return _with(state, begun)


def _called(dialogue: Dialogue, event: ev.ModelAsked) -> Dialogue:
    return replace(dialogue, model_use=with_call(dialogue.model_use, event.call))


def _replied(dialogue: Dialogue, event: ev.ModelAnswered) -> Dialogue:
    return replace(dialogue, reply_to=event.question, reply=event.answer)


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


def _asked(dialogue: Dialogue, event: ev.RoundAsked) -> Dialogue:
    """A round put for the first time, or put anew: what was answered of it stays."""
    fresh = {q.number for q in event.questions}
    kept = tuple(
        q
        for r in dialogue.rounds
        if r.number == event.round
        for q in r.questions
        if q.number in dialogue.answers and q.number not in fresh
    )
    before = tuple(r for r in dialogue.rounds if r.number != event.round)
    round_ = Round(number=event.round, questions=(*kept, *event.questions), by_rules=event.by_rules)
    return replace(
        _without_reply(dialogue), rounds=(*before, round_), last=max((dialogue.last, *fresh))
    )


def _answered(dialogue: Dialogue, event: ev.AnswerGiven) -> Dialogue:
    given = GivenAnswer(text=event.text, author=event.author, link=event.link)
    return replace(dialogue, answers={**dialogue.answers, event.number: given})


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
    on(ev.RoundAsked, _of_dialogue(_asked)),
    on(ev.AnswerGiven, _of_dialogue(_answered)),
    on(ev.RoundClosed, _of_dialogue(_closed)),
    on(ev.DraftReturned, _of_dialogue(_returned)),
    on(ev.SpecProposed, _of_dialogue(_proposed)),
    on(ev.DialogueEnded, _of_dialogue(_ended)),
)
