"""The pages of accounts, repositories, issues, pulls and commits; `edit_pages` has what writes.

Everybody who can reach the hub sees everything: it listens on loopback and is never used in
production.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from bot.localhub.errors import ApiError, not_found
from bot.localhub.git_diff import commit_files, unified_diff
from bot.localhub.git_store import Commit, TreeEntry
from bot.localhub.model import CheckRun, Issue, Pull, Repository, Role
from bot.localhub.pull_stats import base_tip, commits_of, files_of
from bot.localhub.routes import api
from bot.localhub.sessions import COOKIE
from bot.localhub.state import ACTIONS_APP_ID
from bot.localhub.web.app_pages import missing_page
from bot.localhub.web.markdown import render

blueprint = Blueprint("views", __name__)
blueprint.register_error_handler(ApiError, missing_page)

# A long history is cut on pages; the REST API has the rest.
COMMITS_SHOWN = 100
FILE_SHOWN_MAX = 500_000


@dataclass(frozen=True)
class _CheckLine:
    run: CheckRun
    summary: Markup


@blueprint.app_template_filter("markdown")
def _markdown(text: str | None, repository: Repository) -> Markup:
    # `render` escapes everything that it does not create itself.
    return Markup(render(text or "", f"/{repository.full_name}"))  # noqa: S704


def _repository(owner: str, name: str) -> Repository:
    return api.hub().repository(f"{owner}/{name}")


def _page(template: str, repository: Repository, **values: object) -> str:
    open_issues = [held for held in list(repository.issues.values()) if held.state == "open"]
    return render_template(
        template,
        repository=repository,
        open_issues=sum(1 for held in open_issues if held.pull is None),
        open_pulls=sum(1 for held in open_issues if held.pull is not None),
        **values,
    )


@blueprint.get("/")
def show_home() -> str:
    repositories = sorted(
        api.hub().state.repositories.values(), key=lambda held: held.full_name.lower()
    )
    return render_template("home.html", repositories=repositories, title="localhub")


@blueprint.get("/<owner>")
def show_account(owner: str) -> str:
    account = api.hub().account(owner)
    every = list(api.hub().state.repositories.values())
    held = [repository for repository in every if repository.owner is account]
    return render_template("home.html", repositories=held, title=account.login)


@blueprint.get("/<owner>/<name>")
def show_repository(owner: str, name: str) -> str:
    repository = _repository(owner, name)
    return _tree(repository, repository.default_branch, "")


@blueprint.get("/<owner>/<name>/tree/<path:place>")
def show_tree(owner: str, name: str, place: str) -> str:
    repository = _repository(owner, name)
    return _tree(repository, *branch_and_path(repository, place))


def branch_and_path(repository: Repository, place: str) -> tuple[str, str]:
    """A ref and a path from `ref/path`, where either may contain slashes."""
    words = place.strip("/").split("/")
    for length in range(len(words), 0, -1):
        ref = "/".join(words[:length])
        if f"refs/heads/{ref}" in repository.refs or f"refs/tags/{ref}" in repository.refs:
            return ref, "/".join(words[length:])
    return words[0], "/".join(words[1:])


def _tree(repository: Repository, ref: str, path: str) -> str:
    git = repository.git
    sha = api.hub().refs.resolve(repository, ref)
    if sha is None:
        if repository.refs:
            raise not_found()
        return _page(
            "tree.html", repository, ref=ref, path=path, entries=[], readme=None, commit=None
        )
    entry = git.entry(sha, path)
    if entry is None or entry.type != "tree":
        raise not_found()
    entries = sorted(git.tree(f"{sha}:{path}"), key=lambda held: (held.type != "tree", held.path))
    readme = next((held for held in entries if held.path.lower() == "readme.md"), None)
    return _page(
        "tree.html",
        repository,
        ref=ref,
        path=path,
        entries=entries,
        readme=_text(repository, readme) if readme is not None else None,
        commit=git.commit(sha),
    )


def _text(repository: Repository, entry: TreeEntry) -> str:
    return repository.git.blob(entry.sha)[:FILE_SHOWN_MAX].decode(errors="replace")


def _file(owner: str, name: str, place: str) -> tuple[Repository, str, str, TreeEntry]:
    repository = _repository(owner, name)
    ref, path = branch_and_path(repository, place)
    sha = api.hub().refs.resolve(repository, ref)
    entry = None if sha is None else repository.git.entry(sha, path)
    if entry is None or entry.type != "blob":
        raise not_found()
    return repository, ref, path, entry


@blueprint.get("/<owner>/<name>/blob/<path:place>")
def show_file(owner: str, name: str, place: str) -> str:
    repository, ref, path, entry = _file(owner, name, place)
    return _page("file.html", repository, ref=ref, path=path, text=_text(repository, entry))


@blueprint.get("/<owner>/<name>/raw/<path:place>")
def show_raw(owner: str, name: str, place: str) -> Response:
    repository, _, _, entry = _file(owner, name, place)
    # Never as HTML: a repository's file must not run as a page of the hub.
    return Response(repository.git.blob(entry.sha), content_type="text/plain; charset=utf-8")


@blueprint.get("/<owner>/<name>/commits")
@blueprint.get("/<owner>/<name>/commits/<path:ref>")
def show_commits(owner: str, name: str, ref: str = "") -> str:
    repository = _repository(owner, name)
    wanted = ref or repository.default_branch
    sha = api.hub().refs.resolve(repository, wanted)
    listed: list[str] = []
    if sha is not None:
        options = ["--first-parent", "-n", str(COMMITS_SHOWN)]
        listed = repository.git.commit_list([sha], options)
    return _page("commits.html", repository, ref=wanted, commits=_commits(repository, listed))


def _commits(repository: Repository, shas: Sequence[str]) -> list[Commit]:
    return [repository.git.commit(sha) for sha in shas]


@blueprint.get("/<owner>/<name>/commit/<sha>")
def show_commit(owner: str, name: str, sha: str) -> str:
    repository = _repository(owner, name)
    full = repository.git.commit_sha(sha)
    if full is None:
        raise not_found()
    return _page(
        "commit.html",
        repository,
        commit=repository.git.commit(full),
        files=commit_files(repository.git, full),
        checks=_checks(repository, full),
        comments=api.hub().commit_comments.on_commit(repository, full),
    )


@blueprint.get("/<owner>/<name>/compare/<path:basehead>")
def show_comparison(owner: str, name: str, basehead: str) -> Response:
    repository = _repository(owner, name)
    one, _, other = basehead.partition("...")
    before = api.hub().refs.resolve(repository, one)
    after = api.hub().refs.resolve(repository, other)
    if before is None or after is None:
        raise not_found()
    text = unified_diff(repository.git, before, after)
    return Response(text, content_type="text/plain; charset=utf-8")


def _checks(repository: Repository, sha: str) -> list[_CheckLine]:
    newest: dict[tuple[int, str], CheckRun] = {}
    for run in list(repository.check_runs.values()):
        if run.suite.head_sha == sha:
            newest[run.suite.id, run.name] = run
    return [_CheckLine(run, _markdown(run.summary, repository)) for run in newest.values()]


@blueprint.get("/<owner>/<name>/issues")
def show_issues(owner: str, name: str) -> str:
    repository = _repository(owner, name)
    found = [issue for issue in reversed(list(repository.issues.values())) if issue.pull is None]
    return _page("issues.html", repository, issues=found, kind="issues")


@blueprint.get("/<owner>/<name>/pulls")
def show_pulls(owner: str, name: str) -> str:
    repository = _repository(owner, name)
    found = [issue for issue in reversed(list(repository.issues.values())) if issue.pull]
    return _page("issues.html", repository, issues=found, kind="pull")


@blueprint.get("/<owner>/<name>/issues/<int:number>")
def show_issue(owner: str, name: str, number: int) -> str:
    repository = _repository(owner, name)
    issue = api.hub().issues.find(repository, number)
    if issue.pull is not None:
        return show_pull(owner, name, number)
    return _page("issue.html", repository, issue=issue)


@blueprint.get("/<owner>/<name>/pull/<int:number>")
def show_pull(owner: str, name: str, number: int) -> str:
    repository = _repository(owner, name)
    issue, pull = api.hub().pulls.find(repository, number)
    return _page(
        "pull.html",
        repository,
        issue=issue,
        pull=pull,
        commits=_commits(repository, commits_of(issue, pull)),
        checks=_checks(repository, pull.head_sha),
        files=files_of(issue, pull),
        may_merge=issue.state == "open" and _may_write(repository),
    )


def _may_write(repository: Repository) -> bool:
    actor = api.hub().sessions.actor(request.cookies.get(COOKIE))
    account = None if actor is None else actor.account
    return account is not None and api.hub().access.has_role(account, repository, Role.WRITE)


@blueprint.get("/<owner>/<name>/pull/<int:number>.diff")
def show_pull_diff(owner: str, name: str, number: int) -> Response:
    issue, pull = api.hub().pulls.find(_repository(owner, name), number)
    return Response(_diff(issue, pull), content_type="text/plain; charset=utf-8")


def _diff(issue: Issue, pull: Pull) -> str:
    git = issue.repository.git
    base = base_tip(issue.repository, pull, issue.state)
    return unified_diff(git, git.merge_base(base, pull.head_sha) or base, pull.head_sha)


@blueprint.get("/<owner>/<name>/runs/<int:run_id>")
def show_check_run(owner: str, name: str, run_id: int) -> str:
    repository = _repository(owner, name)
    run = api.hub().checks.find(repository, run_id)
    return _page("check_run.html", repository, run=run)


@blueprint.get("/<owner>/<name>/actions")
def show_actions(owner: str, name: str) -> str:
    repository = _repository(owner, name)
    return _page("actions.html", repository, runs=_jobs(repository), workflow_run=None)


@blueprint.get("/<owner>/<name>/actions/runs/<int:workflow_run>")
@blueprint.get("/<owner>/<name>/actions/runs/<int:workflow_run>/<path:rest>")
def show_workflow_run(owner: str, name: str, workflow_run: int, rest: str = "") -> str:
    repository = _repository(owner, name)
    place = f"/actions/runs/{workflow_run}/"
    found = [run for run in _jobs(repository) if place in f"{run.details_url}/"]
    if not found:
        raise not_found()
    return _page("actions.html", repository, runs=found, workflow_run=workflow_run)


def _jobs(repository: Repository) -> list[CheckRun]:
    every = reversed(list(repository.check_runs.values()))
    return [run for run in every if run.suite.app.id == ACTIONS_APP_ID]
