"""What an owner got wrong in a repository, for the log and for `headgate doctor`: the thing and the fix."""

from collections.abc import Iterable, Iterator

from bot.core.journal.events import Event, OrderDeferred, PolicyRefused, RulesRead
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import no_policy
from bot.core.spec.policy_file import POLICY_PATH, Landing
from bot.core.state.refusing_rules import RuleFinding, Topic, Weight, findings
from bot.core.talk.access_text import why_and_fix
from bot.core.talk.pause_text import in_brief, wrong
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.refusal_text import refusal_in_short
from bot.core.talk.rules_text import in_words
from bot.core.values.rules import MERGED_BY_GITHUB
from bot.core.values.spec_model import Finding

_SAID_CHARACTERS_MAX = 500


def news(events: Iterable[Event], state: RepositoryState) -> Iterator[tuple[str, str]]:
    """A name and a sentence for each event that says what somebody must put right."""
    for event in events:
        match event:
            case OrderDeferred():
                said = " ".join(event.sentence.split())[:_SAID_CHARACTERS_MAX]
                yield (
                    "orders_wait",
                    f"{in_brief(event.cause, event.about, event.sentence)} The message was: {said}",
                )
            case PolicyRefused():
                yield from (("policy_refused", says) for says in _of_policy(event.findings))
            case RulesRead():
                yield from (("rule_in_the_way", sentence) for sentence in _of_rules(state))
            case _:
                pass


def standing(state: RepositoryState) -> list[str]:
    """What is wrong in a repository by its journal; rules are read from GitHub itself."""
    refused = state.refusals.get(POLICY_PATH)
    away = [why_and_fix(state.away)] if state.away else []
    refusals = (delay.refusal for delay in state.delays.values())
    told = (refusal_in_short(r) for r in refusals if r is not None and r.kind.is_mended_by_people)
    policy = _of_policy(refused.findings) if refused else ()
    return [*away, *policy, *wrong(state), *dict.fromkeys(told)]


def _of_policy(found: Iterable[Finding]) -> Iterator[str]:
    for one in found:
        yield f"{POLICY_PATH}, line {one.line}: {one.question} The previous policy stays in force."


def _of_rules(state: RepositoryState) -> list[str]:
    """Without the policy, which may await a required check and name GitHub's own machines, but for its word on
    landings: what surely refuses, or lacks. A runner that is missed is told of when an order waits for it.
    """
    if state.facts is None or state.rules is None:
        return []
    is_merged = state.policy_landing is Landing.GITHUB
    told = [
        one
        for one in findings(state.facts, state.rules, no_policy(), RUNNER_LABEL)
        if one.topic in {Topic.LACKS, Topic.ACTIONS_OFF}
        or (one.weight is Weight.REFUSES and not (is_merged and _is_of_merges(one)))
    ]
    return in_words(state.rules.branch, state.rules.codeowners, told)


def _is_of_merges(finding: RuleFinding) -> bool:
    """Whether GitHub may merge under the rule, where the policy lets it."""
    return finding.rule is not None and finding.rule.kind in MERGED_BY_GITHUB
