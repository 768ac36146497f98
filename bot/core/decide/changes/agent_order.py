"""The order of one attempt: the approved texts, the rules of main, and what is known of the change."""

from action.order import AgentOrder, AgentSettings
from bot.core.decide.changes.keep_budgets import within
from bot.core.decide.changes.stop_steered import steers_setup
from bot.core.decide.changes.wait_for_answers import (
    asking_rule,
    settled_questions,
    with_remaining_budget,
)
from bot.core.decide.decision import Decision
from bot.core.journal.state import ChangeFacts, asked_at
from bot.core.spec.agent_budget import agent_settings
from bot.core.state.money import Left
from bot.core.state.own_refs import start_ref
from bot.core.state.told import told_words
from bot.core.talk.artefact_texts import artefacts_of
from bot.core.talk.decisions_text import with_decisions
from bot.core.talk.order_brief import brief_of
from bot.core.talk.order_context import (
    context_notes,
    requirement_texts,
    tests_wanted,
    with_landed_since,
)
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Spec


def settings_of(decision: Decision, change: ChangeFacts) -> AgentSettings:
    return agent_settings(decision.policy, decision.observed.models, change.size)


def agent_order(
    decision: Decision,
    facts: RepositoryFacts,
    spec: Spec,
    main: Sha,
    change: ChangeFacts,
    left: Left,
) -> AgentOrder:
    """The next attempt: on main, or on the start that was prepared of the work so far."""
    attempt = change.attempt + 1
    prepared = change.start if change.start_attempt == attempt else None
    base = change.start_base if prepared and change.start_base else main
    run = decision.state.spec_runs[change.spec_run]
    return AgentOrder(
        order_id=decision.next_order_id(),
        repository=facts.full_name,
        clone_url=facts.clone_url,
        base_sha=base,
        start_sha=prepared or main,
        start_ref=start_ref(change, attempt) if prepared else facts.main_ref,
        change=change.slug,
        title=change.planned.title,
        attempt=attempt,
        requirements=with_decisions(
            requirement_texts(spec, change),
            spec,
            asked_at(decision.state, run.path),
            decision.state.decisions,
        ),
        bearings=(*tests_wanted(decision.state, change), *context_notes(spec)),
        protected=decision.policy.protected,
        setup=decision.policy.setup,
        setup_sha="" if steers_setup(decision.state, change) else base,
        environment=decision.policy.environment,
        egress_hosts=decision.policy.file.egress,
        sandbox=decision.policy.sandbox,
        sandbox_allow=decision.policy.sandbox_allow,
        agent=within(with_remaining_budget(settings_of(decision, change), change), left),
        retry=with_landed_since(decision.state, change) if attempt > 1 or prepared else None,
        asking=asking_rule(decision.policy, change),
        settled=settled_questions(change),
        told=told_words(change),
        gates=decision.policy_for(change).gates,
        quick_gates=decision.policy_for(change).quick_gates,
        brief=brief_of(
            decision.state,
            decision.policy_for(change),
            change,
            [r for r in spec.requirements if r.id in change.planned.requirements],
        ),
        artefacts=artefacts_of(run, spec, change),
    )
