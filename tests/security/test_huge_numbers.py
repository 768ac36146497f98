"""Numbers, days and nesting in others' texts: well formed, and more than a machine can hold."""

from datetime import timedelta

import pytest
from github import GithubException

from action.agents.adapters.protocol import Piece
from action.agents.contracts import command_in
from action.harness.egress import connect_target
from action.harness.http_client import Answer
from action.model_request import words_of
from bot.adapters.github.classify import classify
from bot.core.plan.deterministic import plan
from bot.core.plan.readiness import plan_findings
from bot.core.spec.identity.register import Register, registered
from bot.core.spec.markers import read_markers
from bot.core.spec.policy import PolicyRefusal, no_policy, read_policy
from bot.core.spec.quarantine import with_quarantine
from bot.core.spec.read import read_spec
from bot.core.spec.steering.known_parts import has_parts, same_parts
from bot.core.spec.triage.triage import ranked
from bot.core.talk.activity_text import event_text
from bot.ports import Limited, Retryable
from gates.graded.findings import read_chunk, read_still_there
from gates.test_guard.languages import read_tests
from tests.core.kit import World, approved, judging
from tests.core.test_stories_of_manual_steps import say, shop
from tests.core.values import START

# Python turns no text of more than 4,300 digits into a number.
D = "9" * 5_000
DEEP = "[" * 100_000
TASKS = f"""# Tasks
- [ ] {D}. do it
  - _Requirements: 1.1-{D}, {D}.{D}, 1.{D}-1.{D}, {D}-{D}_
- [ ] T{D} [P] [US{D}] do FR-{D} in a.py (depends on T{D})
"""
KIRO = f"""# Requirements

### Requirement 2: x
#### Acceptance Criteria
1. WHEN a THEN THE SYSTEM SHALL b, as Requirement 2.{D} says
{D}. WHEN a THEN THE SYSTEM SHALL c
### Requirement {D}: y
#### Acceptance Criteria
1. THE SYSTEM SHALL d
### Requirement 1.{D}
"""
SPECS: dict[str, dict[str, str]] = {
    "ids": {
        "specs/a.md": f"# S\n\n- **FR-{D}**: It MUST x.\n- **FR-2**: It MUST y after FR-1 to FR-{D}.\n"
    },
    "numbered titles": {
        "specs/a.md": f"# S\n\n## Requirements\n\n### Requirement {D}: X\nIt MUST x within {D} ms. See Requirement "
        f"1.{D}.\n### Requirement 1: Y\nIt MUST y in {D}.5 ms, {D}%, at most {D}.\n"
    },
    "stories": {
        "specs/a.md": f"# S\n\n### User Story {D} - x (Priority: P{D})\nAs a user. Story {D}.\n- US{D}: It MUST x\n"
    },
    "epics": {
        "docs/prd.md": f"# PRD\n\n## Epic {D}: X\n\n### Story {D}.{D}: Y\n\nAs a user\n\n#### Acceptance Criteria\n\n"
        f"{D}. It must x\n\nFR{D}: It MUST x\nFR{D} → Epic {D}\n"
    },
    "lists": {"specs/a.md": f"# S\n\n{D}. It MUST x.\n{D}. It MUST y\n"},
    "features": {
        "a.feature": f"Feature: a\n  @REQ-{D}\n  Scenario: x {D}\n    Given {D} a\n    When a\n    Then b\n"
    },
    "kiro": {
        ".kiro/specs/a/requirements.md": KIRO,
        ".kiro/specs/a/tasks.md": TASKS,
    },
    "spec kit": {
        "specs/001-a/spec.md": "# S\n\n## Requirements\n- **FR-001**: It MUST x\n",
        "specs/001-a/tasks.md": TASKS,
    },
    "delta folders": {
        "openspec/changes/a/tasks.md": TASKS,
        "openspec/changes/a/specs/t/spec.md": f"## ADDED Requirements\n### Requirement: X {D}\nIt SHALL x\n"
        "#### Scenario: a\n- **WHEN** a\n- **THEN** b\n",
    },
}


@pytest.mark.attack(
    "A spec has a number of five thousand digits, and every look at its repository ends with an error",
    held="readers of formats take numbers of at most nine digits, for example `bot.core.spec.formats.tasks`",
)
@pytest.mark.parametrize("name", SPECS)
def test_a_spec_with_a_huge_number_is_parsed_and_planned(name: str) -> None:
    files = {path: text.encode() for path, text in SPECS[name].items()}
    first = min(files)
    path = (
        first if len(files) == 1 else first.rpartition("/tasks.md")[0] or first.rpartition("/")[0]
    )
    if name == "delta folders":
        path = "openspec/changes/a"
    spec = read_spec(path, files)
    ranked(spec)
    known = registered(Register(), spec, "main").spec
    plan_findings(path, known, plan(known))
    assert spec.documents


HEX = "0x" + "f" * 5_000


@pytest.mark.attack(
    "A policy on main has a number that no machine can print, and every look at its repository ends with an error",
    held="`bot.core.spec.policy.read_policy`: it is refused with a sentence",
)
@pytest.mark.parametrize("number", [D, HEX, "0b" + "1" * 50_000, ".inf", "1e400", "1:2:3"])
def test_a_policy_with_a_huge_number_is_refused(number: str) -> None:
    for text in (f"attempts_max: {number}\n", f"agent: {{tokens_max: {number}}}\n"):
        assert isinstance(read_policy(text), PolicyRefusal)
    with_quarantine(no_policy(), f"tests: {number}\n")
    read_markers(f"skip_specs: {number}\n")


@pytest.mark.attack(
    "A person freezes the queue until the last day that there is, and nothing is decided any more",
    held="`bot.core.decide.people.freeze_queue`: such a day is refused",
)
@pytest.mark.parametrize(
    "day", ["9999-12-31", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"]
)
def test_a_day_at_the_end_of_time_is_refused(day: str) -> None:
    world, _ = judging()
    assert world.run.issue is not None
    world.say(world.run.issue, f"/headgate freeze until {day}")
    world.settle()
    assert not world.state.freezes
    assert "until" in world.replies()


@pytest.mark.attack(
    "A person says that step 999… of a list is done, and nothing is decided any more",
    held="`bot.core.decide.changes.manual_steps`: a number of at most four digits",
)
def test_a_step_of_five_thousand_digits_is_refused() -> None:
    world: World = approved(shop())
    say(world, "FR-2", f"/headgate done {D}")
    assert "Which one?" in world.replies()


@pytest.mark.attack(
    "A model's answer about a diff has a line without end, or nests without end",
    held="`gates.graded.findings`: it counts as an answer that cannot be read",
)
@pytest.mark.parametrize("line", ["1e999", "-1e999", D, "NaN", DEEP])
def test_a_review_answer_with_a_huge_number_is_invalid(line: str) -> None:
    found = f'{{"path": "a", "line": {line}, "quote": "", "severity": "must", "message": "", "undoes": ""}}'
    assert read_chunk(f'{{"files": [], "findings": [{found}]}}') is None
    assert read_still_there(f'{{"earlier": [{{"id": "a", "line": {line}, "quote": ""}}]}}') is None


@pytest.mark.attack(
    "A test file compares with a number that is no measure, and the gate that reads it ends with an error",
    held="`gates.test_guard.python_strength`: it counts as the largest measure",
)
def test_a_huge_tolerance_is_parsed() -> None:
    text = f"def test_a():\n    assert_close(a, b, atol={'9' * 400}, rel=-{'9' * 400}, places={'9' * 400})\n"
    assert read_tests("test_a.py", text.encode()).is_readable
    read_tests("test_a.py", text.replace("9" * 400, D).encode())


@pytest.mark.attack(
    "A candidate's pyproject.toml or Cargo.toml is well formed and of another shape than tools know",
    held="`bot.core.spec.steering.known_parts`: all of it counts as steering",
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "tool = 1\n"),
        ("pyproject.toml", f"tool = {D}\n"),
        ("pyproject.toml", "a = " + DEEP),
        ("package.json", DEEP),
        ("package.json", "[1]"),
        ("Cargo.toml", "bin = 5\n"),
        ("Cargo.toml", "example = [5]\npackage = 1\nlib = 7\nfeatures = 1\n"),
        ("Cargo.toml", f"bin = [{D}]\n"),
    ],
)
def test_a_settings_file_of_any_shape_is_compared(name: str, text: str) -> None:
    assert has_parts(name)
    assert same_parts(name, text.encode(), text.encode())
    assert not same_parts(name, b"", (text + "\n").encode() * 2) or name == "package.json"


@pytest.mark.attack(
    "A runner's, an agent's or a model server's line nests without end, where somebody reads it as JSON",
    held="each reader takes it as a line that is none, for example `bot.core.talk.activity_text.event_text`",
)
def test_a_deeply_nested_line_is_not_an_event() -> None:
    assert event_text(DEEP) == DEEP
    assert command_in(DEEP) == DEEP
    assert not list(Piece.of_line(DEEP))
    assert words_of(DEEP.encode()) == ""


@pytest.mark.attack(
    "A server asks to wait for ever, or says a time that is none",
    held="`bot.adapters.github.classify`, `action.harness.http_client.Answer`: at most a day",
)
@pytest.mark.parametrize(
    "said", [D, "9" * 30, "\xb2", "1e999", "-1", "Fri, 31 Dec 9999 23:59:59 -1400"]
)
def test_an_invalid_retry_delay_is_limited(said: str) -> None:
    for headers in (
        {"retry-after": said},
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": said},
    ):
        found = classify(GithubException(403, {"message": "rate limit"}, headers), START)
        assert isinstance(found, Retryable | Limited)
        assert found.after is None or found.after <= timedelta(days=1)
    assert 0 <= Answer(429, b"", "", said).wait_seconds <= 86_400


@pytest.mark.attack(
    "A setup asks the door to the network for a port without end",
    held="`action.harness.egress.connect_target`: a port has at most five digits",
)
@pytest.mark.parametrize("port", [D, "65536", "0", "\xb2", "-1", ""])
def test_an_invalid_port_is_refused(port: str) -> None:
    assert connect_target(f"CONNECT a.example:{port} HTTP/1.1".encode("latin-1")) is None
