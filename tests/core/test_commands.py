"""Commands in comments: which lines count as the author's own, and how typos are answered."""

import sys
from collections import Counter
from types import FrameType

import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from bot.core.decide.people.run_commands import ANYWHERE, OF_A_RUN
from bot.core.talk.commands import (
    COMMANDS_PER_COMMENT_MAX,
    QUEUE_PLACES,
    ROWS,
    TABLE,
    help_table,
    parse_commands,
    read_answers,
    read_commands,
)
from bot.core.values.command import Verb
from tests.core.kit import World, proposed

_RUN = "/headgate stop"


@pytest.mark.parametrize(
    ("body", "verbs"),
    [
        ("/headgate approve", ["approve"]),
        ("/HeadGate APPROVE", ["approve"]),
        ("  /headgate approve  ", []),
        ("/headgate\tapprove", []),
        ("/headgate", ["help"]),
        ("Looks good.\n/headgate approve\nThanks!", ["approve"]),
        ("Looks good.\r\n/headgate approve\r\nThanks!", ["approve"]),
        ("/headgate retry a\n\n/headgate retry b", ["retry", "retry"]),
        ("/headgate status\\\n/headgate why", ["status", "why"]),
        ("- /headgate approve", []),
        ("1. /headgate approve", []),
        ("## /headgate approve", []),
        ("**/headgate approve**", []),
        # Said in passing, not asked.
        ("&#47;headgate approve", []),
        ("\\/headgate approve", []),
        ("*/headgate* approve", []),
        ("/headgate\N{NO-BREAK SPACE}approve", []),
        ("/headgate approve\n\\/headgate stop", ["approve"]),
        ("`a\n/headgate stop\nb`\n\\/headgate approve", []),
        ("Please /headgate approve", []),
        ("@headgate approve", []),
        ("headgate approve", []),
        ("/headgateapprove", []),
        ("/headgate-approve", []),
        ("//headgate approve", []),
        # Somebody else's words, or no words.
        (f"> {_RUN}", []),
        (f"> > {_RUN}", []),
        (f"> quoted\n{_RUN}", []),
        (f"> quoted\n\n{_RUN}", ["stop"]),
        (f"- > {_RUN}", []),
        (f"```\n{_RUN}\n```", []),
        (f"~~~\n{_RUN}\n~~~", []),
        (f"```\n{_RUN}", []),
        (f"````\n```\n{_RUN}\n````", []),
        (f"    {_RUN}", []),
        (f"\t{_RUN}", []),
        (f"- item\n\n      {_RUN}", []),
        (f"`{_RUN}`", []),
        (f"``{_RUN}``", []),
        (f"<!-- {_RUN} -->", []),
        (f"<!--\n{_RUN}\n-->", []),
        (f"<details>\n{_RUN}\n</details>", []),
        (f"<details>\n\n{_RUN}\n\n</details>", ["stop"]),
        (f"<b></b>{_RUN}", []),
        (f"![]( x ){_RUN}", []),
        (f"![{_RUN}](x.png)", []),
        (f"[{_RUN}](https://x.test)", []),
        (f"[x]: {_RUN}", []),
        ("", []),
        ("\x00", []),
        ("/headgate\x00 approve", ["approve"]),
    ],
)
def test_only_the_authors_own_lines_count(body: str, verbs: list[str]) -> None:
    assert [c.verb.value if c.verb else "?" for c in read_commands(body)] == verbs


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        ("/headgate run specs/a b.md", "specs/a b.md"),
        ("/headgate retry   cart-pay  ", "cart-pay"),
        ("/headgate run `specs/a.md`", "\N{OBJECT REPLACEMENT CHARACTER}"),
        ("/headgate run *specs*", "specs"),
        ("/headgate run 仕様/買物.md", "仕様/買物.md"),
        ("/headgate approve", ""),
    ],
)
def test_the_rest_of_the_line_is_the_argument(body: str, argument: str) -> None:
    (command,) = read_commands(body)
    assert command.argument == argument


@pytest.mark.parametrize(
    ("said", "nearest"),
    [
        ("aprove", Verb.APPROVE),
        ("approved", Verb.APPROVE),
        ("retyr", Verb.RETRY),
        ("STAUTS", Verb.STATUS),
        ("hlep", Verb.HELP),
        ("merge-everything-now", None),
        ("🚀", None),
    ],
)
def test_a_typo_is_not_a_command_and_gets_a_suggestion(said: str, nearest: Verb | None) -> None:
    (command,) = read_commands(f"/headgate {said}")
    assert command.verb is None
    assert command.nearest is nearest


def test_one_command_above_the_limit_is_parsed() -> None:
    body = "\n".join(["/headgate status"] * 40)
    assert len(read_commands(body)) == COMMANDS_PER_COMMENT_MAX + 1


@pytest.mark.parametrize(
    "body",
    [
        "/headgate a b" + " " * 65_000 + "x",
        "/headgate " + "a" * 65_000,
        "[" * 65_536,
        ">" * 65_536,
        "`a" * 32_000,
        "- " * 32_000,
        "<" * 65_536,
        "/headgate x\n" * 5_000,
    ],
)
def test_a_huge_comment_is_parsed_quickly(body: str) -> None:
    assert len(parse_commands(body)) <= COMMANDS_PER_COMMENT_MAX + 1


@settings(deadline=None)
@given(st.text(max_size=300) | st.text(alphabet="/headgate stop\n>`-#<![]() \t", max_size=200))
def test_no_comment_raises(body: str) -> None:
    for command in read_commands(body):
        assert command.said.lower().startswith("/headgate")


@settings(deadline=None)
@given(st.text(max_size=100).filter(lambda t: "\n\n" not in t and "\r" not in t))
def test_commands_inside_a_quote_are_ignored(text: str) -> None:
    quoted = "\n".join(f"> {line}" for line in (f"{text}\n/headgate stop").splitlines())
    assert read_commands(quoted) == ()


def test_the_table_lists_every_verb_once_and_help_shows_it() -> None:
    assert [row.verb for row in TABLE] == list(Verb)
    assert set(ROWS) == set(Verb)
    shown = help_table()
    for row in TABLE:
        assert f"`{row.usage}`" in shown
        assert row.usage.startswith(f"/headgate {row.verb}")
    assert len(shown.splitlines()) == len(Verb) + 2


def test_every_command_has_exactly_one_handler() -> None:
    of_pulls = [verb for verb, row in ROWS.items() if row.place in QUEUE_PLACES]
    assert Counter((*ANYWHERE, *OF_A_RUN, *of_pulls)) == Counter(Verb)


@pytest.mark.parametrize(
    ("said", "asked", "read"),
    [
        ("1: coins 2: no", {1, 2}, [(1, "coins"), (2, "no")]),
        ("1: coins of 2: euros", {1}, [(1, "coins of 2: euros")]),
        ("2: b 1: a", {1, 2}, [(2, "b 1: a")]),
        ("1: at 12:30 2: no", {1, 2, 12}, [(1, "at 12:30"), (2, "no")]),
        ("1 coins #2: no\n3. yes", {1, 2, 3}, [(1, "coins"), (2, "no"), (3, "yes")]),
        ("1: coins 2:no", {1, 2}, [(1, "coins 2:no")]),
        ("hello 1: coins", {1}, [(1, "coins")]),
    ],
)
def test_answers_within_a_line_start_at_asked_numbers(
    said: str, asked: set[int], read: list[tuple[int, str]]
) -> None:
    found = read_answers(said, frozenset(asked))
    assert [(a.number, a.text) for a in found] == read


def _parsed_while_settling(world: World) -> list[str]:
    """The texts that were parsed as Markdown until nothing is left to do."""
    parsed: list[str] = []

    def note(frame: FrameType, what: str, _of: object) -> None:
        if what == "call" and frame.f_code is MarkdownIt.parse.__code__:
            parsed.append(frame.f_locals["src"])

    sys.setprofile(note)
    try:
        world.settle()
    finally:
        sys.setprofile(None)
    return parsed


def test_a_comment_is_parsed_once_from_its_discovery_to_its_answer() -> None:
    world = proposed()
    issue = world.run.issue
    assert issue is not None
    commands = [f"/headgate status\n\nFor review {n}." for n in range(3)]
    for body in commands:
        world.say(issue, body)
    assert sorted(_parsed_while_settling(world)) == commands
    assert len(world.wrote("CommandAnswered")) == len(commands)


def test_a_comment_that_names_no_command_is_not_parsed() -> None:
    world = proposed()
    issue = world.run.issue
    assert issue is not None
    world.say(issue, "> *Thanks*, it looks good.")
    assert _parsed_while_settling(world) == []
