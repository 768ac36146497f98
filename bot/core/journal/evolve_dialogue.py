"""What the events of issues that ask for work mean for the state.

The rule: an answer stays through every round and edit; questions that nobody answered give way to
those that are asked in their place. Deliberately absent: specs, which are `evolve_specs`'s.
"""

from bot.core.journal import events as ev
from bot.core.journal.dialogue_state import COMMENT, Dialogue, DialoguePhase, GivenAnswer, Round
from bot.core.journal.effects import EditComment, Effect, PostComment
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import DraftRejection
from bot.core.values.spent import with_call

_PLACE = "issue:"
_Asking = ev.ModelAsked | ev.ModelAnswered | ev.ModelFailed
_Talking = (
    ev.WorkReworded
    | ev.RoundAsked
    | ev.AnswerGiven
    | ev.RoundClosed
    | ev.DraftReturned
    | ev.SpecProposed
    | ev.DialogueEnded
)


def evolve_dialogue(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after one event about an issue that asks for work; others change nothing here."""
    if isinstance(event, ev.WorkAsked):
        return _begun(state, event)
    if isinstance(event, ev.EffectIntended):
        return _told(state, event.effect)
    known: Dialogue | None = None
    if isinstance(event, _Asking):
        number = event.place.removeprefix(_PLACE) if event.place.startswith(_PLACE) else ""
        known = state.dialogues.get(IssueNumber(int(number))) if number.isdecimal() else None
    elif isinstance(event, _Talking):
        known = state.dialogues.get(event.issue)
    if known is None:
        return state
    return _with(state, known.model_copy(update={**_moved(known, event), "is_told": False}))


def _with(state: RepositoryState, dialogue: Dialogue) -> RepositoryState:
    return state.model_copy(update={"dialogues": {**state.dialogues, dialogue.issue: dialogue}})


def _told(state: RepositoryState, effect: Effect) -> RepositoryState:
    """A comment that is about to be written says what is known now."""
    if not isinstance(effect, PostComment | EditComment) or not effect.subject.startswith(COMMENT):
        return state
    known = state.dialogues.get(effect.issue)
    if known is None or known.subject != effect.subject:
        return state
    return _with(state, known.model_copy(update={"is_told": True}))


def _begun(state: RepositoryState, event: ev.WorkAsked) -> RepositoryState:
    known = state.dialogues.get(event.issue)
    if known is not None and known.phase is not DialoguePhase.ENDED:
        return state
    begun = Dialogue(
        issue=event.issue,
        begun=known.begun + 1 if known else 1,
        labelling=event.labelling,
        asked_by=event.asked_by,
        title=event.title,
        digest=event.digest,
    )
    return _with(state, begun)


def _moved(dialogue: Dialogue, event: ev.Event) -> dict[str, object]:
    match event:
        case ev.ModelAsked():
            return {"model_use": with_call(dialogue.model_use, event.call)}
        case ev.ModelAnswered() if dialogue.phase is DialoguePhase.THINKING:
            return {"reply_to": event.question, "reply": event.answer}
        case ev.ModelFailed() if dialogue.is_open:
            return {"failure": event.sentence, "reply": "", "reply_to": ""}
        case ev.WorkReworded() if dialogue.is_open:
            return {
                **_afresh(),
                "title": event.title,
                "digest": event.digest,
                "edits": dialogue.edits + 1,
            }
        case ev.RoundAsked() if _is_next(dialogue, event):
            return _asked(dialogue, event)
        case ev.AnswerGiven() if any(q.number == event.number for q in dialogue.questions):
            given = GivenAnswer(text=event.text, author=event.author, link=event.link)
            return {"answers": {**dialogue.answers, event.number: given}}
        case ev.RoundClosed() if _is_under_way(dialogue, event):
            skipped = (event.skipped_by,) if event.skipped_by else ()
            return {
                **_afresh(),
                "closed": event.round,
                "skipped_by": (*dialogue.skipped_by, *skipped),
            }
        case ev.DraftReturned() if dialogue.phase is DialoguePhase.THINKING:
            rejection = DraftRejection(previous=event.previous, reasons=event.reasons)
            rejections = (*dialogue.rejections, rejection)
            return {"rejections": rejections, "reply": "", "reply_to": ""}
        case ev.SpecProposed() if event.dialogue == dialogue.begun:
            # One that was stopped meanwhile knows its pull, too, and takes it back.
            return {
                "phase": DialoguePhase.PROPOSED if dialogue.is_open else dialogue.phase,
                "pull": event.pull,
                "path": event.path,
                "proposal": event.round,
                "reply": "",
                "reply_to": "",
            }
        case ev.DialogueEnded() if dialogue.phase is not DialoguePhase.ENDED:
            return {
                "phase": DialoguePhase.ENDED,
                "ending": event.ending,
                "ended_by": event.by,
            }
        case _:
            return {}


def _afresh() -> dict[str, object]:
    """A turn of ours begins: what was thought before is not about what is known now."""
    return {"phase": DialoguePhase.THINKING, "rejections": (), "reply": "", "reply_to": ""}


def _is_next(dialogue: Dialogue, event: ev.RoundAsked) -> bool:
    return dialogue.phase is DialoguePhase.THINKING and event.round == dialogue.closed + 1


def _is_under_way(dialogue: Dialogue, event: ev.RoundClosed) -> bool:
    return dialogue.phase is DialoguePhase.ASKING and event.round == dialogue.closed + 1


def _asked(dialogue: Dialogue, event: ev.RoundAsked) -> dict[str, object]:
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
    return {
        "phase": DialoguePhase.ASKING,
        "rounds": (*before, round_),
        "last": max((dialogue.last, *fresh)),
        "reply": "",
        "reply_to": "",
    }
