"""Everything that localhub serves is documented by GitHub, and matches the description."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.localhub.github_json import Json
from bot.localhub.traffic import ObservedExchange, subscribe, unsubscribe
from tests.contract.description import description
from tests.contract.routes import is_undescribed, served_routes
from tests.contract.tour import Tour
from tests.localhub.kit import served_box


class Census:
    """Counts successful requests."""

    def __init__(self) -> None:
        self.operations: set[str] = set()
        self.webhooks: set[str] = set()

    def on_exchange(self, exchange: ObservedExchange) -> None:
        if exchange.status < 400:
            self.operations.add(description().operation(exchange.method, exchange.path)[0])

    def on_webhook(self, event: str, payload: Json) -> None:
        action = payload.get("action")
        self.webhooks.add(f"{event}.{action}" if action else event)


@pytest.fixture
def census() -> Iterator[Census]:
    """Counts while a test runs."""
    census = Census()
    subscribe(census)
    yield census
    unsubscribe(census)


# The webhooks of the tour; `requested_action` and `installation.suspend` have no REST route.
EVENTS = {
    "check_run.completed",
    "check_run.created",
    "check_run.rerequested",
    "check_suite.completed",
    "check_suite.requested",
    "check_suite.rerequested",
    "commit_comment.created",
    "create",
    "delete",
    "installation.created",
    "installation.deleted",
    "issue_comment.created",
    "issue_comment.deleted",
    "issue_comment.edited",
    "issue_dependencies.blocked_by_added",
    "issue_dependencies.blocked_by_removed",
    "issue_dependencies.blocking_added",
    "issue_dependencies.blocking_removed",
    "issues.assigned",
    "issues.closed",
    "issues.edited",
    "issues.labeled",
    "issues.locked",
    "issues.opened",
    "issues.reopened",
    "issues.unassigned",
    "issues.unlabeled",
    "issues.unlocked",
    "label.created",
    "label.deleted",
    "label.edited",
    "pull_request.closed",
    "pull_request.edited",
    "pull_request.opened",
    "pull_request.reopened",
    "pull_request_review.submitted",
    "pull_request_review_comment.created",
    "push",
    "status",
    "sub_issues.parent_issue_added",
    "sub_issues.parent_issue_removed",
    "sub_issues.sub_issue_added",
    "sub_issues.sub_issue_removed",
    "workflow_job.completed",
    "workflow_job.queued",
    "workflow_run.completed",
    "workflow_run.requested",
}


def test_every_operation_and_every_webhook_is_as_github_describes_it(
    tmp_path: Path, census: Census
) -> None:
    wanted = {
        description().operation(method, path)[0]
        for methods, path in served_routes(tmp_path / "routes")
        for method in methods
        if description().operation(method, path)[0]
    }
    with served_box(tmp_path) as box:
        tour = Tour(box)
        try:
            tour.go()
        finally:
            tour.close()
    assert wanted - census.operations == set()
    assert EVENTS - census.webhooks == set()


def test_every_served_route_is_documented_by_github(tmp_path: Path) -> None:
    unknown = [
        f"{method} {path}"
        for methods, path in served_routes(tmp_path)
        for method in methods
        if not is_undescribed(path) and not description().operation(method, path)[0]
    ]
    assert unknown == []
