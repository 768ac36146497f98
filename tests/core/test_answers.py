"""Replies to commands: permissions, places, and texts; every reply is used."""

import ast
import inspect
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import bot
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.talk import replies
from bot.core.talk.commands import ROWS, Place
from bot.core.values.command import Verb
from bot.core.values.freeze import FreezeCause
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from tests.core.kit import World, approved, proposed
from tests.core.values import GATES, beside


def _reactions(world: World, comment: int) -> list[str]:
    return [e.content for e in world.intended if isinstance(e, ef.React) and e.comment == comment]


def _asked(world: World, issue: int, body: str, role: Role = Role.WRITE) -> str:
    """The reply to a comment."""
    before = len(world.posted)
    world.say(issue, body, role=role)
    world.settle()
    return "\n".join(text for at, text in world.posted[before:] if at == issue)


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("role", Role)
def test_commands_need_the_role_of_the_table(verb: Verb, role: Role) -> None:
    world = approved()
    needed = ROWS[verb].role or Role.WRITE
    said = _asked(world, world.run.issue or 0, f"/headgate {verb}", role)
    refused = f"needs the role {needed}; @ann has the role {role} here." in said
    assert refused is not role.covers(needed)


@pytest.mark.parametrize("verb", [v for v in Verb if ROWS[v].place is not Place.ANYWHERE])
def test_a_command_on_another_issue_says_where_to_write_it(verb: Verb) -> None:
    world = approved()
    assert f"Write it on {ROWS[verb].place}" in _asked(
        world, 4_321, f"/headgate {verb}", Role.ADMIN
    )


@pytest.mark.parametrize("verb", Verb)
def test_tracking_commands_are_refused_on_a_changes_issue(verb: Verb) -> None:
    world = approved()
    said = _asked(world, world.change("A").issue or 0, f"/headgate {verb}")
    assert ("Write it on" in said) is (ROWS[verb].place in {Place.TRACKING, Place.ASKED})


def test_an_edited_comment_is_refused() -> None:
    world = proposed()
    issue = world.run.issue or 0
    asked = world.say(issue, "/headgate approve", edited_at=world.now + timedelta(seconds=5))
    world.settle()
    assert not world.run.approved_by
    assert _reactions(world, asked) == ["eyes", "confused"]
    assert world.posted[-1] == (issue, replies.edited())


def test_reactions_show_that_a_command_was_read_and_its_outcome() -> None:
    world = approved()
    good = world.say(world.run.issue or 0, "/headgate status")
    bad = world.say(world.run.issue or 0, "/headgate stauts")
    world.settle()
    assert _reactions(world, good) == ["eyes", "rocket"]
    assert _reactions(world, bad) == ["eyes", "confused"]
    assert "Did you mean `/headgate status`?" in world.replies()


def test_only_the_first_ten_commands_are_run() -> None:
    world = approved()
    said = _asked(world, world.run.issue or 0, "/headgate nonsense\n" * 12)
    assert said.count("is not a command") == 10
    assert "only the first 10 commands" in said


def test_a_comment_is_answered_only_once() -> None:
    world = approved()
    comment = world.say(world.run.issue or 0, "/headgate status")
    hint = Hint(kind=HintKind.COMMENT, number=comment, issue=world.run.issue or 0)
    for _ in range(3):
        world.tick((hint,))
        world.settle()
    answered = [e for e in world.journal if isinstance(e, ev.CommandAnswered)]
    assert [e.comment for e in answered].count(comment) == 1
    assert len([t for _, t in world.posted if "Spec run of" in t]) == 1


def test_a_deleted_comment_is_ignored() -> None:
    world = approved()
    world.say(world.run.issue or 0, "/headgate stop")
    world.decide()
    world.comments.clear()
    world.settle()
    assert [e.outcome for e in world.journal if isinstance(e, ev.CommandAnswered)][-1] == "nothing"
    assert ChangeState.STOPPED not in {c.state for c in world.state.changes.values()}


def test_a_comment_by_an_app_is_ignored() -> None:
    world = approved()
    heard = len(world.wrote("CommandHeard"))
    world.say(world.run.issue or 0, "/headgate stop", role=Role.ADMIN, is_person=False)
    world.settle()
    assert len(world.wrote("CommandHeard")) == heard


def test_a_comment_without_a_command_is_not_recorded() -> None:
    world = approved()
    heard = len(world.wrote("CommandHeard"))
    world.say(world.run.issue or 0, "Nice work! > /headgate stop")
    world.settle()
    assert len(world.wrote("CommandHeard")) == heard


@pytest.mark.parametrize("name", ["slug", "issue", "#issue", "pull"])
def test_a_change_is_named_by_slug_issue_or_pull(name: str) -> None:
    world = approved(beside(2))
    world.hand_in(next(iter(world.orders)))
    world.settle()
    change = world.change("R0")
    names = {
        "slug": change.slug,
        "issue": str(change.issue),
        "#issue": f"#{change.issue}",
        "pull": str(change.pull),
    }
    _asked(world, world.run.issue or 0, f"/headgate stop {names[name]}")
    assert world.change("R0").state is ChangeState.STOPPED
    assert world.change("R1").state is not ChangeState.STOPPED


def test_an_unknown_change_is_refused() -> None:
    world = approved()
    said = _asked(world, world.run.issue or 0, "/headgate stop `nothing`")
    assert "is not a change of" in said
    assert "`cart-title-of-a`" in said


@pytest.mark.parametrize("verb", ["retry", "stop"])
def test_a_repeated_command_has_no_second_effect(verb: str) -> None:
    world = approved()
    issue = world.run.issue or 0
    _asked(world, issue, "/headgate stop")
    _asked(world, issue, f"/headgate {verb}")
    before: RepositoryState = world.state
    said = _asked(world, issue, f"/headgate {verb}")
    assert f"nothing to {verb}" in said
    assert {c.id: c.state for c in world.state.changes.values()} == {
        c.id: c.state for c in before.changes.values()
    }


def test_why_says_which_step_a_change_waits_for() -> None:
    world = proposed()
    issue = world.run.issue or 0
    assert "Its plan waits for approval" in _asked(world, issue, "/headgate why")
    _asked(world, issue, "/headgate approve")
    till = world.change("B")
    assert f"It starts when #{world.change('A').issue} (working) has landed." in _asked(
        world, till.issue or 0, "/headgate why"
    )
    _asked(world, world.change("A").issue or 0, "/headgate stop")
    said = f"It is held back by #{world.change('A').issue} (stopped)."
    assert said in _asked(world, till.issue or 0, "/headgate why")


def test_why_says_that_the_queue_is_frozen() -> None:
    world = approved()
    world.state = replace(world.state, freezes={FreezeCause.RED_MAIN: Freeze(why="main is red.")})
    said = _asked(world, world.change("A").issue or 0, "/headgate why")
    assert "The queue is frozen: main is red." in said


def test_help_works_anywhere_with_the_role_read() -> None:
    said = _asked(World(GATES), 77, "/headgate help", Role.READ)
    assert all(row.usage in said for row in ROWS.values())


def test_every_reply_is_used() -> None:
    sentences = {
        name
        for name, value in inspect.getmembers(replies, inspect.isfunction)
        if value.__module__ == replies.__name__ and not name.startswith("_")
    }
    said = set()
    for path in (Path(bot.__file__).parent / "core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                said.add(node.attr if node.value.id == "replies" else "")
    assert sentences <= said
