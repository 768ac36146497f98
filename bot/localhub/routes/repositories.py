"""Routes of repositories: facts, branches, rules, collaborators and labels."""

from urllib.parse import unquote

from flask import Blueprint, Response

from bot.localhub.errors import ApiError, invalid, not_found
from bot.localhub.github_json import Json
from bot.localhub.issues import LABEL_NAME_MAX
from bot.localhub.model import Account, Label, Repository, Role
from bot.localhub.request_body import Body
from bot.localhub.routes import api
from bot.localhub.rule_model import ContentRule, ContentRuleKind, RefRule, Ruleset
from bot.localhub.rules import required_checks, rulesets_for
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.commits import commit_shape
from bot.localhub.shapes.issues import label_shape
from bot.localhub.shapes.repositories import (
    full_repository_shape,
    repository_html_url,
    repository_url,
)

blueprint = Blueprint("repositories", __name__)

# The value of `permission` for each role; it has four values.
_LEGACY = {
    Role.READ: "read",
    Role.TRIAGE: "read",
    Role.WRITE: "write",
    Role.MAINTAIN: "write",
    Role.ADMIN: "admin",
}
# What each of them asks for; no test wants another.
_WITH_PARAMETERS: dict[RefRule, Json] = {
    RefRule.REQUIRED_DEPLOYMENTS: {"required_deployment_environments": ["production"]},
    RefRule.WORKFLOWS: {"workflows": [{"path": ".github/workflows/ci.yml", "repository_id": 1}]},
    RefRule.CODE_SCANNING: {
        "code_scanning_tools": [
            {
                "tool": "CodeQL",
                "alerts_threshold": "errors",
                "security_alerts_threshold": "high_or_higher",
            }
        ]
    },
}


@blueprint.get("/repos/<owner>/<name>")
def show_repository(owner: str, name: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "metadata", "read")
    shape = full_repository_shape(hub.state, repository)
    account = api.actor().account
    if account is not None:
        shape["permissions"] = _permissions(account, repository)
    return api.answer(shape)


@blueprint.post("/repos/<owner>/<name>/forks")
def fork_repository(owner: str, name: str) -> Response:
    hub = api.hub()
    parent = api.repository(owner, name, "metadata", "read")
    asked = api.body("Repository")
    fork = hub.forks.create(parent, api.actor(), asked.maybe_text("name"))
    return api.answer(full_repository_shape(hub.state, fork), 202)


def _permissions(account: Account, repository: Repository) -> Json:
    access = api.hub().access
    return {
        word: access.has_role(account, repository, role)
        for word, role in (
            ("admin", Role.ADMIN),
            ("maintain", Role.MAINTAIN),
            ("push", Role.WRITE),
            ("triage", Role.TRIAGE),
            ("pull", Role.READ),
        )
    }


@blueprint.get("/repos/<owner>/<name>/branches")
def list_branches(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "contents", "read")
    prefix = "refs/heads/"
    branches = sorted(ref.removeprefix(prefix) for ref in repository.refs if ref.startswith(prefix))
    return api.paged(branches, lambda branch: _short_branch(repository, branch))


def _short_branch(repository: Repository, branch: str) -> Json:
    sha = repository.refs[f"refs/heads/{branch}"]
    url = repository_url(api.hub().state, repository)
    return {
        "name": branch,
        "commit": {"sha": sha, "url": f"{url}/commits/{sha}"},
        "protected": bool(rulesets_for(repository, branch)),
        "protection": _protection(repository, branch),
        "protection_url": f"{url}/branches/{branch}/protection",
    }


def _protection(repository: Repository, branch: str) -> Json:
    checks = required_checks(repository, branch)
    return {
        "enabled": bool(rulesets_for(repository, branch)),
        "required_status_checks": {
            "enforcement_level": "everyone" if checks else "off",
            "contexts": [check.context for check in checks],
            "checks": [{"context": check.context, "app_id": check.app_id} for check in checks],
        },
    }


@blueprint.get("/repos/<owner>/<name>/branches/<path:branch>")
def show_branch(owner: str, name: str, branch: str) -> Response:
    state = api.hub().state
    repository = api.repository(owner, name, "contents", "read")
    sha = repository.refs.get(f"refs/heads/{branch}")
    if sha is None:
        raise ApiError(404, "Branch not found")
    url = f"{repository_url(state, repository)}/branches/{branch}"
    html = f"{repository_html_url(state, repository)}/tree/{branch}"
    return api.answer(
        {
            **_short_branch(repository, branch),
            "commit": commit_shape(state, repository, repository.git.commit(sha)),
            "_links": {"self": url, "html": html},
        }
    )


# The words of such an answer: ossf/allstar #37, ezyang/ghstack #323.
NEEDS_A_PLAN = "Upgrade to GitHub Pro or make this repository public to enable this feature."


@blueprint.get("/repos/<owner>/<name>/rules/branches/<path:branch>")
def list_branch_rules(owner: str, name: str, branch: str) -> Response:
    repository = api.repository(owner, name, "metadata", "read")
    if not repository.has_rules:
        raise ApiError(403, NEEDS_A_PLAN)
    rules = [
        rule
        for ruleset in rulesets_for(repository, branch)
        for rule in rule_shapes(repository, ruleset)
    ]
    return api.paged(rules, lambda rule: rule)


def _parameters(rule: ContentRule) -> Json:
    match rule.kind:
        case ContentRuleKind.MAX_FILE_SIZE:
            return {"max_file_size": int(rule.value)}
        case ContentRuleKind.MAX_FILE_PATH_LENGTH:
            return {"max_file_path_length": int(rule.value)}
        case ContentRuleKind.FILE_PATH_RESTRICTION:
            return {"restricted_file_paths": [rule.value]}
        case ContentRuleKind.FILE_EXTENSION_RESTRICTION:
            return {"restricted_file_extensions": [rule.value]}
        case _:
            return {"name": "", "negate": False, "operator": "regex", "pattern": rule.value}


def rule_shapes(repository: Repository, ruleset: Ruleset) -> list[Json]:
    source: Json = {
        "ruleset_source_type": "Repository",
        "ruleset_source": repository.full_name,
        "ruleset_id": ruleset.id,
    }
    rules: list[Json] = []
    for rule in sorted(ruleset.rules):
        shape: Json = {"type": rule.value, **source}
        if rule is RefRule.PULL_REQUEST:
            shape["parameters"] = {
                "allowed_merge_methods": sorted(ruleset.merge_methods),
                "dismiss_stale_reviews_on_push": ruleset.dismisses_stale_reviews,
                "require_code_owner_review": ruleset.needs_code_owners,
                "require_last_push_approval": ruleset.needs_last_push,
                "required_approving_review_count": ruleset.approvals_min,
                "required_review_thread_resolution": ruleset.needs_resolution,
            }
        elif rule is RefRule.UPDATE:
            shape["parameters"] = {"update_allows_fetch_and_merge": False}
        elif rule is RefRule.MERGE_QUEUE:
            shape["parameters"] = {
                "check_response_timeout_minutes": 60,
                "grouping_strategy": "ALLGREEN",
                "max_entries_to_build": 5,
                "max_entries_to_merge": 5,
                "merge_method": "MERGE",
                "min_entries_to_merge": 1,
                "min_entries_to_merge_wait_minutes": 5,
            }
        elif rule in _WITH_PARAMETERS:
            shape["parameters"] = _WITH_PARAMETERS[rule]
        rules.append(shape)
    rules += [
        {"type": rule.kind.value, "parameters": _parameters(rule), **source}
        for rule in ruleset.contents
    ]
    if ruleset.required_checks:
        checks = []
        for check in ruleset.required_checks:
            wanted: Json = {"context": check.context}
            if check.app_id is not None:
                wanted["integration_id"] = check.app_id
            checks.append(wanted)
        parameters: Json = {
            "required_status_checks": checks,
            "strict_required_status_checks_policy": False,
        }
        rules.append({"type": "required_status_checks", "parameters": parameters, **source})
    return rules


@blueprint.get("/repos/<owner>/<name>/collaborators")
def list_collaborators(owner: str, name: str) -> Response:
    state = api.hub().state
    repository = api.repository(owner, name, "metadata", "read")
    people = [repository.owner, *(state.account(login) for login in repository.collaborators)]

    def shape(account: Account) -> Json:
        return {
            **account_shape(state, account),
            "permissions": _permissions(account, repository),
            "role_name": _role_name(repository, account),
        }

    return api.paged(people, shape)


@blueprint.get("/repos/<owner>/<name>/collaborators/<login>")
def check_collaborator(owner: str, name: str, login: str) -> Response:
    repository = api.repository(owner, name, "metadata", "read")
    account = api.hub().state.account(login)
    if api.hub().access.role(account, repository) is None:
        raise not_found()
    return api.nothing()


@blueprint.get("/repos/<owner>/<name>/collaborators/<login>/permission")
def show_permission(owner: str, name: str, login: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "metadata", "read")
    account = hub.state.accounts.get(login.lower())
    if account is None:
        raise ApiError(404, f"{login} is not a user")
    role = hub.access.role(account, repository)
    # A public repository is readable by all, a private one by nobody else.
    strangers = "none" if repository.is_private else "read"
    permission = strangers if role is None else _LEGACY[role]
    user = {
        **account_shape(hub.state, account),
        "permissions": _permissions(account, repository),
        "role_name": _role_name(repository, account),
    }
    return api.answer(
        {
            "permission": permission,
            "role_name": _role_name(repository, account),
            "user": user,
        }
    )


def _role_name(repository: Repository, account: Account) -> str:
    role = api.hub().access.role(account, repository)
    if role is not None:
        return role.value
    return "none" if repository.is_private else "read"


@blueprint.get("/repos/<owner>/<name>/labels")
def list_labels(owner: str, name: str) -> Response:
    repository = api.repository(owner, name, "issues", "read")
    held = sorted(repository.labels, key=lambda label: label.name.lower())
    return api.paged(held, lambda label: label_shape(api.hub().state, repository, label))


@blueprint.post("/repos/<owner>/<name>/labels")
def create_label(owner: str, name: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "issues", "write")
    hub.access.require_role(api.actor(), repository, Role.WRITE)
    asked = api.body("Label")
    label = hub.issues.make_label(
        repository,
        api.actor(),
        asked.text("name", LABEL_NAME_MAX),
        _color(asked) or "ededed",
        _description(asked),
    )
    return api.answer(label_shape(hub.state, repository, label), 201)


def _color(asked: Body) -> str | None:
    color = asked.maybe_text("color")
    if color is None:
        return None
    # REST, "Create a label": "without the leading #".
    plain = color.lower()
    if len(plain) != 6 or any(letter not in "0123456789abcdef" for letter in plain):
        raise invalid("Label", "color", "invalid")
    return plain


def _description(asked: Body) -> str | None:
    # GitHub does not cut a description; it refuses one of more than 100 characters.
    return asked.maybe_text("description", 100)


def _label(repository: Repository, label: str) -> Label:
    found = api.hub().issues.label(repository, unquote(label))
    if found is None:
        raise not_found()
    return found


@blueprint.get("/repos/<owner>/<name>/labels/<path:label>")
def show_label(owner: str, name: str, label: str) -> Response:
    repository = api.repository(owner, name, "issues", "read")
    return api.answer(label_shape(api.hub().state, repository, _label(repository, label)))


@blueprint.patch("/repos/<owner>/<name>/labels/<path:label>")
def edit_label(owner: str, name: str, label: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "issues", "write")
    hub.access.require_role(api.actor(), repository, Role.WRITE)
    held = _label(repository, label)
    asked = api.body("Label")
    changed = Label(
        held.id,
        asked.maybe_text("new_name", LABEL_NAME_MAX) or held.name,
        _color(asked) or held.color,
        _description(asked) if "description" in asked else held.description,
    )
    hub.issues.edit_label(repository, api.actor(), held, changed)
    return api.answer(label_shape(hub.state, repository, held))


@blueprint.delete("/repos/<owner>/<name>/labels/<path:label>")
def delete_label(owner: str, name: str, label: str) -> Response:
    hub = api.hub()
    repository = api.repository(owner, name, "issues", "write")
    hub.access.require_role(api.actor(), repository, Role.WRITE)
    hub.issues.delete_label(repository, api.actor(), _label(repository, label))
    return api.nothing()
