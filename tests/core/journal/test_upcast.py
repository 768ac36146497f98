"""Every event body ever written to a journal is read as one of today's events.

`golden_events.jsonl` holds bodies as releases wrote them, with the version of their row: of each
event and each effect one or two of today's, and one of every shape that main ever wrote.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from pydantic import JsonValue, TypeAdapter, ValidationError

from bot.core.journal.effects import Effect
from bot.core.journal.events import (
    EVENTS,
    AgentAsked,
    EffectDone,
    EffectIntended,
    Event,
    ModelAnswered,
    ModelAsked,
    ModelFailed,
    QuestionAnswered,
    QuestionsPut,
)
from bot.core.journal.evolve import fold
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.journal.upcast import STEPS, UnreadableEvent, event_of, version_of
from bot.core.values.ids import ChangeId, EffectKey, Slug, SpecRunId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import ChangeType, PlannedChange
from bot.core.values.question import Answer

_BODY: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True)
class Line:
    """A line of the golden file."""

    version: int
    body: dict[str, JsonValue]

    @property
    def name(self) -> str:
        """The event's type."""
        return str(self.body["type"])

    def __str__(self) -> str:
        effect = self.body.get("effect")
        return f"{self.name} {effect['type'] if isinstance(effect, dict) else ''} {self.version}"


def _golden() -> list[Line]:
    text = (Path(__file__).parent / "golden_events.jsonl").read_text()
    rows = [_BODY.validate_json(line) for line in text.splitlines()]
    return [Line(int(str(r["version"])), _BODY.validate_python(r["body"])) for r in rows]


GOLDEN = _golden()
TODAY = {cls.__name__ for cls in get_args(get_args(Event)[0])}
# Rows carried versions when these events got their first step.
FIRST_STEPS_SINCE = {"RequirementsRead", "SummaryRefused", "SummaryWritten"}
NOW = [line for line in GOLDEN if line.version == version_of(line.name)]


def _read(line: Line) -> Event:
    event = event_of(1, line.name, line.version, json.dumps(line.body))
    assert not isinstance(event, UnreadableEvent), event.sentence
    return event


def test_every_event_and_every_effect_has_a_line() -> None:
    read = [_read(line) for line in NOW]
    types = {type(event) for event in read}
    effects = {type(event.effect) for event in read if isinstance(event, EffectIntended)}
    assert types == set(get_args(get_args(Event)[0]))
    assert effects == set(get_args(get_args(Effect)[0]))


@pytest.mark.parametrize("line", GOLDEN, ids=str)
def test_a_line_is_read_and_folded(line: Line) -> None:
    event = _read(line)
    assert fold([event]).events == 1
    assert event_of(1, event.type, version_of(event.type), event.model_dump_json()) == event


def _holds(written: JsonValue, said: JsonValue) -> bool:
    """Whether all that was said is written, and fields at most besides."""
    if isinstance(said, dict) and isinstance(written, dict):
        return all(key in written and _holds(written[key], said[key]) for key in said)
    if isinstance(said, list) and isinstance(written, list):
        pairs = zip(written, said, strict=False)
        return len(written) == len(said) and all(_holds(w, s) for w, s in pairs)
    return written == said


def test_a_line_of_todays_version_round_trips() -> None:
    lost = [str(x) for x in NOW if not _holds(_BODY.validate_json(_dumped(_read(x))), x.body)]
    assert lost == []


def test_a_step_does_not_change_a_line_with_the_next_shape() -> None:
    """A row of before versions has any shape, and counts as version 1."""
    ready = [x for x in GOLDEN if (x.name, x.version) in STEPS and not _is_unread_one_later(x)]
    assert {line.name for line in ready} == {name for name, _ in STEPS} & TODAY - FIRST_STEPS_SINCE
    for line in ready:
        assert _read(line) == _read(Line(line.version + 1, line.body))


def _is_unread_one_later(line: Line) -> bool:
    """Whether a body is not read without the first of its steps."""
    read = event_of(1, line.name, line.version + 1, json.dumps(line.body))
    return isinstance(read, UnreadableEvent)


def _refused(line: Line) -> bool:
    """Whether a body is not read without its steps."""
    try:
        EVENTS.validate_python(line.body)
    except ValidationError:
        return True
    return False


def _dumped(event: Event) -> bytes:
    return EVENTS.dump_json(event)


@pytest.mark.parametrize(("name", "version"), list(STEPS))
def test_each_step_has_a_line_that_needs_it(name: str, version: int) -> None:
    lines = [line for line in GOLDEN if (line.name, line.version) == (name, version)]
    assert any(_refused(line) for line in lines)


def test_a_prompt_of_a_spec_run_belongs_to_its_place() -> None:
    old = {"type": "ModelFailed", "spec_run": "shop@12345678", "question": "q", "sentence": "s"}
    event = event_of(1, "ModelFailed", 1, json.dumps(old))
    assert event == ModelFailed(place="shop@12345678", prompt="q", sentence="s")
    asked = [_read(line) for line in GOLDEN if line.name == "ModelAsked"]
    assert all(isinstance(event, ModelAsked) and event.place for event in asked)


def test_a_reply_of_a_model_is_read_under_its_earlier_name() -> None:
    answered, failed = (
        {"type": name, "spec_run": "shop@12345678", "question": "q", what: "s"}
        for name, what in (("QuestionAnswered", "answer"), ("QuestionFailed", "sentence"))
    )
    assert event_of(1, "QuestionAnswered", 1, json.dumps(answered)) == ModelAnswered(
        place="shop@12345678", prompt="q", answer="s"
    )
    assert event_of(1, "QuestionFailed", 1, json.dumps(failed)) == ModelFailed(
        place="shop@12345678", prompt="q", sentence="s"
    )


@pytest.mark.parametrize(
    "name",
    [
        "ModelAsked",
        "ModelAnswered",
        "ModelFailed",
        "RequirementsRead",
        "SummaryRefused",
        "SummaryWritten",
        "EffectIntended",
    ],
)
def test_a_prompt_is_read_under_its_earlier_name_question(name: str) -> None:
    """In every version before today's, whatever else its shape was."""
    lines = [x for x in GOLDEN if x.name == name and "question" in _asking(x.body)]
    assert {x.version for x in lines} == set(range(1, version_of(name)))
    for line in lines:
        read = _asking(_BODY.validate_json(_dumped(_read(line))))
        assert read["prompt"] == _asking(line.body)["question"]


def _asking(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """What names a prompt: the effect in an event, or else the event."""
    effect = body.get("effect")
    return effect if isinstance(effect, dict) else body


def test_a_prompt_keeps_the_key_that_it_was_intended_under() -> None:
    (old,) = [x for x in GOLDEN if x.name == "EffectIntended" and "AskModel 3" in str(x)]
    (key,) = fold([_read(old)]).open_effects
    assert key == EffectKey(f"ask:issue:41:{_asking(old.body)['question']}")


def test_an_old_pull_edit_effect_changes_no_state() -> None:
    (old,) = [x for x in GOLDEN if "EditPull" in str(x)]
    key = EffectKey("edit:pull:7:0895c603d41a")
    done = fold([_read(old), EffectDone(key=key)])
    assert done == RepositoryState(events=2)


def test_an_order_from_before_result_reuse_requested_every_gate() -> None:
    (old,) = [x for x in GOLDEN if x.name == "GatesOrdered" and "asked_hash" not in x.body]
    event = _BODY.validate_json(_read(old).model_dump_json())
    assert event["asked_hash"] == event["definition_hash"] == old.body["definition_hash"]


def test_questions_of_every_kind_are_one_pair_of_events() -> None:
    """Before, a round of an issue and an answer to an agent or of an issue had events of their own."""
    old = ("RoundAsked", "AnswerGiven", "ClarificationAnswered")
    read = {x.name: _read(x) for x in GOLDEN if x.name in old}
    place = "change:shop@0895c603/domain0-title-of-r0"
    at = datetime(2026, 3, 2, 9, 0, 20, tzinfo=UTC)
    assert read["AnswerGiven"] == QuestionAnswered(
        place="issue:41", number=1, answer=Answer(text="one", author="ann")
    )
    assert read["ClarificationAnswered"] == QuestionAnswered(
        place=place, number=1, answer=Answer(text="ho", author="ann", given_at=at)
    )
    put = read["RoundAsked"]
    assert isinstance(put, QuestionsPut)
    assert (put.place, put.last, put.round, put.by_rules) == ("issue:41", 4, 1, True)


def test_old_agent_questions_equal_new_ones_after_the_upgrade() -> None:
    change = ChangeId("shop@0895c603/domain0-title-of-r0")
    asked = [_read(x) for x in GOLDEN if x.name == "AgentAsked"]
    ours = [x for x in asked if isinstance(x, AgentAsked) and x.change == change]
    (before, *_), (now,) = [x for x in ours if x.questions], [x for x in ours if not x.questions]
    put = QuestionsPut(place=f"change:{change}", questions=before.questions, last=1)
    planned = PlannedChange(
        slug=Slug("domain0-title-of-r0"),
        title="Greet",
        type=ChangeType.FEATURE,
        domain="domain0",
        requirements=(),
    )
    working = ChangeFacts(
        id=change,
        spec_run=SpecRunId("shop@0895c603"),
        planned=planned,
        state=ChangeState.WORKING,
        order=before.order,
    )
    state = RepositoryState(changes={change: working})
    assert fold([before], state).changes == fold([now, put], state).changes
    (clarification,) = fold([before], state).changes[change].clarifications
    assert [q.sentence for q in clarification.asked.unanswered] == ["Which greeting?"]


@pytest.mark.parametrize(
    ("name", "version", "body"),
    [
        ("RoundAsked", 1, '{"type": "RoundAsked", "issue": 4, "round": 1}'),
        ("QuestionAnswered", 1, '{"type": "QuestionAnswered", "number": 1, "decision": []}'),
        ("SpecSplit", 1, '{"type": "SpecSplit"}'),
        ("CommandHeard", 2, '{"type": "CommandHeard", "comment": 5, "issue": 1}'),
        ("CommandHeard", 1, '{"type": "CommandHeard", "comment": 5, "issue": 1, "new": 1}'),
        ("ModelFailed", 1, '{"type": "ModelFailed"}'),
        ("GatesOrdered", 1, '{"type": "GatesOrdered"}'),
        ("PolicyRead", 1, "{"),
        ("ModelAsked", 1, "[]"),
    ],
)
def test_an_unreadable_event_names_its_place_and_the_fix(
    name: str, version: int, body: str
) -> None:
    event = event_of(346, name, version, body)
    assert event == UnreadableEvent(number=346, name=name, version=version)
    assert f"Event 346 of the journal ({name}, version {version})" in event.sentence
    assert "until that release, or a newer one, is started again" in event.sentence
