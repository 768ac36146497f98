"""A spec of 120 requirements: one brief, parallel parts, one merge; edits repeat little of it."""

from collections import Counter

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource
from bot.core.journal.effects import AskModel
from bot.core.journal.events import EffectDone, ModelAnswered
from bot.core.journal.state import RepositoryState
from bot.core.prompts.plan_forms import BriefAnswer, CrossEdge, MergeAnswer, PlanAnswer
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import no_policy
from bot.core.state.observed import Observed
from bot.core.values.ids import Sha
from bot.core.values.plan_input import Phase, PlanPromptInput
from bot.core.values.plan_model import Planner
from bot.core.values.spec_model import Spec
from tests.core.test_stories_of_planning import RUN, begun, change, run_of, spec
from tests.core.values import START

AREAS = ("CART", "MAIL", "PAY", "SHIP", "TILL", "DOOR")
_LONG = "It holds for every customer, on every device, in every language that is spoken. " * 5


def large(edited: str = "") -> Spec:
    """Six areas of twenty requirements; the requirement `edited` has a longer text."""
    blocks = []
    for area in AREAS:
        for at in range(1, 21):
            id_ = f"REQ-{area}-{at:02}"
            more = "It does so at once. " if id_ == edited else ""
            blocks.append(
                f"### {id_}: {area.lower()} duty {at:02}\nThe {area.lower()} SHALL do duty "
                f"{at:02}. {more}{_LONG}\n\n#### Scenario: Duty\n- **WHEN** it is used\n"
                "- **THEN** it works\n\n"
            )
    return spec("".join(blocks))


def again(state: RepositoryState, text: Spec) -> Decision:
    """Begin the planning of an edited text."""
    observed = Observed(
        policy=no_policy(),
        last_good_policy=no_policy(),
        models=ServerModels(can_ask=True),
        specs={RUN: text},
    )
    decision = Decision(state, observed, START)
    source = PlanSource(
        version="2",
        commit=Sha("0" * 40),
        requirements={r.id: r.text_hash for r in text.requirements},
    )
    plan_by_model.begin(decision, RUN, source, text, EarlierAnswers.KEEP)
    plan_by_model.next_steps(decision)
    return decision


def answer_of(about: PlanPromptInput, cut: int, edges: tuple[CrossEdge, ...]) -> str:
    """A model's reply for a part, in changes of `cut` requirements."""
    match about.phase:
        case Phase.BRIEF:
            return BriefAnswer(shared=(), order=(), risks=()).model_dump_json()
        case Phase.MERGE:
            return MergeAnswer(edges=edges, join=(), risks=(), left_out=()).model_dump_json()
        case Phase.WHOLE | Phase.DOMAIN:
            ids = about.requirements
            name = about.part.lower()
            changes = tuple(
                change(f"{name}-{at // cut}", *ids[at : at + cut]) for at in range(0, len(ids), cut)
            )
            return PlanAnswer(changes=changes, risks=(), left_out=()).model_dump_json()


def answered(
    decision: Decision, cut: int = 5, edges: tuple[CrossEdge, ...] = ()
) -> list[Counter[str]]:
    """Reply until there is a plan; returns the prompts of each step."""
    steps: list[Counter[str]] = []
    while run_of(decision).planning is not None:
        open_now = [e for e in decision.state.open_effects.values() if isinstance(e, AskModel)]
        asked = [(e, e.about) for e in open_now if isinstance(e.about, PlanPromptInput)]
        steps.append(Counter(str(about.phase) for _, about in asked))
        for effect, about in asked:
            said = answer_of(about, cut, edges)
            decision.emit(ModelAnswered(place=RUN, prompt=effect.prompt, answer=said))
            decision.emit(EffectDone(key=effect.key))
        plan_by_model.next_steps(decision)
        assert len(steps) < 20
    return [asked for asked in steps if asked]


def test_a_large_spec_takes_a_brief_parallel_parts_and_a_merge() -> None:
    decision = begun(large())
    assert answered(decision) == [{"brief": 1}, {"domain": 6}, {"merge": 1}]
    made = run_of(decision).plan
    assert made is not None
    assert made.planner is Planner.MODEL
    assert sum(len(c.requirements) for c in made.changes) == 120


def test_an_edit_repeats_only_its_part_if_the_changes_stay_the_same() -> None:
    decision = begun(large())
    answered(decision)
    assert answered(again(decision.state, large("REQ-MAIL-03"))) == [{"domain": 1}]


def test_different_changes_repeat_the_merge() -> None:
    decision = begun(large())
    answered(decision)
    second = again(decision.state, large("REQ-MAIL-03"))
    assert answered(second, cut=4) == [{"domain": 1}, {"merge": 1}]


def test_a_merge_is_repeated_if_an_edit_removed_its_evidence() -> None:
    quote = "The mail SHALL do duty 03. It does so at once."
    edge = CrossEdge(change="mail-0", on="cart-0", evidence=quote)
    decision = begun(large("REQ-MAIL-03"))
    answered(decision, edges=(edge,))
    second = again(decision.state, large())
    assert answered(second) == [{"domain": 1}, {"merge": 1}]
    made = run_of(second).plan
    assert made is not None
    assert made.planner is Planner.MODEL


def test_a_rejected_merge_is_repeated_after_an_edit() -> None:
    made_up = (CrossEdge(change="mail-0", on="cart-0", evidence="What nobody ever said."),)
    decision = begun(large())
    assert answered(decision, edges=made_up)[-1] == {"merge": 1}
    made = run_of(decision).plan
    assert made is not None
    assert made.planner is Planner.DETERMINISTIC
    assert answered(again(decision.state, large("REQ-MAIL-03")))[-1] == {"merge": 1}
