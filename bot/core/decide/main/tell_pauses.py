"""A check run on main while orders wait for somebody to put the set-up right; green when they do not."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import PublishCheckRun
from bot.core.talk.pause_text import check_run, wrong
from bot.core.talk.text import digest_of

_SUBJECT = "pauses:"


def tell(decision: Decision) -> None:
    """One check run for each time that something goes wrong, kept true to its end."""
    state = decision.state
    sentences = wrong(state)
    over = digest_of(check_run([]).model_dump_json())
    text = check_run(sentences)
    digest = digest_of(text.model_dump_json())
    red = _red(decision, over)
    if state.main is None or (digest == over and red is None) or _is_under_way(decision):
        return
    external_id = red or f"{_SUBJECT}{decision.now:%Y%m%dT%H%M%S}"
    decision.keep_check(state.main, external_id, text, digest)


def _red(decision: Decision, over: str) -> str | None:
    """The check run that still says that something is wrong."""
    state = decision.state
    for subject in state.series.get(f"check:{_SUBJECT}", ()):
        if state.published.get(subject, over) != over:
            return subject.removeprefix("check:")
    return None


def _is_under_way(decision: Decision) -> bool:
    return any(
        isinstance(e, PublishCheckRun) and e.external_id.startswith(_SUBJECT)
        for e in decision.state.open_effects.values()
    )
