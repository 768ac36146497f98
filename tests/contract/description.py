"""Checks exchanges and webhooks against GitHub's published description.

Errors are described thinly, so any 4xx in the form of an error is allowed; a success must be described.
A request is checked only where it succeeded, because localhub must refuse what GitHub would refuse.
"""

import gzip
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from jsonschema_rs import Draft202012Validator, Registry

from tests.contract.operations import JsonObject, best_template, object_at
from tests.contract.routes import UNDESCRIBED, is_undescribed
from tests.contract.schemas import DOCUMENT_URI, Documented, as_json_schema

SLICE = Path(__file__).with_name("github_openapi_slice.json.gz")

DRAFT = "https://json-schema.org/draft/2020-12/schema"

# The form of an error, whatever the operation says.
_ERRORS = ("basic-error", "validation-error", "validation-error-simple")
_ANY_ERROR = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in _ERRORS]}


@dataclass(frozen=True)
class Finding:
    """Something that GitHub does not document; `what` is the same for the same fault."""

    where: str
    what: str
    detail: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.where}: {self.what} {self.detail}".rstrip()


@dataclass(frozen=True)
class Exchanged:
    """A request and its answer as sent."""

    method: str
    path: str
    query: str
    body: bytes
    status: int
    content_type: str
    answer: bytes


@cache
def description() -> "Description":
    """The description, read once per process."""
    loaded: JsonObject = json.loads(gzip.decompress(SLICE.read_bytes()))
    return Description(loaded)


class Description:
    """One OpenAPI document."""

    def __init__(self, document: JsonObject) -> None:
        self._candidates: dict[str, list[str]] = {}
        self._paths = object_at(document, "paths")
        self._hooks = object_at(document, "x-webhooks")
        schemas = object_at(document, "components", "schemas")
        self._document = document
        converted = {name: as_json_schema(schema) for name, schema in schemas.items()}
        resource = {"$schema": DRAFT, "components": {"schemas": converted}}
        self._registry = Registry([(DOCUMENT_URI, resource)])
        self._documented = Documented(document)
        self._validators: dict[str, Draft202012Validator] = {}

    def operation(self, method: str, path: str) -> tuple[str, JsonObject]:
        """The name and description of a request's operation; empty where there is none."""
        if method not in self._candidates:
            self._candidates[method] = [
                template
                for template, operations in self._paths.items()
                if isinstance(operations, dict) and method.lower() in operations
            ]
        template = best_template(self._candidates[method], path)
        # A path that the slice lacks may look like another one: `pulls/comments` like `pulls/7`.
        if template is None or best_template([template, *UNDESCRIBED], path) != template:
            return "", {}
        return f"{method} {template}", object_at(self._paths, template, method.lower())

    def judge(self, seen: Exchanged) -> list[Finding]:
        """The undocumented parts of an exchange."""
        name, operation = self.operation(seen.method, seen.path)
        if seen.status >= 500:
            return [Finding(f"{seen.method} {seen.path}", f"answered {seen.status}")]
        if not operation:
            if seen.status in (401, 404) or is_undescribed(seen.path):
                return []
            return [Finding(f"{seen.method} {seen.path}", "is no operation of GitHub")]
        if seen.status == 304:
            return []
        if seen.status >= 400:
            return self._judge_refusal(name, seen)
        return [
            *self._judge_query(name, operation, seen),
            *self._judge_request(name, operation, seen),
            *self._judge_answer(name, operation, seen),
        ]

    def judge_webhook(self, event: str, payload: JsonObject) -> list[Finding]:
        """The undocumented parts of a webhook."""
        action = payload.get("action")
        words = f"{event}-{action}" if isinstance(action, str) else event
        name = words.replace("_", "-")
        content = object_at(self._hooks, name, "post", "requestBody", "content", "application/json")
        if not content:
            return [Finding(f"webhook {name}", "is no event of GitHub")]
        return self._judge_value(f"webhook {name}", content["schema"], payload)

    def _judge_refusal(self, name: str, seen: Exchanged) -> list[Finding]:
        where = f"{name} {seen.status}"
        # A few negative answers are a status alone (not a collaborator, not merged).
        if seen.status == 404 and not seen.answer:
            return []
        return self._judge_value(where, _ANY_ERROR, _json(seen.answer))

    def _judge_query(self, name: str, operation: JsonObject, seen: Exchanged) -> list[Finding]:
        parameters = {
            str(found["name"]): found["schema"]
            for found in self._parameters(operation)
            if found.get("in") == "query"
        }
        findings = []
        for key, text in parse_qsl(seen.query):
            if key not in parameters:
                findings.append(Finding(name, f"undocumented query parameter {key}"))
                continue
            validator = self._validator(f"{name} query {key}", parameters[key])
            if not any(validator.is_valid(value) for value in _readings(text)):
                findings.append(Finding(name, f"query parameter {key} is wrong:", text))
        return findings

    def _parameters(self, operation: JsonObject) -> list[JsonObject]:
        listed = operation.get("parameters")
        return [self._resolve(held) for held in listed] if isinstance(listed, list) else []

    def _resolve(self, held: object) -> JsonObject:
        reference = held.get("$ref") if isinstance(held, dict) else None
        if isinstance(reference, str):
            return object_at(self._document, *reference[2:].split("/"))
        return held if isinstance(held, dict) else {}

    def _judge_request(self, name: str, operation: JsonObject, seen: Exchanged) -> list[Finding]:
        where = f"{name} request"
        body = object_at(operation, "requestBody")
        schema = object_at(body, "content", "application/json").get("schema")
        if not seen.body:
            is_missing = body.get("required") is True and schema is not None
            return [Finding(where, "has no body")] if is_missing else []
        if schema is None:
            # Clients send `{}` where no body is needed.
            is_empty = seen.body.strip() in (b"{}", b"null")
            return [] if is_empty else [Finding(where, "has a body that nobody reads")]
        return self._judge_value(where, schema, _json(seen.body))

    def _judge_answer(self, name: str, operation: JsonObject, seen: Exchanged) -> list[Finding]:
        where = f"{name} {seen.status}"
        held = object_at(operation, "responses").get(str(seen.status))
        if held is None:
            return [Finding(where, "is a status that GitHub does not document")]
        content = object_at(self._resolve(held), "content")
        media = seen.content_type.partition(";")[0].strip()
        if not content or seen.method == "HEAD":
            return [Finding(where, "has a body")] if seen.answer and media else []
        if media not in content:
            return [Finding(where, f"is {media or 'without content'}", str(sorted(content)))]
        if media != "application/json" or "schema" not in object_at(content, media):
            return []
        return self._judge_value(where, object_at(content, media)["schema"], _json(seen.answer))

    def _judge_value(self, where: str, schema: object, value: object) -> list[Finding]:
        findings = [
            Finding(where, f"{_place(error.instance_path)} breaks its schema:", error.message[:300])
            for error in self._validator(where, schema).iter_errors(value)
        ]
        keys = self._documented.undocumented_keys(value, schema)
        return findings + [Finding(where, f"undocumented key {key}") for key in sorted(keys)]

    def _validator(self, name: str, schema: object) -> Draft202012Validator:
        found = self._validators.get(name)
        if found is None:
            root = {"$schema": DRAFT, "allOf": [as_json_schema(schema)]}
            found = Draft202012Validator(
                root, formats={"email": _is_email}, validate_formats=True, registry=self._registry
            )
            self._validators[name] = found
        return found


def _json(raw: bytes) -> object:
    try:
        value: object = json.loads(raw)
    except ValueError:
        return raw.decode(errors="replace")
    return value


def _readings(text: str) -> list[object]:
    """The possible values of a query parameter, which has no type in a URL."""
    readings: list[object] = [text, [text]]
    if text.lstrip("-").isdecimal():
        readings.append(int(text))
    if text.lower() in ("true", "false"):
        readings.append(text.lower() == "true")
    return readings


def _is_email(text: str) -> bool:
    """Whether git accepts the address; those of bots have brackets, which mail does not allow."""
    return "@" in text


def _place(path: list[str | int]) -> str:
    """The place in a value without positions in lists, so that all items share one fault."""
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
