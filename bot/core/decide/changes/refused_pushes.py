"""A push that GitHub refused waits with its work; what is wrong with the work itself, an agent does again."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ImportBundle
from bot.core.journal.events import BundleRefused, EffectRefused
from bot.core.journal.state import ChangeFacts
from bot.core.talk.refusal_text import refused_work
from bot.core.values.candidate import RefusalCode


def do_again(decision: Decision, change: ChangeFacts) -> bool:
    """Drop work whose content GitHub refuses; False if it is accepted, or may still be.

    Only on a person's command, because they may want to allow the content instead.
    """
    effects = decision.state.open_effects.values()
    for effect in [e for e in effects if isinstance(e, ImportBundle) and e.change == change.id]:
        delay = decision.state.delays.get(effect.key)
        if delay is None or delay.refusal is None or not delay.refusal.kind.is_of_the_work:
            continue
        sentence = refused_work(delay.refusal)
        decision.emit(EffectRefused(key=effect.key, sentence=sentence))
        decision.emit(
            BundleRefused(
                change=change.id,
                order=effect.order,
                code=RefusalCode.REFUSED_BY_GITHUB,
                sentence=sentence,
                paths=delay.refusal.files,
            )
        )
        return True
    return False
