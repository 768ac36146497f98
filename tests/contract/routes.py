"""The REST routes that localhub serves, read from the application.

Each has a sample path, so that it can be matched like a request. Pages, git and the routes of
localhub's own runner are left out.
"""

import re
from pathlib import Path

from bot.localhub.app import INTERNAL_PREFIX, create_app
from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from tests.contract.operations import best_template

_NOT_REST = {"views", "app_pages", "edit_pages", "git_http", "graphql"}

# Routes of GitHub that its description lacks: pages of the web flow, and two well-known addresses;
# and those that were not in it when the slice was cut. The next cut takes these along.
UNDESCRIBED = {
    "/repositories/{id}": "where GitHub redirects to from a repository's old names",
    "/repos/{owner}/{repo}/rulesets": "REST, Rules: cut before",
    "/repos/{owner}/{repo}/rulesets/{ruleset_id}": "REST, Rules: cut before",
    "/repos/{owner}/{repo}/branches/{branch}/protection": "REST, Protected branches: cut before",
    "/repos/{owner}/{repo}/activity": "REST, Repositories: cut before",
    "/repos/{owner}/{repo}/actions/permissions": "REST, Actions permissions: cut before",
    "/repos/{owner}/{repo}/pulls/comments": "REST, Review comments: cut before",
    "/repos/{owner}/{repo}/pulls/comments/{comment_id}": "REST, Review comments: cut before",
    "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions": "REST, Reactions: cut before",
    "/repos/{owner}/{repo}/pulls/{pull_number}/comments": "REST, Review comments: cut before",
    "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies": (
        "REST, Review comments: cut before"
    ),
    "/repos/{owner}/{repo}/dispatches": "REST, Repositories: cut before",
    "/repos/{owner}/{repo}/statuses/{ref}": "where the `statuses_url` of every repository leads",
}


def is_undescribed(path: str) -> bool:
    """Whether GitHub serves this and does not describe it."""
    return best_template(UNDESCRIBED, path) is not None


def served_routes(folder: Path) -> list[tuple[frozenset[str], str]]:
    """Every REST route as (methods, a path of it)."""
    with Hub(folder) as hub:
        service = actions_of(hub)
        try:
            app = create_app(hub, [extension(service)])
        finally:
            service.close()
    found: list[tuple[frozenset[str], str]] = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in _NOT_REST or rule.rule.startswith(INTERNAL_PREFIX):
            continue
        path = re.sub(r"<int:\w+>", "1", rule.rule)
        path = re.sub(r"<(?:path:)?\w+>", "x", path)
        found.append((frozenset((rule.methods or set()) - {"HEAD", "OPTIONS"}), path.rstrip("/")))
    return found
