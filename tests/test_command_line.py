"""The command line for people: help, exit codes, JSON, and error sentences."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import typer

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.tables import events
from bot.core.journal.events import BranchServed, PolicyRead, PullQueued, RulesRead
from bot.core.spec.policy_file import Landing
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.rules import BranchRule, Bypass, RepositoryRules, RuleKind
from bot.entry.cli import app
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, heard
from tests.testkit.forked import Program, run_forked

ROOT = Path(__file__).parents[1]

SPEC = """\
# Spec: A till

## Requirements

### REQ-TILL-01: Sum up
The till SHALL sum up the prices of a basket.

#### Scenario: Two things
- **WHEN** two things are in the basket
- **THEN** the sum is the sum of both prices
"""

DELTA = """\
## ADDED Requirements

### Requirement: Print a receipt
The till SHALL print what it summed up.

#### Scenario: A receipt
- **WHEN** the till has summed up
- **THEN** the receipt shows the sum
"""

MAIN = """\
# till Specification

## Purpose
What the till does for the people at the counter, every day of the week.

## Requirements

### Requirement: Sum up
The till SHALL sum up the prices of a basket.

#### Scenario: Two things
- **WHEN** two things are in the basket
- **THEN** the sum is the sum of both prices
"""


def headgate(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    environment = {
        **{"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(cwd)},
        **{"HEADGATE_VAR": str(cwd / "var"), "COLUMNS": "120", **environment},
    }
    return run_forked(Program("bot.entry.cli", arguments, cwd, environment), 60)


def test_help_describes_every_command(tmp_path: Path) -> None:
    said = headgate("--help", cwd=tmp_path, COLUMNS="80").stdout

    named = re.findall(r"^  ([a-z]+)  ", said, re.MULTILINE)
    assert sorted(named) == sorted(vars(typer.main.get_command(app))["commands"])
    # Each stands in the section of its purpose, and no sentence is cut.
    assert "\nSet up:\n" in said
    assert "\nCommands:\n" not in said
    assert "..." not in said.partition("\n")[2]
    assert max(map(len, said.splitlines())) <= 80


def test_a_plan_can_be_read_by_programs(tmp_path: Path) -> None:
    (tmp_path / "till.md").write_text(SPEC)
    done = headgate("plan", "till.md", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert [c["requirements"] for c in shown["plan"]["changes"]] == [
        [r["id"] for r in shown["requirements"]]
    ]


def test_a_missing_path_is_a_usage_error(tmp_path: Path) -> None:
    done = headgate("plan", "nowhere.md", cwd=tmp_path)
    assert done.returncode == 2
    assert "nowhere.md" in done.stderr


def test_a_text_without_requirements_is_refused_and_none_are_invented(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nWe met on Monday.\n")
    done = headgate("plan", "notes.md", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["requirements"] == []


def test_a_spec_is_shown_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "till.md").write_text(SPEC)
    shown = json.loads(headgate("spec", "show", "till.md", "--json", cwd=tmp_path).stdout)
    requirement = shown[0]["requirements"][0]
    assert requirement["source_id"] == "REQ-TILL-01"
    assert (requirement["line_start"], requirement["scenarios"][0]["line_start"]) == (5, 8)


def test_two_versions_of_a_spec_are_compared_by_requirement(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text(SPEC)
    (tmp_path / "new.md").write_text(SPEC.replace("prices of a basket", "prices of a cart"))
    done = headgate("spec", "diff", "old.md", "new.md", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["changed"] == ["REQ-TILL-01"]
    assert headgate("spec", "diff", "old.md", "old.md", cwd=tmp_path).returncode == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with openspec/, one main spec and one delta folder."""
    main = tmp_path / "openspec" / "specs" / "till" / "spec.md"
    delta = tmp_path / "openspec" / "changes" / "receipts" / "specs" / "till" / "spec.md"
    for place, text in ((main, MAIN), (delta, DELTA)):
        place.parent.mkdir(parents=True)
        place.write_text(text)
    return tmp_path


def test_a_delta_folder_is_archived_into_the_main_specs(project: Path) -> None:
    done = headgate("spec", "archive", "receipts", "--root", str(project), cwd=project)
    assert done.returncode == 0, done.stdout
    text = (project / "openspec/specs/till/spec.md").read_text()
    assert "### Requirement: Print a receipt" in text
    archived = list((project / "openspec/changes/archive").iterdir())
    assert [a.name.endswith("-receipts") for a in archived] == [True]
    assert not (project / "openspec/changes/receipts").exists()


def test_a_refused_archive_changes_no_file(project: Path) -> None:
    delta = project / "openspec/changes/receipts/specs/till/spec.md"
    delta.write_text(DELTA.replace("ADDED", "MODIFIED"))
    before = {p: p.read_bytes() for p in project.rglob("*.md")}
    done = headgate("spec", "archive", "receipts", "--root", str(project), cwd=project)
    assert done.returncode == 1
    assert "Print a receipt" in done.stdout
    assert {p: p.read_bytes() for p in project.rglob("*.md")} == before


@pytest.mark.parametrize("name", ["", "..", "archive", "no-such-folder", "a/b"])
def test_archive_takes_only_the_name_of_a_delta_folder(project: Path, name: str) -> None:
    done = headgate("spec", "archive", name, "--root", str(project), cwd=project)
    assert done.returncode == 1


def test_the_doctor_reports_missing_parts_and_their_fixes(tmp_path: Path) -> None:
    done = headgate("doctor", "--json", cwd=tmp_path)
    assert done.returncode == 1
    findings = {f["name"]: f for f in json.loads(done.stdout)["findings"]}
    assert findings["GitHub App"]["health"] == "missing"
    assert "HEADGATE_APP_ID" in findings["GitHub App"]["how"]
    assert findings["git"]["health"] == "fine"


def test_the_doctor_shows_where_each_policy_value_comes_from(tmp_path: Path) -> None:
    policy = tmp_path / ".github" / "headgate.yml"
    policy.parent.mkdir()
    policy.write_text("version: 1\nmax_parallel: 5\n")
    shown = json.loads(headgate("doctor", "--json", cwd=tmp_path).stdout)["policy"]
    rows = {row["key"]: row for row in shown}
    assert (rows["max_parallel"]["value"], rows["max_parallel"]["origin"]) == ("5", "line 2")
    assert rows["watch"]["origin"] == "default"


def test_the_doctor_refuses_a_policy_with_an_unknown_key(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yml"
    policy.write_text("max_paralel: 5\n")
    done = headgate("doctor", "--policy", str(policy), cwd=tmp_path)
    assert done.returncode == 1
    assert "max_parallel" in done.stdout


@pytest.mark.parametrize("shape", ["openspec-main", "kiro-no-titles", "german-lastenheft"])
def test_a_spec_of_any_shape_is_planned_with_each_requirement_in_one_change(
    shape: str, tmp_path: Path
) -> None:
    marked = (ROOT / "tests/core/spec/shapes" / f"{shape}.txt").read_text(encoding="utf-8")
    head, _, text = marked.replace(" «R»", "").replace(" «S»", "").partition("\n")
    place = tmp_path / head.removeprefix("@ ")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    done = headgate("plan", str(place), "--json", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    shown = json.loads(done.stdout)
    planned = [r for c in shown["plan"]["changes"] for r in c["requirements"]]
    assert planned
    assert sorted(planned) == sorted(r["id"] for r in shown["requirements"])


def test_a_journal_of_a_newer_release_is_shown_up_to_the_unreadable_event(
    tmp_path: Path,
) -> None:
    (tmp_path / "var").mkdir()
    engine = open_engine(f"sqlite:///{tmp_path}/var/journal.db")
    migrate(engine, open_engine(f"sqlite:///{tmp_path}/var/inbox.db"))
    journal = SqlJournal(engine)
    lease = journal.acquire(REPOSITORY, "w", NOW)
    assert lease is not None
    journal.append(lease, (INSTALLED, heard(5)), NOW)
    with engine.begin() as connection:
        connection.execute(events.update().where(events.c.number == 2).values(version=9))
    engine.dispose()
    sentence = "acme/shop: Event 2 of the journal (CommandHeard, version 9) was written by another"
    done = headgate("journal", "--json", cwd=tmp_path)
    assert (done.returncode, sentence in done.stderr) == (1, True)
    shown = [json.loads(line)["event"]["type"] for line in done.stdout.splitlines()]
    assert shown == ["RepositoryInstalled"]
    findings = json.loads(headgate("doctor", "--json", cwd=tmp_path).stdout)["findings"]
    (found,) = [f for f in findings if f["name"] == "journal"]
    assert (found["health"], sentence in found["says"]) == ("missing", True)
    assert found["how"] == "start the earlier release of Headgate that ran here"


def test_the_queue_is_printed_for_people_and_for_programs(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    engine = open_engine(f"sqlite:///{tmp_path}/var/journal.db")
    migrate(engine, open_engine(f"sqlite:///{tmp_path}/var/inbox.db"))
    journal = SqlJournal(engine)
    lease = journal.acquire(REPOSITORY, "w", NOW)
    assert lease is not None
    queued = PullQueued(
        number=PullNumber(12), head=Sha("a" * 40), title="Mend it", by="ann", queued_at=NOW
    )
    journal.append(lease, (INSTALLED, queued), NOW)
    engine.dispose()
    found = json.loads(headgate("queue", "--json", cwd=tmp_path).stdout)["acme/shop"]
    (shown,) = found["queue"]
    assert found["not_promised"] == []
    assert (shown["entry"], shown["place"], shown["waits_for"]) == ("pull:12", 1, "build")
    said = headgate("queue", cwd=tmp_path).stdout.splitlines()
    assert said == [
        "acme/shop: 1 in the queue",
        "  1. #12 Mend it: Headgate merges it on main next",
    ]


def test_the_queue_states_its_limits_if_github_merges(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    engine = open_engine(f"sqlite:///{tmp_path}/var/journal.db")
    migrate(engine, open_engine(f"sqlite:///{tmp_path}/var/inbox.db"))
    journal = SqlJournal(engine)
    lease = journal.acquire(REPOSITORY, "w", NOW)
    assert lease is not None
    read = PolicyRead(version="v1", commit=Sha("a" * 40), landing=Landing.GITHUB)
    queue_rule = BranchRule(kind=RuleKind.MERGE_QUEUE, bypass=Bypass.NEVER)
    rules = RulesRead(rules=RepositoryRules(branch="main", rules=(queue_rule,)), read_at=NOW)
    begun = BranchServed(
        branch_of_queue="stable", sha=Sha("b" * 40), tree=Sha("c" * 40), seen_at=NOW
    )
    there = (
        begun,
        read.replace(branch_of_queue="stable"),
        rules.replace(branch_of_queue="stable"),
    )
    journal.append(lease, (INSTALLED, read, rules, *there), NOW)
    engine.dispose()

    found = json.loads(headgate("queue", "--json", cwd=tmp_path).stdout)["acme/shop"]

    said, of_branch = found["not_promised"]
    assert "GitHub decides the order." in said
    # Nothing has landed there yet.
    assert "`stable` becomes GitHub's commit" in of_branch
    assert "GitHub decides the order." in headgate("queue", cwd=tmp_path).stdout


def test_coverage_says_which_requirements_tests_name(tmp_path: Path) -> None:
    place = tmp_path / "specs" / "till" / "spec.md"
    place.parent.mkdir(parents=True)
    place.write_text(SPEC)
    tests = tmp_path / "tests" / "test_till.py"
    tests.parent.mkdir()
    tests.write_text("def test_nothing():\n    assert 1 + 1 == 2\n")

    bare = headgate("coverage", cwd=tmp_path)
    assert bare.returncode == 1
    assert "specs/till/spec.md:5: REQ-TILL-01: not named: no test names it" in bare.stdout

    tests.write_text("def test_sum():\n    # REQ-TILL-01\n    assert 1 + 1 == 2\n")
    named = headgate("coverage", "--json", cwd=tmp_path)
    assert named.returncode == 0
    (row,) = json.loads(named.stdout)["requirements"]
    assert (row["status"], row["tests"]) == ("named", ["tests/test_till.py::test_sum"])

    report = tmp_path / "junit.xml"
    report.write_text(
        '<testsuite><testcase classname="tests.test_till" name="test_sum"/></testsuite>'
    )
    passed = headgate("coverage", "--junit", "junit.xml", cwd=tmp_path)
    assert (passed.returncode, "1 of 1 requirements are passed" in passed.stdout) == (0, True)


def test_commands_say_that_there_is_no_data(tmp_path: Path) -> None:
    assert "No spec was found here" in headgate("coverage", cwd=tmp_path).stdout
    for command in ("queue", "journal"):
        asked = headgate(command, cwd=tmp_path)
        assert "The journal is empty" in asked.stdout + asked.stderr
    assert "There is no change x" in headgate("explain", "x", cwd=tmp_path).stderr
    assert "the defaults apply" in headgate("doctor", cwd=tmp_path).stdout


def test_the_doctor_prints_changed_settings(tmp_path: Path) -> None:
    policy = tmp_path / ".github" / "headgate.yml"
    policy.parent.mkdir()
    policy.write_text("version: 1\nmax_parallel: 5\n")
    said = headgate("doctor", cwd=tmp_path).stdout
    assert ("max_parallel" in said, "attempts_max" in said) == (True, False)
    assert "settings have their default" in said


def test_an_unusable_folder_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    asked = headgate("queue", cwd=tmp_path, HEADGATE_VAR=str(tmp_path / "file"))
    assert (asked.returncode, "Traceback" in asked.stderr) == (1, False)
    assert str(tmp_path / "file") in asked.stderr


def test_wrong_arguments_of_coverage_are_reported(tmp_path: Path) -> None:
    for arguments, said in (
        (("nowhere",), "no folder"),
        (("--when", "often"), "not one of"),
        (("--when", "landed"), "--repository"),
        (("--junit", "none.xml"), "cannot be read"),
        (("--repository", "a/b"), "has no repository"),
    ):
        asked = headgate("coverage", *arguments, cwd=tmp_path)
        assert (asked.returncode, said in asked.stderr) == (2, True), asked.stderr


def test_ids_do_not_depend_on_the_folder_in_which_a_command_is_run(tmp_path: Path) -> None:
    place = tmp_path / "shop" / "specs" / "001-till"
    place.mkdir(parents=True)
    (tmp_path / "shop" / ".git").mkdir()
    (place / "spec.md").write_text("# Till\n\n## Requirements\n\n- **FR-001**: It MUST ring.\n")
    seen = []
    for folder, named in (
        (tmp_path / "shop", "specs/001-till"),
        (place, "spec.md"),
        (place, "."),
        (tmp_path, str(place / "spec.md")),
    ):
        done = headgate("spec", "show", named, "--json", cwd=folder)
        seen.append([r["id"] for r in json.loads(done.stdout)[0]["requirements"]])
    assert seen == [["001-till#FR-001"]] * 4


@pytest.mark.parametrize("command", [("spec", "show"), ("spec", "check"), ("plan",)])
def test_a_file_without_recognised_requirements_fails_and_says_why(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "about.md").write_text("# About\n\nThe door should open from inside.\n")
    done = headgate(*command, "about.md", cwd=tmp_path)
    assert done.returncode == 1
    shown = " ".join(done.stdout.split())
    assert "No requirement was recognised" in shown
    assert "may mean a requirement" in shown


def test_a_rule_is_explained_with_the_way_to_silence_it(tmp_path: Path) -> None:
    done = headgate("spec", "check", "--explain", "marker", cwd=tmp_path)
    assert done.returncode == 0
    assert "<!-- headgate: ignore marker -->" in done.stdout
    assert headgate("spec", "check", "--explain", "nothing", cwd=tmp_path).returncode == 2
    assert headgate("spec", "check", cwd=tmp_path).returncode == 2


def test_a_comparison_of_unreadable_files_is_not_reported_as_equal(tmp_path: Path) -> None:
    (tmp_path / "till.md").write_text(SPEC)
    (tmp_path / "binary.md").write_bytes(b"\x00\x01")
    (tmp_path / "folder").mkdir()
    for one, other in (("binary.md", "till.md"), ("till.md", "binary.md"), ("folder", "folder")):
        done = headgate("spec", "diff", one, other, "--json", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "binary.md" in done.stderr or "folder has no spec file" in done.stderr

    (tmp_path / "notes.md").write_text("We met on Monday.\n")
    assert headgate("spec", "diff", "notes.md", "notes.md", cwd=tmp_path).returncode == 2
    (tmp_path / "emptied.md").write_text("")
    done = headgate("spec", "diff", "till.md", "emptied.md", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["removed"]) == (1, ["REQ-TILL-01"])


def test_a_folder_without_a_spec_is_reported(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = headgate("spec", "show", "folder", cwd=tmp_path)
    assert (done.returncode, "folder has no spec file" in done.stdout) == (1, True)
    change = tmp_path / "openspec/changes/dark-mode"
    change.mkdir(parents=True)
    (change / "tasks.md").write_text("- [ ] 1.1 Colours\n")
    for command in (("spec", "show"), ("spec", "check"), ("plan",)):
        done = headgate(*command, "openspec/changes/dark-mode", cwd=tmp_path)
        assert done.returncode == 1
        assert "belong in specs/<capability>/spec.md" in " ".join(done.stdout.split())


def test_coverage_by_a_policy_that_cannot_be_read_says_which_line(tmp_path: Path) -> None:
    policy = tmp_path / ".github" / "headgate.yml"
    policy.parent.mkdir()
    policy.write_text("version: 1\nwach: [goals/]\n")
    done = headgate("coverage", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(".github/headgate.yml:2 Unknown key `wach`")


def test_the_queue_of_an_unknown_repository_is_an_error(tmp_path: Path) -> None:
    for more in ((), ("--json",)):
        done = headgate("queue", "--repository", "a/b", *more, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "The journal has no repository a/b." in done.stderr
