"""The rules that GitHub has for main: kept when they change, and told before they cost anything."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import PolicyRead, RulesRead
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import Policy
from bot.core.talk.rules_text import check_run, told
from bot.core.talk.text import digest_of

_SUBJECT = "rules:"


def next_steps(decision: Decision) -> None:
    seen = decision.observed.rules
    if seen is not None and seen != decision.state.rules:
        decision.emit(RulesRead(rules=seen, read_at=decision.now))
    if decision.state.on_branch:
        _note_landing(decision)


def _note_landing(decision: Decision) -> None:
    """Who moves a further branch, as its own policy says; of main's policy more is noted."""
    landing, seen = decision.policy.file.landing, decision.observed.main
    at = seen.sha if seen is not None else decision.state.main
    if not isinstance(decision.observed.policy, Policy):
        # What it said before is known still.
        return
    if at is not None and landing is not decision.state.policy_landing:
        version = decision.observed.policy_version
        decision.emit(PolicyRead(version=version, commit=at, landing=landing))


def tell(decision: Decision) -> None:
    """Keep one check run on main for each change of the rules; none if there is nothing to say."""
    state = decision.state
    if state.rules_read_at is None or state.main is None:
        return
    if not told(state, decision.policy) and not _was_told(state):
        return
    text = check_run(state, decision.policy)
    external_id = f"{_subject(state)}{state.rules_read_at:%Y%m%dT%H%M%S}"
    decision.keep_check(state.main, external_id, text, digest_of(text.model_dump_json()))


def _was_told(state: RepositoryState) -> bool:
    return f"check:{_subject(state)}" in state.series


def _subject(state: RepositoryState) -> str:
    return f"{_SUBJECT}{state.on_branch}:" if state.on_branch else _SUBJECT
