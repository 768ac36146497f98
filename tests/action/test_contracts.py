"""A team's rules for commands: denied commands, reminders, and commands required before DONE."""

import json

import pytest

from action.agents.contracts import Contracts, commands_of


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd src && git push origin main", ["cd src", "git push origin main"]),
        ("A=1 B=2 sudo  git   push", ["git push"]),
        ("make test | tail -5; echo done", ["make test", "tail -5", "echo done"]),
        ("(git push) & wait", ["git push", "wait"]),
        ("   \n", []),
    ],
)
def test_a_line_is_read_command_by_command(line: str, expected: list[str]) -> None:
    assert list(commands_of(line)) == expected


def test_a_denied_command_is_refused_and_others_are_not() -> None:
    rules = Contracts(deny=("git push*",))
    assert "`git push -f` is denied here (`git push*`)" in rules.refuse("make && git push -f")
    assert rules.refuse("git pull") == ""
    assert rules.unmet() == ""


def test_a_required_command_is_demanded_until_it_has_run() -> None:
    rules = Contracts(before_done=("*pytest*",))
    assert "Run `*pytest*` before you say DONE" in rules.unmet()
    assert rules.refuse("python -m pytest -q") == ""
    assert rules.unmet() == ""


def test_a_refused_line_does_not_count_as_run() -> None:
    rules = Contracts(deny=("git push*",), before_done=("*pytest*",))
    rules.refuse("pytest; git push")
    assert "*pytest*" in rules.unmet()


@pytest.mark.parametrize(
    "given", [{"command": "git push"}, {"command": ["git", "push"]}, "git push"]
)
def test_a_program_that_broke_a_rule_is_reminded_once(given: object) -> None:
    rules = Contracts(deny=("git push*",))
    rules.saw(given if isinstance(given, str) else json.dumps(given))
    assert "You ran `git push`, which is denied here" in rules.unmet()
    assert rules.unmet() == ""


def test_input_of_a_tool_without_a_command_is_not_a_command() -> None:
    rules = Contracts(deny=("*push*",))
    rules.saw(json.dumps({"file_path": "push.py", "content": "git push"}))
    assert rules.unmet() == ""
