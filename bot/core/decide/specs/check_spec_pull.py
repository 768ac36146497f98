"""What is decided of pulls that touch specs: their questions, and a check run at their head.

The rule: a digest is told again only where it says something else, under a new round, because
GitHub adds annotations to a check run and never takes one back; a model's advice, which comes later,
is one edit of what is there. Only open pulls onto main are told anything. Deliberately absent: changes' own pulls, which candidates' verdicts are about.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.specs.model_observations import notice, told_with
from bot.core.decide.specs.plan_new_spec import put_questions
from bot.core.decide.specs.register_ids import proposed_ids
from bot.core.journal.effects import PublishCheckRun
from bot.core.journal.events import SpecPullDigested, SpecPullForgotten
from bot.core.journal.state import PullDigest, SpecRunState, asked_at, pull_place
from bot.core.plan.digest import OnMain, SpecDigest, proposed_digest
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.talk.spec_digest import DigestContext, added_to, spec_check
from bot.core.talk.text import digest_of
from bot.core.values.ids import PullNumber
from bot.core.values.spec_model import Requirement, Spec


def next_steps(decision: Decision) -> None:
    """Tell every pull that was looked at what it makes of its specs."""
    for number, snapshot in decision.observed.pull_snapshots.items():
        known = decision.state.pull_digests.get(number)
        if snapshot is not None and snapshot.specs:
            _tell(decision, snapshot, known)
        elif known is not None:
            decision.emit(SpecPullForgotten(pull=number))


def _tell(decision: Decision, snapshot: PullSnapshot, known: PullDigest | None) -> None:
    facts = decision.state.facts
    if facts is None or _is_being_told(decision, snapshot.number):
        return
    place = pull_place(snapshot.number)
    put_questions(
        decision, place, tuple(one.head for one in snapshot.specs if one.is_work and one.head)
    )
    context = DigestContext(
        facts=facts,
        sha=snapshot.head,
        asked=asked_at(decision.state, place),
        decisions=decision.state.decisions,
        strictness=decision.policy.file.questions,
        conflicts=snapshot.conflicts,
    )
    by_rules = tuple(_digest(decision, one, snapshot) for one in snapshot.specs)
    text = spec_check(by_rules, context)
    rules = digest_of(text.model_dump_json())
    told = _with_noticed(decision, snapshot, by_rules)
    if told != by_rules:
        text = spec_check(told, context)
    digest = digest_of(text.model_dump_json())
    is_said = known is not None and (known.head, known.digest) == (snapshot.head, digest)
    if is_said and known is not None and not known.is_stale:
        return
    # What a model says of a text comes later than what the rules say of it, and is added to that.
    is_edit = known is not None and (known.head, known.digest) == (snapshot.head, rules)
    last = known.round if known is not None else 0
    decision.emit(
        SpecPullDigested(
            pull=snapshot.number,
            head=snapshot.head,
            round=last if is_said or is_edit else last + 1,
            digest=digest,
        )
    )
    if not is_said:
        round_ = decision.state.pull_digests[snapshot.number].round
        decision.intend(
            PublishCheckRun(
                sha=snapshot.head,
                external_id=f"{_external_id(snapshot.number)}{round_}",
                text=added_to(text, told) if is_edit else text,
                text_digest=digest,
                updates=is_edit,
            )
        )


def _digest(decision: Decision, one: ProposedSpec, snapshot: PullSnapshot) -> SpecDigest:
    main = _on_main(decision, one, snapshot)
    return proposed_digest(one, snapshot.archived, decision.policy.file.losses, main)


def _with_noticed(
    decision: Decision, snapshot: PullSnapshot, by_rules: tuple[SpecDigest, ...]
) -> tuple[SpecDigest, ...]:
    """The digests with what a model noticed; as they were as long as some text is being read.

    What something blocks is mended first, and read then.
    """
    place = pull_place(snapshot.number)
    noticed = {
        one.path: notice(decision, place, snapshot.head, one.head, _touched(one, one.head))
        for one, digest in zip(snapshot.specs, by_rules, strict=True)
        if one.is_work and one.head is not None and not digest.blocks
    }
    if any(seen.is_waiting for seen in noticed.values()):
        return by_rules
    return tuple(
        told_with(digest, noticed[digest.path]) if digest.path in noticed else digest
        for digest in by_rules
    )


def _touched(one: ProposedSpec, head: Spec) -> tuple[Requirement, ...]:
    """The requirements whose text main does not have."""
    before = {r.text_hash for r in one.before.requirements} if one.before else set()
    return tuple(r for r in head.requirements if r.text_hash not in before)


def _external_id(pull: PullNumber) -> str:
    return f"spec-pull:{pull}:r"


def _is_being_told(decision: Decision, pull: PullNumber) -> bool:
    """An older digest that came after a newer one would be the one that people see."""
    return any(
        isinstance(e, PublishCheckRun) and e.external_id.startswith(_external_id(pull))
        for e in decision.state.open_effects.values()
    )


def _on_main(decision: Decision, one: ProposedSpec, snapshot: PullSnapshot) -> OnMain:
    """What main has led to, the plan of an amendment included."""
    main = OnMain(covered=decision.state.covered)
    runs = [r for r in decision.state.spec_runs.values() if r.path == one.path and r.is_open]
    if runs:
        run = runs[-1]
        planned = run.amendment.plan if run.amendment else run.plan
        is_under_way = run.state is SpecRunState.RUNNING
        main = main.model_copy(update={"planned": planned, "is_under_way": is_under_way})
    if not one.is_work or one.merged is None:
        return main
    registered, ids = proposed_ids(decision, one.merged, snapshot)
    return main.model_copy(update={"registered": registered, "ids": ids})
