"""`make live`: a small spec is planned by a real model, and what it cost is printed.

Needs ANTHROPIC_API_KEY; asks at most six calls. The rule: the answer is judged by the plan check
and by nothing softer. Exit 0: lawful; 1: not; 2: there is no key.
"""

import os
from datetime import UTC, datetime

from rich.console import Console

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.next_plan_prompt import material_of
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource
from bot.core.journal.effects import AskModel
from bot.core.journal.events import EffectDone, ModelAnswered, ModelAsked, ModelFailed
from bot.core.prompts.plan_prompt import prompt_of
from bot.core.spec.policy import no_policy
from bot.core.spec.read import read_spec
from bot.core.state.observed import Observed
from bot.core.talk.plans import money
from bot.core.values.ids import Sha
from bot.core.values.plan_input import PlanPromptInput
from bot.core.values.prompt import PromptOutcome
from bot.entry.model_settings import make_model, server_models
from bot.entry.settings import Settings
from bot.shell.model_fallback import ModelFallback
from bot.shell.prompt_texts import templates
from tests.bench.planning import RUN, opened
from tests.testkit.specs import requirement, spec

_TEXT = spec(
    requirement("CART", says="The cart SHALL keep what a customer chose for 30 days."),
    requirement("PAY", after="CART", says="Payment SHALL take the sum of the cart."),
    requirement("MAIL", says="A mail SHALL confirm every order within a minute."),
    requirement("TRACK", after="MAIL", says="The mail SHALL hold a link that tracks the parcel."),
)


def main() -> int:
    """Plan, judge, print."""
    console = Console()
    settings = Settings()
    model = make_model(settings)
    if model is None:
        console.print("Set ANTHROPIC_API_KEY to ask a real model.")
        return 2
    read = read_spec("specs/live.md", {"specs/live.md": _TEXT.encode()})
    observed = Observed(
        policy=no_policy(),
        last_good_policy=no_policy(),
        models=server_models(settings, os.environ),
        specs={RUN: read},
    )
    decision = Decision(opened(), observed, datetime.now(UTC))
    source = PlanSource(
        version="1",
        commit=Sha("0" * 40),
        requirements={r.id: r.text_hash for r in read.requirements},
    )
    plan_by_model.begin(decision, RUN, source, read, EarlierAnswers.KEEP)
    while decision.state.spec_runs[RUN].planning is not None:
        plan_by_model.next_steps(decision)
        for key, effect in tuple(decision.state.open_effects.items()):
            if not isinstance(effect, AskModel) or not isinstance(effect.about, PlanPromptInput):
                continue
            material = material_of(decision.state.spec_runs[RUN], read, effect.about)
            prompt = prompt_of(effect.about, read, material, templates())
            asked = ModelFallback(model, effect, {}).ask(prompt, 0)
            for call in asked.calls:
                console.print(
                    f"{call.role} {call.model}: {call.outcome}, {call.tokens.total:,} tokens, "
                    f"{money(call.dollars)}, {call.seconds:.1f} s {call.sentence}"
                )
                decision.emit(ModelAsked(place=RUN, prompt=effect.prompt, call=call))
            name, run = effect.prompt, RUN
            if asked.outcome is PromptOutcome.ANSWERED:
                decision.emit(ModelAnswered(place=run, prompt=name, answer=asked.answer))
            else:
                sentence = asked.sentence
                decision.emit(ModelFailed(place=run, prompt=name, sentence=sentence))
            decision.emit(EffectDone(key=key))
    made = decision.state.spec_runs[RUN]
    for change in made.plan.changes if made.plan else ():
        after = ", ".join(d.on for d in change.depends_on) or "nothing"
        console.print(f"{change.slug} ({len(change.requirements)}), after {after}")
    for reason in made.beside:
        console.print(f"not lawful: {reason}")
    console.print(f"{made.model_use.calls} calls, {money(made.model_use.dollars)}")
    return 1 if made.beside else 0


if __name__ == "__main__":
    raise SystemExit(main())
