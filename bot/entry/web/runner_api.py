"""The runners' API: lease, heartbeat, bundle, report. JSON in, JSON out."""

import flask
from pydantic import BaseModel, TypeAdapter, ValidationError

from action.order import Heartbeat, LeaseRequest, ModelCredentials, Refusal
from action.report import Report
from bot.core.values.ids import OrderId
from bot.entry.settings import Settings
from bot.entry.web.oidc import OidcVerifier
from bot.shell import orders
from bot.shell.orders import RefusalKind, Refused
from bot.shell.process_ports import Ports

_STATUS = {
    RefusalKind.UNAUTHORISED: 401,
    RefusalKind.NOT_YOURS: 403,
    RefusalKind.OVER: 410,
    RefusalKind.TOO_LARGE: 413,
    RefusalKind.UPGRADE: 426,
}

_REPORTS: TypeAdapter[Report] = TypeAdapter(Report)


def runner_blueprint(settings: Settings, ports: Ports, verifier: OidcVerifier) -> flask.Blueprint:
    """The blueprint under `/runner`."""
    blueprint = flask.Blueprint("runner", __name__, url_prefix="/runner")
    blueprint.register_error_handler(Refused, _refused)
    blueprint.register_error_handler(ValidationError, _invalid)
    model = None
    if settings.model_key is not None:
        model = ModelCredentials(
            base_url=settings.model_base_url, api_key=settings.model_key.get_secret_value()
        )

    @blueprint.post("/lease")
    def lease() -> flask.Response:
        request = LeaseRequest.model_validate_json(flask.request.get_data())
        claims = verifier.claims(request.oidc_token)
        return _json(orders.grant(ports, claims, request, model))

    @blueprint.post("/orders/<order>/heartbeat")
    def heartbeat(order: str) -> flask.Response:
        Heartbeat.model_validate_json(flask.request.get_data())
        return _json(orders.heartbeat(ports, _token(), OrderId(order)))

    @blueprint.put("/orders/<order>/bundle")
    def bundle(order: str) -> flask.Response:
        content = flask.request.get_data(cache=False)
        digest = orders.keep_bundle(ports, _token(), OrderId(order), content)
        return flask.jsonify({"sha256": digest})

    @blueprint.post("/orders/<order>/report")
    def report(order: str) -> tuple[flask.Response, int]:
        handed_in = _REPORTS.validate_json(flask.request.get_data())
        orders.hand_in(ports, _token(), OrderId(order), handed_in)
        return flask.jsonify({"message": "kept"}), 202

    return blueprint


def _token() -> str:
    return flask.request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def _json(value: BaseModel) -> flask.Response:
    return flask.Response(value.model_dump_json(), mimetype="application/json")


def _refused(refused: Refused) -> tuple[flask.Response, int]:
    return _json(Refusal(sentence=refused.sentence)), _STATUS[refused.kind]


def _invalid(problem: ValidationError) -> tuple[flask.Response, int]:
    first = problem.errors()[0]
    place = ".".join(str(p) for p in first["loc"])
    sentence = f"The request does not fit this server's contract: {place}: {first['msg']}."
    return _json(Refusal(sentence=sentence)), 400
