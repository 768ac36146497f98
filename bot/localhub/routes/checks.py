"""Routes of check runs and check suites."""

from datetime import datetime

from flask import Blueprint, Response, request

from bot.localhub.checks import CheckEdit
from bot.localhub.errors import ApiError, invalid, not_found
from bot.localhub.model import (
    Annotation,
    App,
    CheckAction,
    CheckRun,
    CheckSuite,
    Repository,
    TokenKind,
)
from bot.localhub.pages import query_integer
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.shapes.checks import annotation_shape, check_run_shape, runs_of, suite_shape

blueprint = Blueprint("checks", __name__)


@blueprint.before_request
def _mark_stale() -> None:
    api.hub().checks.mark_stale()


# REST, "Create a check run": the limits of its fields. It says characters and counts bytes: "summary exceeds
# a maximum bytesize of 65535" (github/docs #35252, dorny/test-reporter #57).
OUTPUT_BYTES_MAX = 65_535
ANNOTATIONS_MAX = 50
BUTTONS_MAX = 3
BUTTON_LABEL_MAX = 20
BUTTON_DESCRIPTION_MAX = 40
BUTTON_IDENTIFIER_MAX = 20
ANNOTATION_MESSAGE_MAX = 65_536

STATUSES = ("queued", "in_progress", "completed")
# Only GitHub sets `stale`.
CONCLUSIONS = (
    "action_required",
    "cancelled",
    "failure",
    "neutral",
    "success",
    "skipped",
    "timed_out",
)
LEVELS = ("notice", "warning", "failure")


def _writing_app() -> App:
    actor = api.actor()
    if actor.kind not in (TokenKind.INSTALLATION, TokenKind.JOB) or actor.app is None:
        raise ApiError(403, "You must authenticate via a GitHub App.")
    return actor.app


def _answer(run: CheckRun, status: int = 200) -> Response:
    return api.answer(check_run_shape(api.hub().state, run), status)


def _time(asked: Body, field: str) -> datetime | None:
    value = asked.maybe_text(field)
    return None if value is None else api.parse_time(value, field)


def _annotation(asked: Body) -> Annotation:
    start, end = asked.integer("start_line"), asked.integer("end_line")
    if start < 1 or end < start:
        raise invalid(
            "CheckRun", "annotations", "invalid", "end_line must not be before start_line"
        )
    level = asked.one_of("annotation_level", LEVELS)
    if level is None:
        raise asked.missing("annotation_level")
    start_column, end_column = (
        asked.maybe_integer("start_column"),
        asked.maybe_integer("end_column"),
    )
    if start != end and (start_column is not None or end_column is not None):
        raise invalid("CheckRun", "annotations", "invalid", "columns need a single line")
    return Annotation(
        path=asked.text("path"),
        start_line=start,
        end_line=end,
        level=level,
        message=asked.text("message", ANNOTATION_MESSAGE_MAX),
        title=asked.maybe_text("title", 255),
        raw_details=asked.maybe_text("raw_details"),
        start_column=start_column,
        end_column=end_column,
    )


def _action(asked: Body) -> CheckAction:
    return CheckAction(
        asked.text("label", BUTTON_LABEL_MAX),
        asked.text("description", BUTTON_DESCRIPTION_MAX),
        asked.text("identifier", BUTTON_IDENTIFIER_MAX),
    )


def _address(asked: Body, field: str) -> str | None:
    value = asked.maybe_text(field)
    if value is not None and not value.lower().startswith(("http://", "https://")):
        raise invalid("CheckRun", field, "invalid", f"{field} must use http or https scheme")
    return value


def _prose(output: Body, field: str) -> str | None:
    value = output.maybe_text(field, OUTPUT_BYTES_MAX)
    if value is not None and len(value.encode()) > OUTPUT_BYTES_MAX:
        says = f"{field} exceeds a maximum bytesize of {OUTPUT_BYTES_MAX}"
        raise invalid("CheckRun", field, "custom", says)
    return value


def _edit(asked: Body) -> CheckEdit:
    output = asked.part("output") or Body({}, "CheckRun")
    if asked.has("output"):
        output.text("summary", OUTPUT_BYTES_MAX)
    annotations = output.bodies("annotations")
    if len(annotations) > ANNOTATIONS_MAX:
        raise invalid("CheckRun", "annotations", "invalid", f"exceeds {ANNOTATIONS_MAX} items")
    buttons = asked.bodies("actions")
    if len(buttons) > BUTTONS_MAX:
        raise invalid("CheckRun", "actions", "invalid", f"exceeds {BUTTONS_MAX} items")
    return CheckEdit(
        name=asked.maybe_text("name", 255),
        status=asked.one_of("status", STATUSES),
        conclusion=asked.one_of("conclusion", CONCLUSIONS),
        started_at=_time(asked, "started_at"),
        completed_at=_time(asked, "completed_at"),
        external_id=asked.maybe_text("external_id"),
        details_url=_address(asked, "details_url"),
        title=output.maybe_text("title", 255),
        summary=_prose(output, "summary"),
        text=_prose(output, "text"),
        annotations=[_annotation(one) for one in annotations],
        buttons=[_action(one) for one in buttons] if "actions" in asked else None,
    )


@blueprint.post("/repos/<owner>/<name>/check-runs")
def create_check_run(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "checks", "write")
    app = _writing_app()
    asked = api.body("CheckRun")
    asked.text("name")
    head_sha = asked.text("head_sha")
    if asked.has("output"):
        (asked.part("output") or asked).text("title")
    run = api.hub().checks.create(repository, app, head_sha, _edit(asked), api.writer())
    return _answer(run, 201)


@blueprint.get("/repos/<owner>/<name>/check-runs/<int:run_id>")
def show_check_run(owner: str, name: str, run_id: int) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    return _answer(api.hub().checks.find(repository, run_id))


@blueprint.patch("/repos/<owner>/<name>/check-runs/<int:run_id>")
def update_check_run(owner: str, name: str, run_id: int) -> Response:
    repository = api.repository(owner, name, "checks", "write")
    app = _writing_app()
    run = api.hub().checks.find(repository, run_id)
    api.hub().checks.update(run, app, _edit(api.body("CheckRun")), api.writer())
    return _answer(run)


@blueprint.post("/repos/<owner>/<name>/check-runs/<int:run_id>/rerequest")
def rerequest_check_run(owner: str, name: str, run_id: int) -> Response:
    repository = _repository_for_rerequest(owner, name)
    run = api.hub().checks.find(repository, run_id)
    api.hub().checks.rerequest(run, api.writer())
    return api.answer({}, 201)


def _repository_for_rerequest(owner: str, name: str) -> Repository:
    if api.actor().kind is TokenKind.USER:
        return api.repository(owner, name, "contents", "write")
    return api.repository(owner, name, "checks", "write")


@blueprint.get("/repos/<owner>/<name>/check-runs/<int:run_id>/annotations")
def list_annotations(owner: str, name: str, run_id: int) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    run = api.hub().checks.find(repository, run_id)
    state = api.hub().state
    return api.paged(list(run.annotations), lambda held: annotation_shape(state, run, held))


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>/check-runs")
def list_check_runs_of_ref(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    sha = _commit(repository, ref)
    runs = [held for held in list(repository.check_runs.values()) if held.suite.head_sha == sha]
    return _listed_runs(runs)


@blueprint.get("/repos/<owner>/<name>/check-suites/<int:suite_id>/check-runs")
def list_check_runs_of_suite(owner: str, name: str, suite_id: int) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    return _listed_runs(runs_of(api.hub().checks.find_suite(repository, suite_id)))


def _commit(repository: Repository, ref: str) -> str:
    sha = api.hub().refs.resolve(repository, ref)
    if sha is None:
        raise ApiError(422, f"No commit found for SHA: {ref}")
    return sha


def _listed_runs(runs: list[CheckRun]) -> Response:
    name, status = request.args.get("check_name"), request.args.get("status")
    app_id = query_integer("app_id", 0)
    found = [
        run
        for run in runs
        if name in (None, run.name)
        and status in (None, run.status)
        and app_id in (0, run.suite.app.id)
    ]
    if api.query_choice("filter", ("latest", "all"), "latest") == "latest":
        newest = {(run.suite.id, run.name): run for run in found}
        found = [run for run in found if newest[run.suite.id, run.name] is run]
    found.reverse()
    return api.counted(found, lambda run: check_run_shape(api.hub().state, run), "check_runs")


@blueprint.get("/repos/<owner>/<name>/commits/<path:ref>/check-suites")
def list_check_suites(owner: str, name: str, ref: str) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    sha = _commit(repository, ref)
    app_id, check = query_integer("app_id", 0), request.args.get("check_name")
    found = [
        suite
        for suite in list(repository.suites)
        if suite.head_sha == sha
        and app_id in (0, suite.app.id)
        and (check is None or any(run.name == check for run in runs_of(suite)))
    ]
    return api.counted(found, lambda suite: suite_shape(api.hub().state, suite), "check_suites")


@blueprint.post("/repos/<owner>/<name>/check-suites")
def create_check_suite(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "checks", "write")
    app = _writing_app()
    sha = api.body("CheckSuite").text("head_sha")
    known = {id(suite) for suite in repository.suites}
    suite = api.hub().checks.ensure_suite(repository, app, sha)
    return _suite(suite, 200 if id(suite) in known else 201)


def _suite(suite: CheckSuite, status: int = 200) -> Response:
    return api.answer(suite_shape(api.hub().state, suite), status)


@blueprint.get("/repos/<owner>/<name>/check-suites/<int:suite_id>")
def show_check_suite(owner: str, name: str, suite_id: int) -> Response:
    repository = api.repository(owner, name, "checks", "read")
    return _suite(api.hub().checks.find_suite(repository, suite_id))


@blueprint.post("/repos/<owner>/<name>/check-suites/<int:suite_id>/rerequest")
def rerequest_check_suite(owner: str, name: str, suite_id: int) -> Response:
    repository = _repository_for_rerequest(owner, name)
    suite = api.hub().checks.find_suite(repository, suite_id)
    actor = api.actor()
    if actor.app is not None and actor.app is not suite.app:
        raise not_found()
    api.hub().checks.rerequest_suite(suite, api.writer())
    return api.answer({}, 201)
