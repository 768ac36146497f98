"""A model's remarks on a spec: already known, requested, or still to request.

Each text of a spec is read only once. Remarks are advice: they are shown apart from the rules'
findings, and nothing waits for them. The prompt is in `bot.core.prompts.digest_prompt`.
"""

from collections.abc import Sequence

from bot.core.decide.decision import Decision
from bot.core.journal.effects import AskModel
from bot.core.journal.events import ModelFailed, RequirementsRead
from bot.core.plan.digest import SpecDigest
from bot.core.prompts.digest_prompt import (
    PLACE,
    DigestPromptInput,
    Observation,
    groups_of,
    prompt_id,
    text_key,
    weighed,
)
from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy_file import ModelAdviceChoice
from bot.core.values.ids import Frozen, Sha
from bot.core.values.model_roles import ModelRole
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec

_TEXT_IS_GONE = "The text that the model read is no longer available."


class _Noticed(Frozen):
    """A model's remarks; `is_waiting` while some texts are being read; `dropped` were unusable."""

    findings: tuple[Finding, ...] = ()
    is_waiting: bool = False
    dropped: int = 0


def next_steps(decision: Decision) -> None:
    """Check every reply of a model against the text that it read."""
    for place, advice in tuple(decision.state.model_advice.items()):
        for id_, reply in advice.answers.items():
            about = reply.about
            if not isinstance(about, DigestPromptInput) or id_ not in decision.observed.sources:
                continue
            source = decision.observed.sources[id_]
            if source is None:
                decision.emit(ModelFailed(place=place, prompt=id_, sentence=_TEXT_IS_GONE))
                continue
            kept = weighed(about, reply.answer, source)
            decision.emit(
                RequirementsRead(
                    place=place,
                    prompt=id_,
                    path=about.path,
                    noticed=kept.noticed,
                    dropped=kept.dropped,
                )
            )


def notice(
    decision: Decision, reader: str, commit: Sha, spec: Spec, touched: Sequence[Requirement]
) -> _Noticed:
    """The known remarks on these requirements; a model is asked to read those it never read."""
    wants_model = decision.policy.file.digest is ModelAdviceChoice.MODEL
    if not wants_model or not decision.observed.models.can_ask:
        return _Noticed()
    being_read = _being_read(decision, spec.path)
    unread = [
        r
        for r in touched
        if text_key(spec.path, r.text_hash) not in decision.state.noticed
        and r.text_hash not in being_read
    ]
    for group in groups_of(unread):
        _ask(
            decision,
            DigestPromptInput(reader=reader, path=spec.path, commit=commit, texts=_texts(group)),
        )
    being_read = _being_read(decision, spec.path)
    advice = decision.state.model_advice.get(f"{PLACE}{reader}")
    return _Noticed(
        findings=tuple(f for r in touched for f in _findings(decision, spec, r)),
        is_waiting=any(r.text_hash in being_read for r in touched),
        dropped=advice.dropped if advice else 0,
    )


def with_observations(digest: SpecDigest, noticed: _Noticed) -> SpecDigest:
    if not noticed.findings:
        return digest
    return digest.replace(noticed=noticed.findings, unquoted=noticed.dropped)


def _texts(group: Sequence[Requirement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(r.text_hash for r in group))


def _being_read(decision: Decision, path: str) -> set[str]:
    """The texts of a spec that a model is reading, or whose reply is not checked yet."""
    asked = (
        *(e.about for e in decision.state.open_effects.values() if isinstance(e, AskModel)),
        *(s.about for v in decision.state.model_advice.values() for s in v.answers.values()),
    )
    return {
        text
        for about in asked
        if isinstance(about, DigestPromptInput) and about.path == path
        for text in about.texts
    }


def _ask(decision: Decision, about: DigestPromptInput) -> None:
    id_ = prompt_id(about.path, about.texts)
    advice = decision.state.model_advice.get(about.place)
    if advice is not None and id_ in advice.failures:
        return
    found = resolve(ModelRole.DIGEST, decision.policy, decision.observed.models)
    if isinstance(found, ModelRefusal):
        decision.emit(ModelFailed(place=about.place, prompt=id_, sentence=found.sentence))
        return
    decision.intend(
        AskModel(
            prompt=id_,
            role=ModelRole.DIGEST,
            models=found.models,
            about=about,
            asked_at=decision.now,
        )
    )


def _findings(decision: Decision, spec: Spec, requirement: Requirement) -> list[Finding]:
    others = {r.text_hash: r for r in spec.requirements}
    seen = decision.state.noticed.get(text_key(spec.path, requirement.text_hash), ())
    return [
        _finding(one, requirement, others.get(one.against))
        for one in seen
        if not one.against or one.against in others
    ]


def _finding(seen: Observation, requirement: Requirement, other: Requirement | None) -> Finding:
    line = min(requirement.line_start + seen.offset, requirement.line_end)
    against = f" (with {other.source_id or other.title}, line {other.line_start})" if other else ""
    return Finding(
        code=seen.kind.value,
        severity=Severity.INFO,
        line=line,
        quote=seen.quote,
        question=f"{seen.question}{against}",
        path=requirement.path,
    )
