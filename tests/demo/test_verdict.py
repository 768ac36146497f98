"""The verdict finds mistakes: each test plants one fault in a sound repository."""

from pathlib import Path

import pytest

from bot.core.values.ids import Sha
from bot.demo.verdict import (
    BOT,
    editors_of,
    history_problems,
    landing_problems,
    ledger_problems,
    main_line,
    own_test_problems,
    published_ledger,
    verdict_problems,
)
from tests.demo.team import Team, change, founded


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return founded(tmp_path)


def problems(team: Team) -> list[str]:
    """What a fresh clone tells of main and the ledger."""
    clone = team.clone()
    line = main_line(clone)
    return history_problems(line) + ledger_problems(line, published_ledger(clone))


def test_a_sound_repository_has_no_problem(team: Team) -> None:
    assert problems(team) == []
    ledger = published_ledger(team.clone())
    assert landing_problems([change(Sha(str(team.lines[-1]["sha"])))], ledger) == []


def test_a_commit_pushed_behind_our_back_is_noticed(team: Team) -> None:
    sha = team.commit("till.sh", "false\n")
    assert problems(team) == [f"{sha[:12]} (Write till.sh) has 0 lines"]


def test_a_deleted_line_of_the_ledger_is_noticed(team: Team) -> None:
    lost = team.lines.pop(1)
    team.publish()
    found = problems(team)
    assert f"{str(lost['sha'])[:12]} (Write specs/till.md) has 0 lines" in found
    assert any(problem.startswith("the ledger is broken") for problem in found)


def test_a_deleted_last_line_is_noticed(team: Team) -> None:
    lost = team.lines.pop()
    team.publish()
    assert problems(team) == [f"{str(lost['sha'])[:12]} (Write till.sh) has 0 lines"]


def test_a_missing_ledger_is_noticed(team: Team) -> None:
    team.git("push", "-q", "origin", ":refs/headgate/ledger")
    assert problems(team) == ["there is no published ledger that begins at the installation"]


def test_an_invalid_ledger_is_rejected(team: Team) -> None:
    team.lines[0]["kind"] = "forged"
    team.publish()
    assert published_ledger(team.clone()) is None


def test_a_tree_that_differs_from_the_ledger_is_a_problem(team: Team) -> None:
    team.lines[2]["tree"] = team.lines[0]["tree"]
    team.publish()
    assert problems(team) == [
        f"{str(team.lines[2]['sha'])[:12]} has a different tree in the ledger"
    ]


def test_a_ledger_line_for_a_commit_missing_on_main_is_a_problem(team: Team) -> None:
    sha = team.commit("more.sh", "true\n", author=BOT)
    team.enter("landed", sha, "till@12345678/more")
    team.publish()
    team.git("reset", "-q", "--hard", "HEAD~1")
    team.git("push", "-q", "-f", "origin", "main")
    assert problems(team) == [f"the ledger has {sha[:12]}, which is not on main"]


def test_a_persons_commit_entered_as_landed_is_noticed(team: Team) -> None:
    sha = team.commit("till.sh", "false\n")
    team.enter("landed", sha, "till@12345678/more")
    team.publish()
    assert problems(team) == [f"{sha[:12]} by marta is in the ledger as landed"]


def test_a_landing_without_gates_is_noticed(team: Team) -> None:
    team.lines[2]["gates"] = []
    team.publish()
    assert problems(team) == [
        f"{str(team.lines[2]['sha'])[:12]} landed without a change or without gates"
    ]


def test_a_merge_on_main_is_noticed(team: Team) -> None:
    team.git("checkout", "-q", "-b", "side")
    (team.work / "side.txt").write_text("side\n")
    team.git("add", "-A")
    team.git("commit", "-q", "-m", "Side")
    team.git("checkout", "-q", "main")
    team.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    team.git("push", "-q", "origin", "main")
    line = main_line(team.clone())
    assert history_problems(line) == [
        f"main's history is not linear: {line[-1].sha[:12]} is a merge"
    ]


def test_a_change_that_did_not_land_is_named_with_its_reason(team: Team) -> None:
    ledger = published_ledger(team.clone())
    assert landing_problems([change(None, "print")], ledger) == [
        "print has not landed: failed: After 3 attempts: gate test failed."
    ]


def test_a_change_that_landed_elsewhere_is_noticed(team: Team) -> None:
    ledger = published_ledger(team.clone())
    sha = Sha(str(team.lines[0]["sha"]))
    assert landing_problems([change(sha)], ledger) == [
        f"till is not in the ledger as landed at {sha[:12]}"
    ]


def test_a_demo_without_a_landing_is_not_a_success() -> None:
    assert landing_problems([], ()) == ["nothing landed"]


def test_a_landed_commit_needs_our_green_verdict() -> None:
    found = verdict_problems({"till": "success", "print": "failure", "report": ""})
    assert found == [
        "print landed at a commit whose headgate/verdict is failure",
        "report landed at a commit whose headgate/verdict is missing",
    ]


def test_mains_own_tests_are_run_on_mains_own_tree(team: Team) -> None:
    tests = ("sh", "till.sh")
    assert own_test_problems(team.clone(), tests) == []
    team.commit("till.sh", "echo the till is broken; exit 1\n")
    assert own_test_problems(team.clone(), tests) == ["main's own tests fail: the till is broken"]


def test_only_our_own_commits_count_as_editors_of_a_file(team: Team) -> None:
    team.commit("till.sh", "true; true\n")
    assert editors_of(team.clone(), "till.sh") == 1
