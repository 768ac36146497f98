"""The runners' API: lease, heartbeat, bundle, report. JSON in, JSON out."""

import math
from collections.abc import Iterator

import flask
from pydantic import BaseModel, TypeAdapter, ValidationError

from action.order import EventBatch, Heartbeat, LeaseRequest, ModelCredentials, Refusal
from action.report import Report
from bot.core.state.model_token import mint_model_token
from bot.core.values.ids import OrderId, RepositoryId
from bot.entry.settings import Settings
from bot.entry.web.oidc import OidcVerifier
from bot.shell import orders
from bot.shell.orders import ModelFor, RefusalKind, Refused
from bot.shell.process_ports import Ports

# A lease request or a heartbeat; the report of an order, whose gates may say 8 MiB each.
SMALL_BYTES_MAX = 64 * 1024
# A runner sends at most 30,000 characters at once, and JSON in JSON doubles some of them.
EVENTS_BYTES_MAX = 512 * 1024
REPORT_BYTES_MAX = 24 * 1024**2
PIECE_BYTES = 64 * 1024

_STATUS = {
    RefusalKind.UNAUTHORISED: 401,
    RefusalKind.NOT_YOURS: 403,
    RefusalKind.OVER: 410,
    RefusalKind.TOO_LARGE: 413,
    RefusalKind.UPGRADE: 426,
    RefusalKind.LATER: 503,
}

_REPORTS: TypeAdapter[Report] = TypeAdapter(Report)


def runner_blueprint(settings: Settings, ports: Ports, verifier: OidcVerifier) -> flask.Blueprint:
    blueprint = flask.Blueprint("runner", __name__, url_prefix="/runner")
    blueprint.register_error_handler(Refused, _refused)
    blueprint.register_error_handler(ValidationError, _invalid)
    model = credentials_for(settings)

    @blueprint.post("/lease")
    def lease() -> flask.Response:
        request = LeaseRequest.model_validate_json(_body(SMALL_BYTES_MAX))
        claims = verifier.claims(request.oidc_token)
        return _json(orders.grant(ports, claims, request, model))

    @blueprint.post("/orders/<order>/heartbeat")
    def heartbeat(order: str) -> flask.Response:
        orders.check_lease(ports, _token(), OrderId(order))
        Heartbeat.model_validate_json(_body(SMALL_BYTES_MAX))
        return _json(orders.heartbeat(ports, _token(), OrderId(order)))

    @blueprint.post("/orders/<order>/events")
    def events(order: str) -> flask.Response:
        orders.check_lease(ports, _token(), OrderId(order))
        batch = EventBatch.model_validate_json(_body(EVENTS_BYTES_MAX))
        return _json(orders.keep_events(ports, _token(), OrderId(order), batch))

    @blueprint.put("/orders/<order>/bundle")
    def bundle(order: str) -> flask.Response:
        flask.request.max_content_length = orders.BUNDLE_BYTES_MAX
        length = flask.request.content_length
        digest = orders.keep_bundle(ports, _token(), OrderId(order), _pieces(), length)
        return flask.jsonify({"sha256": digest})

    @blueprint.post("/orders/<order>/report")
    def report(order: str) -> tuple[flask.Response, int]:
        orders.check_lease(ports, _token(), OrderId(order))
        handed_in = _REPORTS.validate_json(_body(REPORT_BYTES_MAX))
        orders.hand_in(ports, _token(), OrderId(order), handed_in)
        return flask.jsonify({"message": "kept"}), 202

    return blueprint


def _body(bytes_max: int) -> bytes:
    flask.request.max_content_length = bytes_max
    return flask.request.get_data()


def _pieces() -> Iterator[bytes]:
    stream = flask.request.stream
    while piece := stream.read(PIECE_BYTES):
        yield piece


def credentials_for(settings: Settings) -> ModelFor:
    """How runs ask the model: with a token of the gateway, or with the key where its owner says so."""
    key = settings.model_key.get_secret_value() if settings.model_key else ""

    def credentials(repository: RepositoryId, order: OrderId) -> ModelCredentials | None:
        if settings.has_gateway:
            token = mint_model_token(settings.gateway_secret(), repository, order)
            return ModelCredentials(base_url=settings.gateway_address, api_key=token)
        return ModelCredentials(base_url=settings.model_base_url, api_key=key) if key else None

    return credentials


def _token() -> str:
    return flask.request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def _json(value: BaseModel) -> flask.Response:
    return flask.Response(value.model_dump_json(), mimetype="application/json")


def _refused(refused: Refused) -> tuple[flask.Response, int]:
    answer = _json(Refusal(sentence=refused.sentence))
    if refused.kind is RefusalKind.LATER:
        answer.headers["Retry-After"] = str(math.ceil(refused.after.total_seconds()))
    return answer, _STATUS[refused.kind]


def _invalid(problem: ValidationError) -> tuple[flask.Response, int]:
    first = problem.errors()[0]
    place = ".".join(str(p) for p in first["loc"])
    sentence = f"The request does not fit this server's contract: {place}: {first['msg']}."
    return _json(Refusal(sentence=sentence)), 400
