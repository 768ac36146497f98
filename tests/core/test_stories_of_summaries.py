"""A report's summary: requested with the report, shown if its facts are right."""

import json
from dataclasses import replace

from bot.core.decide.decision import Decision
from bot.core.decide.people import summarise_report
from bot.core.decide.people.summarise_report import Posted
from bot.core.journal.effects import AskModel, EditComment
from bot.core.journal.events import (
    EffectDone,
    EffectIntended,
    ModelAnswered,
    ModelFailed,
    SummaryRefused,
    TextPublished,
)
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState, SpecRun, SpecRunState
from bot.core.journal.upcast import event_of
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy, no_policy
from bot.core.state.observed import Observed
from bot.core.values.ids import EffectKey, IssueNumber, SpecRunId
from tests.core.values import START, policy

RUN = SpecRun(
    id=SpecRunId("shop@1"),
    path="specs/shop.md",
    key="shop",
    title="A shop",
    opened_at=START,
    state=SpecRunState.ENDED,
    approved_by="ann",
)
POSTED = Posted(issue=IssueNumber(9), subject="report shop@1 0", text="### Report: all of it")
SUMS_UP = policy("summary: model\n")
KEY = ServerModels(can_ask=True)


def decision(
    state: RepositoryState | None = None, wanted: Policy = SUMS_UP, models: ServerModels = KEY
) -> Decision:
    known = state or RepositoryState(spec_runs={RUN.id: RUN})
    observed = Observed(policy=wanted, last_good_policy=no_policy(), models=models)
    return Decision(known, observed, START)


def asked(made: Decision) -> list[AskModel]:
    return [e for e in made.state.open_effects.values() if isinstance(e, AskModel)]


def edits(made: Decision) -> list[EditComment]:
    return [e for e in made.state.open_effects.values() if isinstance(e, EditComment)]


def answered(paragraph: str, note: str = "") -> RepositoryState:
    """Post the report and reply to the prompt for its summary."""
    made = decision()
    summarise_report.ask(made, RUN, None, POSTED)
    (effect,) = asked(made)
    text = json.dumps({"paragraph": paragraph, "not_covered_note": note})
    made.emit(ModelAnswered(place=effect.about.place, prompt=effect.prompt, answer=text))
    made.emit(EffectDone(key=effect.key))
    return made.state


def posted(state: RepositoryState) -> RepositoryState:
    subject = f"comment:{POSTED.subject}"
    return fold([TextPublished(subject=subject, digest="posted", published_at=START)], state)


def test_a_summary_is_requested_once() -> None:
    made = decision()
    summarise_report.ask(made, RUN, None, POSTED)
    summarise_report.ask(made, RUN, None, POSTED)
    assert len(asked(made)) == 1
    again = decision(posted(answered("All landed.")))
    summarise_report.ask(again, RUN, None, POSTED)
    assert asked(again) == []


def test_a_question_that_was_in_a_batch_is_still_read() -> None:
    made = decision()
    summarise_report.ask(made, RUN, None, POSTED)
    (effect,) = asked(made)
    old = effect.model_dump(mode="json") | {"pace": "batch"}
    body = json.dumps({"type": "EffectIntended", "effect": old})
    assert event_of(1, "EffectIntended", 1, body) == EffectIntended(effect=effect)


def test_a_verified_summary_is_added_above_the_unchanged_report() -> None:
    made = decision(posted(answered("All of it landed.", "Nothing is missing.")))
    summarise_report.next_steps(made)
    (edit,) = edits(made)
    assert (edit.issue, edit.subject) == (POSTED.issue, POSTED.subject)
    assert edit.text.startswith(
        "**In short**\n\nAll of it landed.\n\nNothing is missing.\n\n*Written"
    )
    assert edit.text.endswith(f"\n\n{POSTED.text}")
    made.emit(EffectDone(key=EffectKey(edit.key)))
    summarise_report.next_steps(made)
    assert edits(made) == []


def test_an_invented_number_rejects_the_summary() -> None:
    made = decision(posted(answered("All 17 requirements landed.")))
    summarise_report.next_steps(made)
    assert edits(made) == []
    assert any(isinstance(e, SummaryRefused) and "17" in e.sentence for e in made.events)
    assert not made.state.model_advice["summary:shop@1:0"].answers


def test_a_summary_waits_for_its_report() -> None:
    state = answered("All of it landed.")
    made = decision(state)
    summarise_report.next_steps(made)
    assert edits(made) == []
    made = decision(posted(state))
    summarise_report.next_steps(made)
    assert len(edits(made)) == 1


def test_a_failed_summary_prompt_is_not_repeated() -> None:
    made = decision()
    summarise_report.ask(made, RUN, None, POSTED)
    (effect,) = asked(made)
    made.emit(ModelFailed(place=effect.about.place, prompt=effect.prompt, sentence="No."))
    made.emit(EffectDone(key=effect.key))
    summarise_report.ask(made, RUN, None, POSTED)
    assert asked(made) == []


def test_no_summary_without_a_policy_a_model_or_work() -> None:
    for made in (decision(wanted=no_policy()), decision(models=ServerModels())):
        summarise_report.ask(made, RUN, None, POSTED)
        assert asked(made) == []
    made = decision()
    summarise_report.ask(made, replace(RUN, approved_by=""), None, POSTED)
    assert asked(made) == []
    unknown = decision(wanted=policy("summary: model\nmodels:\n  summary: nobody\n"))
    summarise_report.ask(unknown, RUN, None, POSTED)
    assert asked(unknown) == []


def test_a_new_report_gets_a_new_summary() -> None:
    made = decision(posted(answered("All landed.")))
    later = POSTED.model_copy(update={"subject": "report shop@1 1"})
    summarise_report.ask(made, replace(RUN, issue_rounds=1), None, later)
    assert [e.about.place for e in asked(made)] == ["summary:shop@1:1"]
