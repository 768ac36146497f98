"""The gates `rules` and `junk`: rules of a team, and files committed by mistake."""

import pytest

from gates.judge import Subject, judge
from gates.result import Ending, GateDefinition, GateResult, Judges
from gates.settings import JudgeSettings
from tests.gates.checkouts import Repository

RULES = GateDefinition(name="rules", judges=Judges.CHANGE, builtin="rules")
JUNK = GateDefinition(name="junk", judges=Judges.DIFF, builtin="junk")
PLACE = ".headgate/rules/style.md"
RULE = r"""---
globs:
  - src/**/*.py
forbid:
  - "\bprint\("
require:
  - ^# Copyright
---
# Use the logger
Print nothing.
"""
OURS = "# Copyright us\n"


def said(repository: Repository, gate: GateDefinition, *, is_of_person: bool = False) -> GateResult:
    subject = Subject(repository.folder, repository.base_sha)
    settings = JudgeSettings(is_of_person=is_of_person)
    return judge(subject, (gate,), settings, lambda _: None).results[0]


def ruled(repository: Repository, rule: str = RULE) -> Repository:
    files = {PLACE: rule, "src/old.py": f"{OURS}print(1)\n", "src/free.py": "ONE = 1\n"}
    repository.base_sha = repository.commit(files)
    return repository


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"src/a.py": f"{OURS}x = 1\nprint(x)\n"}, [("src/a.py", 3)]),
        ({"src/a.py": "x = 1\n"}, [("src/a.py", 1)]),
        ({"src/old.py": "print(1)\n"}, [("src/old.py", 1)]),
        ({"src/old.py": f"{OURS}print(1)\nprint(2)\n"}, [("src/old.py", 3)]),
        ({"src/old.py": f"x = 1\n{OURS}print(1)\n"}, []),
        ({"src/free.py": "ONE = 2\n"}, []),
        ({"web/a.py": "print(1)\n", "src/a.txt": "print(1)\n"}, []),
    ],
)
def test_lines_added_by_a_change_are_checked_against_the_rules(
    repository: Repository, files: dict[str, str], places: list[tuple[str, int]]
) -> None:
    ruled(repository).commit(files)
    result = said(repository, RULES)
    assert [(a.path, a.line_start) for a in result.annotations] == places, result.sentence
    assert result.ending is (Ending.FAILED if places else Ending.PASSED)
    if places:
        assert "Use the logger" in result.sentence


@pytest.mark.parametrize("after", ["", RULE.replace("print", "nothing")])
def test_a_change_is_judged_by_bases_rules(repository: Repository, after: str) -> None:
    ruled(repository)
    repository.write(PLACE, after)
    if not after:
        repository.git("rm", "-q", "--force", PLACE)
    repository.commit({"src/a.py": f"{OURS}print(1)\n"})
    assert said(repository, RULES).ending is Ending.FAILED


def test_a_rule_that_a_change_brings_does_not_count_yet(repository: Repository) -> None:
    repository.commit({PLACE: RULE, "src/a.py": "print(1)\n"})
    assert "There are no rules" in said(repository, RULES).sentence


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (RULE.replace("forbid:", "forbids:"), f"{PLACE}:4 must be one of `globs:`"),
        (RULE.replace(r"\bprint\(", "("), f"{PLACE} has an invalid pattern"),
    ],
)
def test_an_unreadable_rule_does_not_pass(repository: Repository, rule: str, says: str) -> None:
    ruled(repository, rule).commit({"src/a.py": OURS})
    result = said(repository, RULES)
    assert result.ending is Ending.COULD_NOT_RUN
    assert says in result.sentence


def test_findings_in_a_persons_change_are_reported_and_pass(repository: Repository) -> None:
    ruled(repository).commit({"src/a.py": f"{OURS}print(1)\n", "a.orig": "x\n"})
    for gate in (RULES, JUNK):
        result = said(repository, gate, is_of_person=True)
        assert result.ending is Ending.PASSED
        assert result.annotations


CONFLICT = "one\n<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"src/calc.py.orig": "x\n"}, [("src/calc.py.orig", 1)]),
        ({"web/node_modules/x/index.js": "x\n"}, [("web/node_modules/x/index.js", 1)]),
        ({"src/calc.py": CONFLICT}, [("src/calc.py", 2), ("src/calc.py", 6)]),
        ({"docs/a.rst": "Title\n=======\n", "a.txt": "<<<<<<< only\n"}, []),
        ({"src/core.py": "x\n", "docs/environment.md": "x\n"}, []),
    ],
)
def test_junk_is_found(
    repository: Repository, files: dict[str, str], places: list[tuple[str, int]]
) -> None:
    repository.commit(files)
    result = said(repository, JUNK)
    assert [(a.path, a.line_start) for a in result.annotations] == places
    assert result.ending is (Ending.FAILED if places else Ending.PASSED)


def test_junk_that_is_already_on_base_is_not_reported(repository: Repository) -> None:
    repository.base_sha = repository.commit({"a.orig": "x\n", "docs/git.md": CONFLICT})
    repository.commit({"a.orig": "y\n", "docs/git.md": f"{CONFLICT}more\n"})
    assert said(repository, JUNK).ending is Ending.PASSED
