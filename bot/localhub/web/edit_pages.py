"""Pages on which a person writes a new file, and merges a pull."""

from flask import Blueprint, render_template, request

from bot.localhub.errors import ApiError, not_found
from bot.localhub.merging import FileWrite, MergeRequest
from bot.localhub.model import Repository, Role
from bot.localhub.routes import api
from bot.localhub.rule_model import MergeMethod
from bot.localhub.web.app_pages import Page, missing_page, send_to, signed_in, the_person
from bot.localhub.web.views import branch_and_path

blueprint = Blueprint("edit_pages", __name__)
blueprint.register_error_handler(ApiError, missing_page)


def _writable(owner: str, name: str) -> Repository:
    """The repository, where the person may write; GitHub offers others a fork."""
    repository = api.hub().repository(f"{owner}/{name}")
    account = the_person().account
    if account is None or not api.hub().access.has_role(account, repository, Role.WRITE):
        raise not_found()
    return repository


@blueprint.get("/<owner>/<name>/new/<path:place>")
@signed_in
def new_file(owner: str, name: str, place: str) -> Page:
    repository = _writable(owner, name)
    branch, folder = _branch(repository, place)
    given = request.args.get("filename", "")
    path = f"{folder}/{given}" if folder else given
    return _form(repository, branch, path, request.args.get("value", ""))


def _branch(repository: Repository, place: str) -> tuple[str, str]:
    branch, folder = branch_and_path(repository, place)
    if f"refs/heads/{branch}" not in repository.refs:
        raise not_found()
    return branch, folder


def _form(repository: Repository, branch: str, path: str, value: str, problem: str = "") -> str:
    return render_template(
        "new_file.html",
        repository=repository,
        branch=branch,
        path=path,
        value=value,
        problem=problem,
        open_issues=0,
        open_pulls=0,
    )


@blueprint.post("/<owner>/<name>/new/<path:place>")
@signed_in
def create_file(owner: str, name: str, place: str) -> Page:
    repository = _writable(owner, name)
    branch, _ = _branch(repository, place)
    path = request.form.get("filename", "").strip().strip("/")
    # A form sends lines as CR LF; the file gets what was shown.
    value = request.form.get("value", "").replace("\r\n", "\n")
    if not path:
        return _form(repository, branch, path, value, "Name your file."), 422
    tip = repository.refs[f"refs/heads/{branch}"]
    if repository.git.entry(tip, path) is not None:
        problem = "A file with the same name already exists."
        return _form(repository, branch, path, value, problem), 422
    message = request.form.get("message") or f"Create {path.rpartition('/')[2]}"
    write = FileWrite(path, value.encode(), message, branch)
    try:
        api.hub().merging.write_file(repository, the_person(), write)
    except ApiError as error:
        return _form(repository, branch, path, value, error.message), 422
    return send_to(f"/{repository.full_name}/tree/{branch}")


@blueprint.post("/<owner>/<name>/pull/<int:number>/merge")
@signed_in
def merge(owner: str, name: str, number: int) -> Page:
    repository = _writable(owner, name)
    issue, pull = api.hub().pulls.find(repository, number)
    asked = MergeRequest(MergeMethod.MERGE, request.form.get("head_sha"))
    api.hub().merging.merge_pull(issue, pull, the_person(), asked)
    return send_to(f"/{repository.full_name}/pull/{number}")
