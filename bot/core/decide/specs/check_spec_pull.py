"""Pulls that touch specs: their questions, and the check run `headgate/spec` at their head.

GitHub can add annotations to a check run but not remove them. So a changed digest gets a new check
run (a new round), and only a model's advice, which arrives later, edits the existing one.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.specs.model_observations import notice, with_observations
from bot.core.decide.specs.plan_new_spec import put_questions
from bot.core.decide.specs.register_ids import doubts_of_pull, proposed_ids
from bot.core.journal.effects import PublishCheckRun
from bot.core.journal.events import SpecPullDigested, SpecPullForgotten
from bot.core.journal.state import PullDigest, SpecRunState, asked_at, pull_place
from bot.core.plan.digest import OnMain, SpecDigest, proposed_digest
from bot.core.plan.readiness import blocking, same_key
from bot.core.spec.archive.claims import claimed_twice, claims
from bot.core.spec.identity.doubtful_ids import with_doubts
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.roots import key_of
from bot.core.talk.spec_digest import DigestContext, added_to, spec_check
from bot.core.talk.text import digest_of
from bot.core.values.ids import PullNumber
from bot.core.values.spec_model import Finding, Requirement, Spec

_LOST_MAX = 5


def next_steps(decision: Decision) -> None:
    """Publish the digest of every observed pull, and forget pulls without specs."""
    for number, snapshot in decision.observed.pull_snapshots.items():
        known = decision.state.pull_digests.get(number)
        if snapshot is not None and snapshot.specs:
            _publish(decision, snapshot, known)
        elif known is not None:
            decision.emit(SpecPullForgotten(pull=number))


def _publish(decision: Decision, snapshot: PullSnapshot, known: PullDigest | None) -> None:
    facts = decision.state.facts
    if facts is None or _is_being_published(decision, snapshot.number):
        return
    place = pull_place(snapshot.number)
    heads = [(one, one.head) for one in snapshot.specs if one.is_work and one.head]
    asked = tuple(_asked(decision, head, one, snapshot) for one, head in heads)
    put_questions(decision, place, asked)
    context = DigestContext(
        facts=facts,
        sha=snapshot.head,
        asked=asked_at(decision.state, place),
        decisions=decision.state.decisions,
        strictness=decision.policy.file.questions,
        conflicts=snapshot.conflicts,
    )
    claimed = _claims(snapshot)
    by_rules = tuple(
        _with_rivals(decision, snapshot, one, _digest(decision, one, snapshot))
        for one in snapshot.specs
    )
    text = spec_check(by_rules, context)
    rules = digest_of(text.model_dump_json())
    digests = _with_observations(decision, snapshot, by_rules)
    if digests != by_rules:
        text = spec_check(digests, context)
    digest = digest_of(text.model_dump_json())
    is_published = known is not None and (known.head, known.digest) == (snapshot.head, digest)
    # A model's advice arrives after the rules' digest and is added to it.
    is_edit = known is not None and (known.head, known.digest) == (snapshot.head, rules)
    last = known.round if known is not None else 0
    decision.emit(
        SpecPullDigested(
            pull=snapshot.number,
            head=snapshot.head,
            round=last if is_published or is_edit else last + 1,
            digest=digest,
            claims=claimed,
            lost=_lost(by_rules),
        )
    )
    if not is_published:
        round_ = decision.state.pull_digests[snapshot.number].round
        decision.intend(
            PublishCheckRun(
                sha=snapshot.head,
                external_id=f"{_external_id(snapshot.number)}{round_}",
                text=added_to(text, digests) if is_edit else text,
                text_digest=digest,
                updates=is_edit,
            )
        )


def _lost(digests: tuple[SpecDigest, ...]) -> tuple[str, ...]:
    """A few sentences; one is enough to keep the pull from landing."""
    return tuple(finding.question[:300] for one in digests for finding in one.lost)[:_LOST_MAX]


def _asked(decision: Decision, head: Spec, one: ProposedSpec, snapshot: PullSnapshot) -> Spec:
    """The pull's text with all that is asked of it."""
    if one.merged is None or one.refusals or blocking(head):
        return head
    return with_doubts(head, doubts_of_pull(decision, head, one.merged, snapshot))


def _claims(snapshot: PullSnapshot) -> tuple[str, ...]:
    own = (claims(o.before, o.head) for o in snapshot.specs if o.is_work and o.head is not None)
    return tuple(dict.fromkeys(claim for made in own for claim in made))


def _with_rivals(
    decision: Decision, snapshot: PullSnapshot, one: ProposedSpec, digest: SpecDigest
) -> SpecDigest:
    """The digest with what other open pulls claim of the same requirements."""
    if not one.is_work or one.head is None:
        return digest
    known = decision.state.pull_digests
    others = {n: d.claims for n, d in known.items() if n != snapshot.number and d.claims}
    told = claimed_twice(one.head, claims(one.before, one.head), others)
    return digest.replace(remarks=(*told, *digest.remarks))


def _digest(decision: Decision, one: ProposedSpec, snapshot: PullSnapshot) -> SpecDigest:
    main = _on_main(decision, one, snapshot)
    return proposed_digest(one, snapshot.archived, decision.policy.file.losses, main)


def _with_observations(
    decision: Decision, snapshot: PullSnapshot, by_rules: tuple[SpecDigest, ...]
) -> tuple[SpecDigest, ...]:
    """The digests with a model's advice; unchanged while the model is reading one of the texts.

    Specs with blocking findings get no advice: they must be fixed first.
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
        with_observations(digest, noticed[digest.path]) if digest.path in noticed else digest
        for digest in by_rules
    )


def _touched(one: ProposedSpec, head: Spec) -> tuple[Requirement, ...]:
    """The requirements whose text is not on main."""
    before = {r.text_hash for r in one.before.requirements} if one.before else set()
    return tuple(r for r in head.requirements if r.text_hash not in before)


def _external_id(pull: PullNumber) -> str:
    return f"spec-pull:{pull}:r"


def _is_being_published(decision: Decision, pull: PullNumber) -> bool:
    """Whether a check run of the pull is open: publishing two could end with the older one."""
    return any(
        isinstance(e, PublishCheckRun) and e.external_id.startswith(_external_id(pull))
        for e in decision.state.open_effects.values()
    )


def _on_main(decision: Decision, one: ProposedSpec, snapshot: PullSnapshot) -> OnMain:
    """What the pull is compared with: covered requirements and the open run's plan on main."""
    main = OnMain(covered=decision.state.covered)
    runs = [r for r in decision.state.spec_runs.values() if r.path == one.path and r.is_open]
    if runs:
        run = runs[-1]
        planned = run.proposed_edit.plan if run.proposed_edit else run.plan
        is_under_way = run.state is SpecRunState.RUNNING
        main = main.replace(planned=planned, is_under_way=is_under_way)
    if not one.is_work or one.merged is None:
        return main
    registered, ids = proposed_ids(decision, one.merged, snapshot)
    return main.replace(registered=registered, ids=ids, blocks=_same_key(decision, one, snapshot))


def _same_key(decision: Decision, one: ProposedSpec, snapshot: PullSnapshot) -> tuple[Finding, ...]:
    """Whether another spec has its key after the merge: of main, or one before it in this pull."""
    state = decision.state
    brought = {other.path: other.merged for other in snapshot.specs if other.is_work}
    on_main = (path for path, version in state.spec_versions.items() if version)
    there = {*on_main, *brought} - {path for path, merged in brought.items() if merged is None}
    new = (path for path in sorted(brought) if path not in state.spec_keys)
    named = {**state.spec_keys, **{path: key_of(path) for path in new}}
    return same_key(one.path, named, there)
