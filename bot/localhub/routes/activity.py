"""The list of a repository's activities: each move of a branch, and who made it."""

from flask import Blueprint, Response, request

from bot.localhub.errors import unprocessable
from bot.localhub.github_json import Json, iso
from bot.localhub.model import Activity
from bot.localhub.pages import page_size
from bot.localhub.routes import api
from bot.localhub.shapes.accounts import account_shape

blueprint = Blueprint("activity", __name__)


@blueprint.get("/repos/<owner>/<name>/activity")
def list_activities(owner: str, name: str) -> Response:
    """Newest first, by pages that a cursor leads to; `ref` is a full ref or a branch."""
    repository = api.repository(owner, name, "contents", "read")
    wanted = request.args.get("ref", "")
    ref = wanted if wanted.startswith("refs/") or not wanted else f"refs/heads/{wanted}"
    cursor = request.args.get("after", "")
    if cursor and not cursor.isdigit():
        raise unprocessable("The cursor is not valid")
    size = page_size()
    held = [
        found
        for found in reversed(repository.activities)
        if (not ref or found.ref == ref) and (not cursor or found.id < int(cursor))
    ]
    response = api.answer([_shape(found) for found in held[:size]])
    if len(held) > size:
        url = f"{request.base_url}?per_page={size}&ref={ref}&after={held[size - 1].id}"
        response.headers["Link"] = f'<{url}>; rel="next"'
    return response


def _shape(found: Activity) -> Json:
    state = api.hub().state
    return {
        "id": found.id,
        "node_id": f"PSH_{found.id}",
        "before": found.before,
        "after": found.after,
        "ref": found.ref,
        "timestamp": iso(found.at),
        "activity_type": found.kind,
        "actor": account_shape(state, found.actor) if found.actor is not None else None,
    }
