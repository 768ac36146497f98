"""What other Apps report of a commit: check runs, and statuses where no check run has the name."""

import pytest

from bot.adapters.github.check_reads import _Run
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.ids import Sha
from bot.core.values.seen_check import CheckEnding
from tests.adapters.hub_stage import PERMISSIONS, HubStage


def _grant(stage: HubStage, **permissions: str) -> None:
    app = stage.hub.state.apps[stage.app_id]
    app.permissions = {**PERMISSIONS, **permissions}
    stage.hub.state.installations[int(stage.installation)].permissions = dict(app.permissions)


def test_check_runs_are_read_with_their_app(stage: HubStage) -> None:
    sha = stage.head()
    text = CheckRunText(name="ci", conclusion=Conclusion.FAILURE, title="Red", summary="Red.")
    stage.forge.create_check_run(stage.facts, sha, "x", text)
    (seen,) = stage.forge.checks(stage.facts, sha, ["ci"])
    assert (seen.app_id, seen.app_slug) == (stage.app_id, "headgate")
    assert (seen.ending, seen.said) == (CheckEnding.RED, "failure")
    assert stage.forge.checks(stage.facts, sha, ["lint"]) == ()


def test_statuses_are_read_if_the_app_may_see_them(stage: HubStage) -> None:
    sha = stage.head()
    stage.as_person("ada", f"/statuses/{sha}", {"state": "success", "context": "ci"})
    assert stage.forge.checks(stage.facts, sha, ["ci"]) == ()
    _grant(stage, statuses="read")
    (seen,) = stage.forge.checks(stage.facts, sha, ["ci"])
    assert (seen.name, seen.app_id, seen.ending) == ("ci", 0, CheckEnding.GREEN)


def test_an_unknown_commit_has_no_checks(stage: HubStage) -> None:
    assert stage.forge.checks(stage.facts, Sha("1" * 40), ["ci"]) == ()


@pytest.mark.parametrize(
    ("status", "conclusion", "ending"),
    [
        ("queued", None, CheckEnding.PENDING),
        ("in_progress", None, CheckEnding.PENDING),
        ("completed", "success", CheckEnding.GREEN),
        ("completed", "failure", CheckEnding.RED),
        ("completed", "timed_out", CheckEnding.RED),
        ("completed", "action_required", CheckEnding.RED),
        ("completed", "neutral", CheckEnding.NOT_RUN),
        ("completed", "skipped", CheckEnding.NOT_RUN),
        ("completed", "cancelled", CheckEnding.NOT_RUN),
        ("completed", "stale", CheckEnding.NOT_RUN),
        ("completed", "a_word_of_next_year", CheckEnding.NOT_RUN),
    ],
)
def test_only_success_is_green(status: str, conclusion: str | None, ending: CheckEnding) -> None:
    run = _Run(name="ci", status=status, conclusion=conclusion)
    assert run.to_value().ending is ending
