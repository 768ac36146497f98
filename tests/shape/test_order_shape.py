"""Runners and servers of two releases meet: a message of another shape says so by its version."""

import hashlib
import json

from pydantic import BaseModel

from action.order import ORDER_VERSION, LeaseGrant, LeaseRequest
from action.report import AgentReport, GateOrderReport

MESSAGES: tuple[type[BaseModel], ...] = (LeaseGrant, LeaseRequest, AgentReport, GateOrderReport)


def shape(model: type[BaseModel]) -> str:
    return _digest(_without_words(model.model_json_schema()))


def _without_words(schema: object) -> object:
    match schema:
        case dict():
            words = {"description", "title"}
            kept = {k: v for k, v in schema.items() if k not in words or not isinstance(v, str)}
            return {key: _without_words(value) for key, value in kept.items()}
        case list():
            return [_without_words(value) for value in schema]
        case _:
            return schema


def _digest(schema: object) -> str:
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:12]


def test_a_message_of_another_shape_has_another_version() -> None:
    """Neither side reads keys that it does not know. Once `ORDER_VERSION` is raised, write both here."""
    assert (ORDER_VERSION, [shape(m) for m in MESSAGES]) == (
        8,
        ["e3e6d44e7eff", "a0dcc9572e05", "6a7499bd771c", "7f94b5118a46"],
    )
