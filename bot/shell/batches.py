"""Asking without haste: a question is handed in, and looked after until its answer is there.

Nobody holds a thread meanwhile: each look is an asking of its own, and the next one has its time. The
rule: that a batch is about to be begun is noted before, and its id before anything else is done with
it, so that no crash pays twice; whatever keeps a batch from answering leads to a plain call.
Deliberately absent: several questions in one batch; each is somebody's own, and costs no more alone.
"""

from datetime import datetime, timedelta

from bot.core.journal.effects import AskModel
from bot.core.values.prompt import Asked, Question
from bot.ports import Asking, Handed, Model, Retryable, UserError
from bot.shell.model_fallback import ModelFallback
from bot.shell.process_ports import Ports

# Most batches are done within the hour ("Batch processing"): a look a minute at first, fewer later.
_LOOK_FIRST = timedelta(minutes=1)
_LOOK_LONGEST = timedelta(minutes=15)
# A batch ends by itself after 24 hours; one that still has not ended then never will.
_GIVE_UP_AFTER = timedelta(hours=25)


def ask(
    ports: Ports,
    model: Model,
    asking: Asking,
    what: tuple[AskModel, Question],
    chain: ModelFallback,
) -> Asked | timedelta:
    """What came of the batch, or of a plain call where there is none; else when to look again."""
    effect, question = what
    now = ports.clock.now()
    known = ports.prompt_store.handed(asking)
    handed = known or Handed(model=effect.models[0], began_at=now)
    took = (now - handed.began_at).total_seconds()
    try:
        if not handed.batch:
            left = _left_behind(ports, model, asking, handed, known)
            batch = left or model.hand_in(handed.model, question, asking.id)
            ports.prompt_store.note(asking, handed.model_copy(update={"batch": batch}))
            return _LOOK_FIRST
        reply = model.fetch(handed.model, handed.batch, asking.id)
    except Retryable as failure:
        if took < _GIVE_UP_AFTER.total_seconds():
            return _next_look(handed, now)
        return _plainly(chain, handed, question, took, failure.sentence)
    except UserError as failure:
        return _plainly(chain, handed, question, took, failure.sentence)
    if reply is not None:
        return chain.take(handed.model, question, reply, took) or chain.ask(question, 0)
    if took < _GIVE_UP_AFTER.total_seconds():
        return _next_look(handed, now)
    return _plainly(chain, handed, question, took, "The batch did not end.")


def _left_behind(
    ports: Ports, model: Model, asking: Asking, handed: Handed, known: Handed | None
) -> str | None:
    """The batch that was begun and not noted; None where none was, which is noted as of now."""
    if known is not None:
        return model.find(handed.model, asking.id, handed.began_at)
    ports.prompt_store.note(asking, handed)
    return None


def _next_look(handed: Handed, now: datetime) -> timedelta:
    """A quarter of what it has taken, within bounds."""
    return min(max((now - handed.began_at) / 4, _LOOK_FIRST), _LOOK_LONGEST)


def _plainly(
    chain: ModelFallback, handed: Handed, question: Question, took: float, why: str
) -> Asked:
    chain.note_lost(handed.model, took, why)
    return chain.ask(question, 0)
