"""A model's advice on a pull: each text is read once, and advice blocks nothing."""

import json

from bot.core.decide.decision import Decision
from bot.core.decide.specs import check_spec_pull, model_observations
from bot.core.journal.effects import AskModel, PublishCheckRun
from bot.core.journal.events import (
    EffectDone,
    ModelAnswered,
    ModelFailed,
    RepositoryInstalled,
    SpecPullForgotten,
    TextPublished,
)
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import no_policy
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.state.observed import Observed
from bot.core.values.ids import PullNumber
from tests.core.prompts.advice.test_digest import PATH, TEXT, answer, source
from tests.core.values import FACTS, START, policy, sha
from tests.testkit.specs import requirement, spec

PULL = PullNumber(4)
READS = policy("digest: model\n")
KEY = ServerModels(can_ask=True)
NOTHING = json.dumps({"observations": []})
INSTALLED = RepositoryInstalled(
    facts=FACTS, main=sha("main"), tree=sha("tree"), known_specs={}, installed_at=START
)


def look(
    state: RepositoryState | None = None,
    text: str = TEXT,
    head: str = "1",
    before: str = "",
    **changed: object,
) -> Decision:
    """One round about a pull with `text` at its head and `before` on main."""
    read = source(text)
    one = ProposedSpec(
        path=PATH,
        is_work=True,
        before=source(before).spec if before else None,
        head=read.spec,
        merged=read.spec,
    )
    known = state or fold([INSTALLED])
    seen = Observed(policy=READS, last_good_policy=no_policy(), models=KEY).model_copy(
        update={
            "pull_snapshots": {PULL: PullSnapshot(number=PULL, head=sha(head), specs=(one,))},
            "sources": {q: read for v in known.model_advice.values() for q in v.answers},
            **changed,
        }
    )
    decision = Decision(known, seen, START)
    model_observations.next_steps(decision)
    check_spec_pull.next_steps(decision)
    return decision


def asked(decision: Decision) -> list[AskModel]:
    return [e for e in decision.state.open_effects.values() if isinstance(e, AskModel)]


def published(decision: Decision) -> list[PublishCheckRun]:
    """The check runs that are to be published now."""
    return [e for e in decision.state.open_effects.values() if isinstance(e, PublishCheckRun)]


def told(decision: Decision) -> RepositoryState:
    """Publish all open check runs."""
    for check in published(decision):
        decision.emit(
            TextPublished(subject=check.subject, digest=check.text_digest, published_at=START)
        )
        decision.emit(EffectDone(key=check.key))
    return decision.state


def answered(decision: Decision, text: str) -> RepositoryState:
    """Publish all open check runs and reply to every prompt with this text."""
    told(decision)
    for effect in asked(decision):
        place = effect.about.place
        decision.emit(ModelAnswered(place=place, prompt=effect.prompt, answer=text))
        decision.emit(EffectDone(key=effect.key))
    return decision.state


def test_the_rules_check_is_published_at_once_and_advice_is_one_edit() -> None:
    text = TEXT.replace("for a sale", "for a quick sale")
    first = look(text=text)
    (rules,) = published(first)
    assert len(rules.text.annotations) == 1
    assert "Advice from a model" not in rules.text.summary
    again = look(answered(first, answer("TILL", "SHALL print a receipt")), text)
    (edit,) = published(again)
    assert (edit.external_id, edit.updates) == (rules.external_id, True)
    assert "Advice from a model" in edit.text.summary
    assert [a.title for a in edit.text.annotations] == ["Advice from a model: ambiguity"]
    last = look(told(again), text)
    assert (published(last), asked(last), last.events) == ([], [], last.events[:1])


def test_advice_never_blocks() -> None:
    state = answered(look(), answer("TILL", "SHALL print a receipt", "contradiction", "DOOR"))
    (edit,) = published(look(state))
    assert edit.text.conclusion == "success"
    assert "Advice from a model" in edit.text.summary
    assert edit.text.title == "2 requirements understood"


def test_without_remarks_the_check_is_not_edited() -> None:
    decision = look(answered(look(), NOTHING))
    assert published(decision) == []
    assert decision.state.noticed


def test_a_text_is_not_read_again_on_a_new_head() -> None:
    state = told(look(answered(look(), answer("TILL", "SHALL print a receipt"))))
    decision = look(state, f"\n{TEXT}", head="2")
    assert asked(decision) == []
    (check,) = published(decision)
    assert not check.updates
    assert "specs/shop.md:7" in check.text.summary


def test_only_texts_that_are_not_on_main_are_read() -> None:
    other = spec(requirement("TILL", says="The till SHALL hum."), requirement("DOOR"))
    decision = look(text=spec(requirement("TILL", says="The till SHALL hum.")), before=other)
    assert asked(decision) == []


def test_a_text_being_read_is_not_requested_again_with_new_texts() -> None:
    state = told(look())
    more = TEXT + "\n" + requirement("CASH")
    decision = look(state, more, head="2")
    first, second = asked(decision)
    assert len(first.about.model_dump()["texts"]) == 2
    assert len(second.about.model_dump()["texts"]) == 1


def test_a_failed_prompt_is_not_repeated_and_does_not_block() -> None:
    decision = look()
    state = told(decision)
    (effect,) = asked(decision)
    failed = ModelFailed(place=effect.about.place, prompt=effect.prompt, sentence="No.")
    decision = look(fold([failed, EffectDone(key=effect.key)], state))
    assert asked(decision) == []
    assert published(decision) == []


def test_a_prompt_fails_if_its_text_is_gone() -> None:
    state = answered(look(), NOTHING)
    (question,) = next(iter(state.model_advice.values())).answers
    decision = look(state, sources={question: None})
    assert not decision.state.noticed
    assert asked(decision) == []


def test_no_advice_without_a_model_or_without_the_policy() -> None:
    assert asked(look(models=ServerModels())) == []
    assert asked(look(policy=no_policy())) == []


def test_an_unknown_model_is_not_asked() -> None:
    unknown = policy("digest: model\nmodels:\n  digest: nobody\n")
    decision = look(policy=unknown)
    assert asked(decision) == []
    assert "nobody" in str(decision.state.model_advice["digest:pull:4"].failures)


def test_a_closed_pull_is_forgotten_but_read_texts_are_kept() -> None:
    state = fold([SpecPullForgotten(pull=PULL)], told(look(answered(look(), NOTHING))))
    assert state.model_advice == {}
    assert len(state.noticed) == 2


def test_a_reply_after_the_pull_closed_is_kept_for_its_texts() -> None:
    asking = look()
    state = fold([SpecPullForgotten(pull=PULL)], told(asking))
    (effect,) = asked(asking)
    said = ModelAnswered(place=effect.about.place, prompt=effect.prompt, answer=NOTHING)
    decision = look(fold([said, EffectDone(key=effect.key)], state), pull_snapshots={PULL: None})
    assert decision.state.model_advice == {}
    assert len(decision.state.noticed) == 2


def test_advice_is_published_when_all_texts_are_read() -> None:
    """One edit, even if a large spec needs several prompts."""
    many = spec(
        requirement("TILL", says="The till SHALL print a receipt\nfor a sale."),
        *(requirement(f"A{at}", says="It SHALL work. " + "word " * 3_000) for at in range(2)),
    )
    decision = look(text=many)
    first, *others = asked(decision)
    assert others
    state = told(decision)
    said = ModelAnswered(
        place=first.about.place,
        prompt=first.prompt,
        answer=answer("TILL", "SHALL print a receipt"),
    )
    decision = look(fold([said, EffectDone(key=first.key)], state), many)
    assert published(decision) == []
    assert decision.state.noticed
