"""The body of an event from outside GitHub (REST, "Create a repository dispatch event")."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

from bot.localhub.errors import ApiError

EVENT_TYPE_MAX = 100
PROPERTIES_MAX = 10
# "The total size of the JSON payload must be less than 64KB."
PAYLOAD_BYTES = 65_536

_FIELDS = {"event_type", "client_payload"}


@dataclass(frozen=True)
class OutsideEvent:
    """What happened elsewhere; `payload` None means that none was sent."""

    type: str
    payload: dict[str, JsonValue] | None

    @classmethod
    def read(cls, body: object) -> "OutsideEvent":
        """Raises 422 as GitHub does."""
        fields = body if isinstance(body, dict) else {}
        unknown = ", ".join(f'"{key}"' for key in fields if key not in _FIELDS)
        if unknown:
            raise _refused(f"{unknown} are not permitted keys.")
        event_type = fields.get("event_type")
        if event_type is None:
            raise _refused('"event_type" wasn\'t supplied.')
        if not isinstance(event_type, str):
            raise _refused("For 'properties/event_type', value is not a string.")
        if not 1 <= len(event_type) <= EVENT_TYPE_MAX:
            raise _refused(f"event_type has 1 to {EVENT_TYPE_MAX} characters.")
        if "client_payload" not in fields:
            return cls(event_type, None)
        payload = fields["client_payload"]
        if not isinstance(payload, dict):
            raise _refused("For 'properties/client_payload', value is not an object.")
        if len(payload) > PROPERTIES_MAX:
            raise _refused(
                f"No more than {PROPERTIES_MAX} properties are allowed; "
                f"{len(payload)} were supplied."
            )
        if len(json.dumps(payload, ensure_ascii=False).encode()) >= PAYLOAD_BYTES:
            raise ApiError(422, "client_payload is too large.")
        return cls(event_type, payload)


def _refused(why: str) -> ApiError:
    return ApiError(422, f"Invalid request.\n\n{why}")
