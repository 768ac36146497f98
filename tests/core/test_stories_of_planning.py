"""Planning by a model: which prompts are sent, which replies go back, which plan is proposed."""

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource
from bot.core.journal.effects import AskModel
from bot.core.journal.events import EffectDone, ModelAnswered, ModelFailed, SpecRunOpened
from bot.core.journal.evolve import fold
from bot.core.journal.state import SpecRun
from bot.core.prompts.plan_forms import AnsweredChange, AnsweredEdge, PlanAnswer
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import no_policy
from bot.core.spec.read import read_spec
from bot.core.state.observed import Observed
from bot.core.values.ids import Sha, SpecRunId
from bot.core.values.plan_model import ChangeType, Planner
from bot.core.values.spec_model import Spec
from tests.core.values import START

RUN = SpecRunId("shop@1")
_TEXT = "".join(
    f"### REQ-{area}-01: Make the {area.lower()} work\nThe {area.lower()} SHALL work.\n\n"
    f"#### Scenario: Use\n- **WHEN** it is used\n- **THEN** it works\n\n"
    for area in ("CART", "MAIL")
)


def spec(text: str = _TEXT) -> Spec:
    whole = f"# Spec: A shop\n\n## Requirements\n\n{text}"
    return read_spec("specs/shop.md", {"specs/shop.md": whole.encode()})


def begun(seen: Spec, planned: Spec | None = None) -> Decision:
    """A decision in which a model is planning `planned` while `seen` was observed."""
    observed = Observed(
        policy=no_policy(),
        last_good_policy=no_policy(),
        models=ServerModels(can_ask=True),
        specs={RUN: seen},
    )
    opened = SpecRunOpened(
        spec_run=RUN, path="specs/shop.md", key="shop", title="A shop", opened_at=START
    )
    decision = Decision(fold([opened]), observed, START)
    source = PlanSource(
        version="1",
        commit=Sha("0" * 40),
        requirements={r.id: r.text_hash for r in (planned or seen).requirements},
    )
    plan_by_model.begin(decision, RUN, source, seen, EarlierAnswers.KEEP)
    plan_by_model.next_steps(decision)
    return decision


def asked(decision: Decision) -> list[AskModel]:
    return [e for e in decision.state.open_effects.values() if isinstance(e, AskModel)]


def answer(decision: Decision, *changes: AnsweredChange) -> None:
    """Reply to the one open prompt and run the next round."""
    (effect,) = asked(decision)
    text = PlanAnswer(changes=changes, risks=(), left_out=()).model_dump_json()
    decision.emit(ModelAnswered(place=RUN, prompt=effect.prompt, answer=text))
    decision.emit(EffectDone(key=effect.key))
    for _ in range(3):
        plan_by_model.next_steps(decision)


def change(
    slug: str, *ids: str, on: str = "", evidence: str = "", title: str = ""
) -> AnsweredChange:
    return AnsweredChange(
        slug=slug,
        title=title or f"Build {slug}",
        type=ChangeType.FEATURE,
        scope="",
        left_out="",
        requirements=ids,
        files=(),
        depends_on=(AnsweredEdge(on=on, evidence=evidence),) if on else (),
        gates=(),
        done=(),
    )


CART, MAIL = change("cart", "REQ-CART-01"), change("mail", "REQ-MAIL-01")


def run_of(decision: Decision) -> SpecRun:
    return decision.state.spec_runs[RUN]


def reasons(decision: Decision) -> str:
    return " ".join(
        r for found in run_of(decision).rejections.values() for f in found for r in f.reasons
    )


def test_a_valid_plan_is_proposed_without_further_prompts() -> None:
    decision = begun(spec())
    answer(decision, CART, MAIL)
    made = run_of(decision).plan
    assert made is not None
    assert made.planner is Planner.MODEL
    assert asked(decision) == []


def test_a_spec_of_one_requirement_gives_one_change() -> None:
    decision = begun(spec(_TEXT.partition("### REQ-MAIL")[0]))
    answer(decision, CART)
    made = run_of(decision).plan
    assert made is not None
    assert len(made.changes) == 1


def test_an_observation_from_before_the_planning_is_ignored() -> None:
    old = spec(_TEXT.replace("The mail SHALL work", "The mail SHOULD work"))
    assert asked(begun(old, planned=spec())) == []


def test_an_invalid_plan_is_returned_twice_and_then_made_by_rules() -> None:
    decision = begun(spec())
    for rejections in range(2):
        answer(decision, CART)
        assert "No change carries out" in reasons(decision)
        assert run_of(decision).plan is None
        assert asked(decision)[0].prompt.endswith(f":{rejections + 1}")
    answer(decision, CART)
    made = run_of(decision)
    assert made.plan is not None
    assert made.plan.planner is Planner.DETERMINISTIC
    assert "No change carries out" in " ".join(made.beside)
    assert asked(decision) == []


def test_evidence_that_is_not_in_the_spec_is_rejected() -> None:
    decision = begun(spec())
    answer(
        decision, CART, change("mail", "REQ-MAIL-01", on="cart", evidence="The cart comes first.")
    )
    assert "which the specification does not say" in reasons(decision)


def test_evidence_from_the_spec_makes_a_dependency() -> None:
    decision = begun(spec())
    answer(decision, CART, change("mail", "REQ-MAIL-01", on="cart", evidence="The mail SHALL work"))
    made = run_of(decision).plan
    assert made is not None
    assert [d.on for c in made.changes for d in c.depends_on] == ["cart"]


def test_a_change_that_only_adds_tests_is_rejected() -> None:
    decision = begun(spec())
    answer(decision, CART, change("mail", "REQ-MAIL-01", title="Add tests for the mail"))
    assert "only adds tests" in reasons(decision)


def test_a_change_above_the_limit_is_split_and_not_rejected() -> None:
    areas = [f"A{at}" for at in range(8)]
    text = "".join(_TEXT.partition("### REQ-MAIL")[0].replace("CART", a) for a in areas)
    decision = begun(spec(text))
    answer(decision, change("all", *(f"REQ-{a}-01" for a in areas)))
    made = run_of(decision).plan
    assert made is not None
    assert [len(c.requirements) for c in made.changes] == [4, 4]


def test_a_failed_prompt_ends_in_the_plan_by_rules() -> None:
    decision = begun(spec())
    (effect,) = asked(decision)
    decision.emit(ModelFailed(place=RUN, prompt=effect.prompt, sentence="No key."))
    decision.emit(EffectDone(key=effect.key))
    plan_by_model.next_steps(decision)
    assert run_of(decision).beside == ("No key.",)
    assert run_of(decision).plan is not None
    assert asked(decision) == []
