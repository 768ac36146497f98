"""Upcast: what an earlier release wrote into the journal, read as today's events.

A row holds the version of its event's type. A type begins at version 1; each step in `STEPS` leads
from the version in its key to the next one, so today's version is one more than the newest step's.
Rows of releases that wrote no version count as version 1, whatever their shape was. A value inside
events (an effect, a plan, a finding) has no version of its own: a change of its shape is a step of
every event that holds it.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import get_args

from pydantic import JsonValue, TypeAdapter, ValidationError

from bot.core.journal.events import EVENTS, Event
from bot.core.values.ids import Frozen

Body = dict[str, JsonValue]
Step = Callable[[Body], Body]

_BODY: TypeAdapter[Body] = TypeAdapter(Body)
_BODIES: TypeAdapter[list[Body]] = TypeAdapter(list[Body])
_NAMES = tuple(cls.__name__ for cls in get_args(get_args(Event)[0]))


class UnreadableEvent(Frozen):
    """An event that this release cannot read, at its place in the journal."""

    number: int
    name: str
    version: int

    @property
    def sentence(self) -> str:
        return (
            f"Event {self.number} of the journal ({self.name}, version {self.version}) was written "
            "by another release of Headgate, and this one cannot read it. Nothing is done for this "
            "repository until that release, or a newer one, is started again."
        )


def _renamed(before: str, now: str) -> Step:
    """A field has another name; a body that has the new one already stays as it is."""

    def step(body: Body) -> Body:
        return {(now if name == before else name): value for name, value in body.items()}

    return step


# What a model is asked was called a question, as what people are asked still is.
_to_prompt = _renamed("question", "prompt")


def _with_asked_hash(body: Body) -> Body:
    """An order asked all gates that judge, before a gate's results could be used again."""
    return {"asked_hash": body["definition_hash"], **body}


def _without_no_gates(body: Body) -> Body:
    return {**body, "reason": "refused"} if body["reason"] == "no_gates" else body


def _with_sentences(body: Body) -> Body:
    """An agent's question had its sentence under another name."""
    to_sentence = _renamed("question", "sentence")
    return {
        **body,
        "questions": [
            to_sentence(one) for one in _BODIES.validate_python(body.get("questions", []))
        ],
    }


def _given(body: Body, place: str, text: str) -> Body:
    """An answer as the event of all who ask."""
    known = ("author", "given_at", "link")
    answer = {"text": body[text], **{key: body[key] for key in known if key in body}}
    return {"type": "QuestionAnswered", "place": place, "number": body["number"], "answer": answer}


def _answer_to_agent(body: Body) -> Body:
    return _given(body, f"change:{body['change']}", "answer")


def _answer_of_issue(body: Body) -> Body:
    return _given(body, f"issue:{body['issue']}", "text")


def _of_model(name: str) -> Step:
    """A reply of a model was called an answer to a question for a while."""

    def step(body: Body) -> Body:
        placed = _renamed("spec_run", "place")(body)
        return {**_to_prompt(placed), "type": name}

    return step


def _answer_about_spec(body: Body) -> Body:
    """A decision named its topic, which the question of that number has, too; or a model answered."""
    if "spec_run" in body:
        return _of_model("ModelAnswered")(body)
    if "decision" not in body:
        return body
    decision = _BODY.validate_python(body["decision"])
    answer: Body = {
        "text": decision["answer"],
        "author": decision["author"],
        "given_at": decision["decided_at"],
        "text_hash": decision["text_hash"],
    }
    return {**{key: value for key, value in body.items() if key != "decision"}, "answer": answer}


def _round_put(body: Body) -> Body:
    """An issue's round, as the questions of any place."""
    questions = _BODIES.validate_python(body["questions"])
    return {
        "type": "QuestionsPut",
        "place": f"issue:{body['issue']}",
        "questions": list(questions),
        "last": max((n for one in questions if isinstance(n := one["number"], int)), default=0),
        "round": body["round"],
        "by_rules": body.get("by_rules", False),
    }


def _without_call_batched(body: Body) -> Body:
    call = body.get("call")
    if not isinstance(call, dict):
        return body
    return {**body, "call": {k: v for k, v in call.items() if k != "is_batched"}}


def _with_plain_effects(body: Body) -> Body:
    """`ForgetRefs` is `DeleteRefs` now, and no prompt says how soon its reply is wanted.

    Nothing writes the body of a pull again (`EditPull`): an intent to do so is a fact that moves nothing.
    """
    effect = body.get("effect")
    if not isinstance(effect, dict):
        return body
    if effect.get("type") == "EditPull":
        return {"type": "SpecsNoted", "versions": {}}
    kept = {k: v for k, v in effect.items() if (effect.get("type"), k) != ("AskModel", "pace")}
    if kept.get("type") == "ForgetRefs":
        kept["type"] = "DeleteRefs"
    return {**body, "effect": kept}


def _with_rules(body: Body) -> Body:
    """What a pull may edit with a person's word was refused before."""
    effect = body.get("effect")
    if not isinstance(effect, dict) or effect.get("type") != "BuildPull":
        return body
    return {**body, "effect": _renamed("refused", "rules")(effect)}


def _with_prompt(body: Body) -> Body:
    """No effect but `AskModel` had a field of the old name."""
    effect = body.get("effect")
    return {**body, "effect": _to_prompt(effect)} if isinstance(effect, dict) else body


_OFFERED = frozenset({"building", "judging", "queued", "landing"})


def _with_offered(body: Body) -> Body:
    """What the candidate of an offered change says of itself was four states of the change, too."""
    changes = _BODIES.validate_python(body.get("changes", []))
    read = [{**c, "state": "offered"} if c.get("state") in _OFFERED else c for c in changes]
    return {**body, "changes": list[JsonValue](read)}


STEPS: Mapping[tuple[str, int], Step] = {
    ("AdoptionOrdered", 1): _renamed("definition_hash", "asked_hash"),
    ("AgentAsked", 1): _with_sentences,
    ("AnswerGiven", 1): _answer_of_issue,
    ("ChangeFailed", 1): _without_no_gates,
    ("ClarificationAnswered", 1): _answer_to_agent,
    ("EffectIntended", 1): _with_plain_effects,
    ("EffectIntended", 2): _with_rules,
    ("EffectIntended", 3): _with_prompt,
    ("GatesOrdered", 1): _with_asked_hash,
    ("ModelAnswered", 1): _renamed("spec_run", "place"),
    ("ModelAnswered", 2): _to_prompt,
    ("ModelAsked", 1): _renamed("spec_run", "place"),
    ("ModelAsked", 2): _without_call_batched,
    ("ModelAsked", 3): _to_prompt,
    ("ModelFailed", 1): _renamed("spec_run", "place"),
    ("ModelFailed", 2): _to_prompt,
    ("QuestionAnswered", 1): _answer_about_spec,
    ("QuestionFailed", 1): _of_model("ModelFailed"),
    ("RequirementsRead", 1): _to_prompt,
    ("RoundAsked", 1): _round_put,
    ("SpecRunRetired", 1): _with_offered,
    ("SummaryRefused", 1): _to_prompt,
    ("SummaryWritten", 1): _to_prompt,
}


def version_of(name: str) -> int:
    version = 1
    while (name, version) in STEPS:
        version += 1
    return version


# An event that has got another name is read by its steps alone, which end in a body of the new one.
_VERSIONS: Mapping[str, int] = {
    name: version_of(name) for name in sorted({*_NAMES, *(name for name, _ in STEPS)})
}

# Which events this release can fold: a snapshot of one that could fold others is not used.
KNOWN_EVENTS = hashlib.sha256(json.dumps(_VERSIONS).encode()).hexdigest()[:16]


def event_of(number: int, name: str, version: int, body: str) -> Event | UnreadableEvent:
    """The event of a row, by way of all versions between the row's and today's.

    What does not fit its own version's shape was written by another release, too: a newer one may
    have given an event a field with a default and no new version.
    """
    if version <= _VERSIONS.get(name, 0):
        with contextlib.suppress(ValidationError, KeyError):
            return EVENTS.validate_json(_upcast(name, version, body))
    return UnreadableEvent(number=number, name=name, version=version)


def _upcast(name: str, version: int, body: str) -> str:
    if (name, version) not in STEPS:
        return body
    found = _BODY.validate_json(body)
    while (name, version) in STEPS:
        found = STEPS[name, version](found)
        version += 1
    return json.dumps(found)
