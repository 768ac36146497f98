"""The webhook's door: 202 once stored; 401, 413 or 400 with nothing stored."""

import flask

from bot.core.webhook import BODY_BYTES_MAX
from bot.ports import Delivery
from bot.shell.bench import Bench
from bot.shell.intake import Accepted, accept

_ANSWERS = {
    Accepted.STORED: (202, "stored"),
    Accepted.KNOWN: (202, "known already"),
    Accepted.UNSIGNED: (401, "the signature is missing or wrong"),
    Accepted.TOO_LARGE: (413, "the delivery is larger than GitHub sends"),
    Accepted.MALFORMED: (400, "not a delivery: event, GUID and a JSON object are needed"),
}


def webhook_door(bench: Bench, secret: str) -> flask.Blueprint:
    """`POST /webhook`."""
    door = flask.Blueprint("webhook", __name__)

    @door.post("/webhook")
    def receive() -> tuple[dict[str, str], int]:
        request = flask.request
        if (request.content_length or 0) > BODY_BYTES_MAX:
            accepted = Accepted.TOO_LARGE
        elif request.mimetype != "application/json":
            accepted = Accepted.MALFORMED
        else:
            delivery = Delivery(
                id=request.headers.get("X-GitHub-Delivery", "")[:100],
                event=request.headers.get("X-GitHub-Event", "")[:100],
                body=request.get_data(cache=False),
            )
            signature = request.headers.get("X-Hub-Signature-256")
            accepted = accept(bench, secret, delivery, signature)
        code, sentence = _ANSWERS[accepted]
        return {"message": sentence}, code

    return door
