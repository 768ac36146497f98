"""A recorded event shape is never dropped without a step that reads it."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.shape.journal_shape import RECORDED, as_text, recorded, shape_now, unreadable

Values = dict[str, Any]


def test_events_of_the_recorded_shape_can_be_read() -> None:
    assert unreadable(recorded(), shape_now()) == [], "give these events a step in upcast.py"


def test_the_recorded_shape_is_todays() -> None:
    assert RECORDED.read_text() == as_text(shape_now()), "run `make journal-shape`"


def _field_gone(values: Values) -> None:
    del values["Landed"]["properties"]["tree"]


def _nested_field_gone(values: Values) -> None:
    del values["PlannedChange"]["properties"]["slug"]


def _effect_field_gone(values: Values) -> None:
    del values["LandCandidate"]["properties"]["base"]


def _field_without_default(values: Values) -> None:
    values["GateResult"]["properties"]["fresh"] = {"type": "string"}
    values["GateResult"]["required"].append("fresh")


def _another_type(values: Values) -> None:
    values["PullOpened"]["properties"]["number"]["type"] = "string"


def _another_default(values: Values) -> None:
    values["CandidateBuilt"]["properties"]["is_signed"]["default"] = True


def _no_default_any_more(values: Values) -> None:
    del values["CandidateBuilt"]["properties"]["is_signed"]["default"]


def _another_format(values: Values) -> None:
    del values["EffectDelayed"]["properties"]["until"]["format"]
    values["EffectDelayed"]["properties"]["until"]["format"] = "date"


def _none_no_more(values: Values) -> None:
    values["OpenPull"]["properties"]["branch"] = {"type": "string", "minLength": 1}


def _optional_no_more(values: Values) -> None:
    values["LedgerPublished"]["properties"]["commit"] = {"type": "integer"}


def _member_gone(values: Values) -> None:
    values["FailureReason"]["enum"].remove("refused")


def _effect_gone(values: Values) -> None:
    one = values["EffectIntended"]["properties"]["effect"]["oneOf"]
    one.remove({"$ref": "#/$defs/React"})


def _alternative_gone(values: Values) -> None:
    # A field that could be nothing must be something.
    field = values["RepositoryInstalled"]["properties"]["installed_at"]
    field["anyOf"].remove({"type": "null"})


def _element_of_another_type(values: Values) -> None:
    values["AnswerRejected"]["properties"]["reasons"]["items"] = {"type": "integer"}


def _value_of_another_type(values: Values) -> None:
    values["SpecsNoted"]["properties"]["versions"]["additionalProperties"] = {"type": "integer"}


_GIVEN_UP: list[tuple[Callable[[Values], None], str]] = [
    (_field_gone, "Landed.tree is gone"),
    (_nested_field_gone, "PlannedChange.slug is gone"),
    (_effect_field_gone, "EffectIntended: EffectIntended.effect takes no LandCandidate any more"),
    (_field_without_default, "GateResult.fresh is new and has no default"),
    (_another_type, "PullOpened.number has another type: integer before, string now"),
    (_another_default, "CandidateBuilt.is_signed has another default: False before"),
    (_no_default_any_more, "CandidateBuilt.is_signed has another default: False before"),
    (_another_format, "EffectDelayed.until has another format: date-time before, date now"),
    (_none_no_more, "EffectIntended.effect takes no OpenPull any more"),
    (_optional_no_more, "LedgerPublished.commit has another type"),
    (_member_gone, "FailureReason does not know refused any more"),
    (_effect_gone, "EffectIntended.effect takes no React any more"),
    (
        _alternative_gone,
        "RepositoryInstalled.installed_at has another type: null before, string now",
    ),
    (_element_of_another_type, "AnswerRejected.reasons[] has another type"),
    (_value_of_another_type, "SpecsNoted.versions[…] has another type"),
]


@pytest.mark.parametrize(("plant", "reason"), _GIVEN_UP, ids=lambda p: getattr(p, "__name__", ""))
def test_a_lost_field_or_event_is_found(plant: Callable[[Values], None], reason: str) -> None:
    now = copy.deepcopy(recorded())
    plant(now["values"])
    assert any(reason in found for found in unreadable(recorded(), now)), unreadable(
        recorded(), now
    )


def test_every_event_that_contains_a_changed_value_is_named() -> None:
    now = copy.deepcopy(recorded())
    del now["values"]["PlannedChange"]["properties"]["slug"]
    named = {found.partition(":")[0] for found in unreadable(recorded(), now)}
    assert {"PlanMade", "UncoveredReplanned", "SpecAmended"} <= named


def test_a_deleted_event_type_is_found() -> None:
    now = copy.deepcopy(recorded())
    del now["versions"]["LandAborted"]
    assert unreadable(recorded(), now) == ["LandAborted is gone: its name stands in journals"]


def test_a_new_event_version_needs_a_step_that_must_stay() -> None:
    now = copy.deepcopy(recorded())
    del now["values"]["Landed"]["properties"]["tree"]
    now["versions"]["Landed"] += 1
    assert unreadable(recorded(), now) == []
    assert unreadable(now, recorded()) == ["Landed was at version 2: a step in upcast.py is gone"]


def test_added_fields_and_values_need_no_step() -> None:
    now = copy.deepcopy(recorded())
    values = now["values"]
    values["Landed"]["properties"]["note"] = {"type": "string"}
    values["FailureReason"]["enum"].append("bored")
    values["Landed"]["properties"]["tree"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    values["Kind"] = values.pop("FailureReason")
    values["ChangeFailed"]["properties"]["reason"] = {"$ref": "#/$defs/Kind"}
    assert unreadable(recorded(), now) == []
