"""The urgency of each effect and its cost at GitHub."""

import types

import pytest

from bot.core.journal import effects as ef
from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.journal.effects import EFFECT_CLASSES
from bot.core.state.rate_limits import Priority, priority_of
from bot.core.values.check_run import ANNOTATIONS_PER_REQUEST, CheckRunText, Conclusion
from bot.core.values.github_cost import Cost
from bot.core.values.ids import Sha
from gates.result import Annotation, AnnotationLevel

CREATE = Cost(content=1, points=5, requests=1)
WRITE = Cost(points=5, requests=1)
FREE = Cost()

TABLE: dict[type[EffectClass], tuple[Urgency, Priority, Cost]] = {
    ef.PublishCheckRun: (Urgency.CHECK, Priority.LANDING, WRITE),
    ef.LandCandidate: (Urgency.LANDING, Priority.LANDING, Cost(points=6, requests=2)),
    ef.DispatchOrder: (Urgency.ORDER, Priority.LANDING, WRITE),
    ef.BuildCandidate: (Urgency.WORK, Priority.LANDING, FREE),
    ef.BuildPull: (Urgency.WORK, Priority.LANDING, FREE),
    ef.LandPull: (Urgency.LANDING, Priority.LANDING, Cost(points=6, requests=2)),
    ef.PrepareStart: (Urgency.WORK, Priority.LANDING, FREE),
    ef.OpenPull: (Urgency.WORK, Priority.LANDING, CREATE),
    ef.TakeOverPush: (Urgency.IMPORT, Priority.LANDING, FREE),
    ef.ImportBundle: (Urgency.IMPORT, Priority.LANDING, FREE),
    ef.RevokeOrder: (Urgency.IMPORT, Priority.LANDING, WRITE),
    ef.TellOrder: (Urgency.ANSWER, Priority.PEOPLE, FREE),
    ef.PostComment: (Urgency.ANSWER, Priority.PEOPLE, CREATE),
    ef.EditComment: (Urgency.ANSWER, Priority.PEOPLE, WRITE),
    ef.RunSelfTest: (Urgency.ANSWER, Priority.PEOPLE, CREATE),
    ef.PostCommitComment: (Urgency.ANSWER, Priority.PEOPLE, CREATE),
    ef.React: (Urgency.ANSWER, Priority.PEOPLE, WRITE),
    ef.ReactToReview: (Urgency.ANSWER, Priority.PEOPLE, WRITE),
    ef.AnswerThread: (Urgency.ANSWER, Priority.PEOPLE, Cost(content=1, points=10, requests=2)),
    ef.OpenIssue: (Urgency.TALK, Priority.PROGRESS, CREATE),
    ef.LinkSubIssue: (Urgency.TALK, Priority.PROGRESS, CREATE),
    ef.LinkBlockedBy: (Urgency.TALK, Priority.PROGRESS, CREATE),
    ef.CloseIssue: (Urgency.TALK, Priority.PROGRESS, WRITE),
    ef.ReopenIssue: (Urgency.TALK, Priority.PROGRESS, WRITE),
    ef.ClosePull: (Urgency.TALK, Priority.PROGRESS, WRITE),
    ef.ProposeSpec: (Urgency.TALK, Priority.PROGRESS, CREATE),
    ef.WithdrawSpec: (Urgency.TALK, Priority.PROGRESS, WRITE),
    ef.OfferGates: (Urgency.TALK, Priority.PROGRESS, CREATE),
    ef.AskModel: (Urgency.TALK, Priority.PROGRESS, FREE),
    ef.EditIssue: (Urgency.PROGRESS, Priority.PROGRESS, WRITE),
    ef.PublishLedger: (Urgency.PROGRESS, Priority.PROGRESS, FREE),
    ef.DeleteRefs: (Urgency.PROGRESS, Priority.PROGRESS, FREE),
}


def check_run(annotations: int) -> ef.PublishCheckRun:
    """A check run with so many annotations."""
    one = Annotation(
        path="a.py",
        line_start=1,
        line_end=1,
        level=AnnotationLevel.NOTICE,
        title="",
        message="Look.",
    )
    text = CheckRunText(
        name="headgate/x",
        conclusion=Conclusion.SUCCESS,
        title="",
        summary="",
        annotations=(one,) * annotations,
    )
    return ef.PublishCheckRun(
        sha=Sha("a" * 40), external_id="x", text=text, text_digest="", updates=False
    )


@pytest.mark.parametrize("effect", TABLE, ids=lambda c: c.__name__)
def test_an_effect_has_the_urgency_and_the_cost_of_the_table(effect: type[EffectClass]) -> None:
    assert (effect.urgency, priority_of(effect.model_construct()), effect.cost) == TABLE[effect]


def test_the_table_names_every_effect() -> None:
    assert set(TABLE) == set(EFFECT_CLASSES)


def test_every_effect_class_is_in_the_union() -> None:
    assert {c for c in EffectClass.__subclasses__() if c.__module__.startswith("bot.")} == set(
        EFFECT_CLASSES
    )


# What GitHub does not refuse a second time, and so is looked for first where it may have been sent.
LISTED = {
    "AnswerThread",
    "DispatchOrder",
    "OpenIssue",
    "PostComment",
    "PostCommitComment",
    "PublishCheckRun",
    "RunSelfTest",
}


def test_effects_found_only_in_lists_are_marked() -> None:
    assert {c.__name__ for c in EFFECT_CLASSES if c.listed} == LISTED


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"urgency": Urgency.TALK, "cost": WRITE},
        {"urgency": Urgency.TALK, "listed": False},
        {"cost": WRITE, "listed": False},
    ],
)
def test_an_incomplete_effect_class_cannot_be_defined(
    given: dict[str, object],
) -> None:
    with pytest.raises(TypeError, match="required keyword-only argument"):
        types.new_class("Forgotten", (EffectClass,), given)


@pytest.mark.parametrize(
    ("annotations", "requests"),
    [(0, 1), (1, 1), (ANNOTATIONS_PER_REQUEST, 1), (ANNOTATIONS_PER_REQUEST + 1, 2), (200, 4)],
)
def test_a_check_run_costs_a_request_for_every_page_of_annotations(
    annotations: int, requests: int
) -> None:
    assert check_run(annotations).full_cost == Cost(points=5 * requests, requests=requests)
