"""Routes that show rulesets, the classic protection of a branch, and the settings of Actions.

A ruleset tells the caller whether they may bypass it. It does not name who else may: GitHub shows that
only to those who may write the ruleset. Classic protection is not served: a branch without it answers 404.
"""

from flask import Blueprint, Response

from bot.localhub.errors import ApiError, not_found
from bot.localhub.github_json import Json
from bot.localhub.model import Actor, Repository
from bot.localhub.routes import api
from bot.localhub.routes.repositories import NEEDS_A_PLAN, rule_shapes
from bot.localhub.rule_model import PUSH_KINDS, Ruleset
from bot.localhub.shapes.repositories import repository_url

blueprint = Blueprint("rulesets", __name__)


@blueprint.get("/repos/<owner>/<name>/rulesets")
def list_rulesets(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "metadata", "read")
    if not repository.has_rules:
        raise ApiError(403, NEEDS_A_PLAN)
    return api.paged(list(repository.rulesets), lambda one: _brief(repository, one))


@blueprint.get("/repos/<owner>/<name>/rulesets/<int:ruleset_id>")
def show_ruleset(owner: str, name: str, ruleset_id: int) -> Response:
    repository = api.repository(owner, name, "metadata", "read")
    found = next((one for one in repository.rulesets if one.id == ruleset_id), None)
    if found is None:
        raise not_found()
    shape = _brief(repository, found)
    shape["current_user_can_bypass"] = _bypass(found, api.actor())
    refs = [one if one.startswith("~") else f"refs/heads/{one}" for one in found.branches]
    if not _is_of_pushes(found):
        shape["conditions"] = {"ref_name": {"include": refs, "exclude": []}}
    shape["rules"] = [
        {key: value for key, value in rule.items() if not key.startswith("ruleset_")}
        for rule in rule_shapes(repository, found)
    ]
    return api.answer(shape)


def _brief(repository: Repository, ruleset: Ruleset) -> Json:
    url = f"{repository_url(api.hub().state, repository)}/rulesets/{ruleset.id}"
    return {
        "id": ruleset.id,
        "name": ruleset.name,
        "target": "push" if _is_of_pushes(ruleset) else "branch",
        "source_type": "Repository",
        "source": repository.full_name,
        "enforcement": "active",
        "_links": {"self": {"href": url}},
    }


def _is_of_pushes(ruleset: Ruleset) -> bool:
    kinds = {rule.kind for rule in ruleset.contents}
    return bool(kinds) and kinds <= PUSH_KINDS and not ruleset.rules


def _bypass(ruleset: Ruleset, actor: Actor) -> str:
    is_exempt = actor.app is not None and actor.app.id in ruleset.bypass_app_ids
    return "always" if is_exempt else "never"


@blueprint.get("/repos/<owner>/<name>/branches/<path:branch>/protection")
def show_protection(owner: str, name: str, branch: str) -> Response:
    repository = api.repository(owner, name, "administration", "read")
    if not repository.has_rules:
        raise ApiError(403, NEEDS_A_PLAN)
    is_there = f"refs/heads/{branch}" in repository.refs
    raise ApiError(404, "Branch not protected" if is_there else "Branch not found")


@blueprint.get("/repos/<owner>/<name>/actions/permissions")
def show_actions_permissions(owner: str, name: str) -> Response:
    api.repository(owner, name, "administration", "read")
    return api.answer({"enabled": True, "allowed_actions": "all", "sha_pinning_required": False})
