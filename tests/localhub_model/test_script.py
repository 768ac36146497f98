"""A script is checked when it is read, and its mistakes are reported with their lines."""

import pytest

from bot.localhub.model_server.script import ScriptError
from tests.localhub_model.kit import script

GOOD = """
    version: 1
    scenes:
      - name: greeting
        turns:
          - text: Hello
"""


def test_a_small_script_is_read() -> None:
    assert script(GOOD).scenes[0].turns[0].text == "Hello"


@pytest.mark.parametrize(
    ("wrong", "line", "words"),
    [
        ("version: 2\nscenes: [{name: a, turns: [{text: x}]}]", 1, "Input should be 1"),
        ("version: 1\nscenes: []", 2, "at least 1 item"),
        ("version: 1\nscenes:\n  - name: a\n    turn: []", 4, "Extra inputs"),
        ("version: 1\nscenes:\n  - name: a\n    turns:\n      - txt: x", 5, "Extra inputs"),
        (
            "version: 1\nscenes:\n  - name: a\n    turns:\n      - {after_seconds: 1}",
            5,
            "needs text",
        ),
        (
            "version: 1\nscenes:\n  - name: a\n    match:\n      task:\n        - '('\n"
            "    turns: [{text: x}]",
            6,
            "regular expression",
        ),
        (
            "version: 1\nscenes:\n  - name: a\n    turns:\n      - calls:\n"
            "          - {bash: {command: ls}, tool: x}",
            6,
            "exactly one of",
        ),
        (
            "version: 1\nscenes:\n  - name: a\n    turns:\n      - calls:\n"
            "          - edit: {command: delete, path: x}",
            6,
            "delete",
        ),
        ("version: 1\nscenes:\n  - {name: a, turns: [{text: '{{who}}'}]}", 1, "{{who}}"),
        (
            "version: 1\nscenes:\n  - {name: a, turns: [{text: x}]}\n"
            "  - {name: a, turns: [{text: y}]}",
            1,
            "two scenes",
        ),
        ("version: 1\nscenes:\n  - name: [", 3, ""),
    ],
)
def test_a_mistake_is_reported_with_its_line(wrong: str, line: int, words: str) -> None:
    with pytest.raises(ScriptError) as refusal:
        script(wrong)
    assert f"script.yaml:{line}: " in str(refusal.value)
    assert words in str(refusal.value)


def test_all_mistakes_are_reported_at_once() -> None:
    wrong = "version: 1\nscenes:\n  - {name: a, turns: []}\n  - {nam: b, turns: [{text: x}]}"
    with pytest.raises(ScriptError) as refusal:
        script(wrong)
    assert "script.yaml:3: " in str(refusal.value)
    assert "script.yaml:4: " in str(refusal.value)
