"""The routes for runners, the endpoint where a job fetches its OIDC token, and links to logs.

Mount once, at the root. A runner is authorised by the token of its registration, a job's OIDC
request by the token in its environment.
"""

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel

from bot.localhub.actions.routes import add_error_answers
from bot.localhub.actions.runner_messages import (
    POLL_SECONDS_MAX,
    ActionQuery,
    Completion,
    JobSignal,
    Registration,
    StepsUpdate,
)
from bot.localhub.actions.service import ActionsService
from bot.localhub.errors import ApiError

BASE = "/_actions"


def runner_blueprint(service: ActionsService) -> Blueprint:
    """The messages of `runner_messages.py` and `/_actions/idtoken`."""
    blueprint = Blueprint("actions_runner", __name__, url_prefix=BASE)
    runner_api = service.runner_api

    @blueprint.post("/runner/register")
    def register() -> Response:
        return _json(runner_api.register(Registration.model_validate_json(request.get_data())))

    @blueprint.post("/runner/acquire")
    def acquire() -> Response:
        message = runner_api.acquire(_bearer(), _wait_seconds())
        return Response(status=204) if message is None else _json(message)

    @blueprint.post("/runner/jobs/<int:job_id>/renew")
    def renew(job_id: int) -> Response:
        seen = JobSignal(request.args.get("seen", JobSignal.CONTINUE))
        return _json(runner_api.renew(_bearer(), job_id, _wait_seconds(), seen))

    @blueprint.post("/runner/jobs/<int:job_id>/log")
    def append_log(job_id: int) -> Response:
        offset = int(request.args.get("offset", "0"))
        runner_api.append_log(_bearer(), job_id, offset, request.get_data())
        return Response(status=204)

    @blueprint.post("/runner/jobs/<int:job_id>/steps")
    def update_steps(job_id: int) -> Response:
        update = StepsUpdate.model_validate_json(request.get_data())
        runner_api.update_steps(_bearer(), job_id, update)
        return Response(status=204)

    @blueprint.post("/runner/jobs/<int:job_id>/action")
    def find_action(job_id: int) -> Response:
        query = ActionQuery.model_validate_json(request.get_data())
        return _json(runner_api.find_action(_bearer(), job_id, query.uses))

    @blueprint.post("/runner/jobs/<int:job_id>/complete")
    def complete(job_id: int) -> Response:
        runner_api.complete(_bearer(), job_id, Completion.model_validate_json(request.get_data()))
        return Response(status=204)

    @blueprint.get("/idtoken/<int:run_id>/<int:job_id>")
    def id_token(run_id: int, job_id: int) -> Response:
        value = runner_api.id_token(run_id, job_id, _bearer(), request.args.get("audience"))
        return jsonify(count=len(value), value=value)

    @blueprint.get("/logs/<int:job_id>")
    def job_log(job_id: int) -> Response:
        expires, signature = request.args.get("expires", ""), request.args.get("signature", "")
        if not service.log_links.is_valid(job_id, expires, signature, service.host.now()):
            raise ApiError(403, "The link has expired or is not ours")
        text = service.log_text(job_id)
        return Response(text, content_type="text/plain; charset=utf-8")

    add_error_answers(blueprint)
    return blueprint


def _json(model: BaseModel) -> Response:
    return Response(model.model_dump_json(), content_type="application/json")


def _bearer() -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise ApiError(401, "Requires authentication")
    return token.strip()


def _wait_seconds() -> float:
    try:
        return float(request.args.get("wait_seconds", POLL_SECONDS_MAX))
    except ValueError:
        raise ApiError(422, "wait_seconds is not a number") from None
