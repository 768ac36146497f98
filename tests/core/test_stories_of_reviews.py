"""Reviews of a change's pull reach the running agent and every later attempt."""

import pytest

from action.order import AgentKind, AgentOrder, GateOrder, ToldWords
from action.report import AgentEnding
from bot.core.journal import effects as ef
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.values.ids import ReviewCommentId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.values import GATES, beside

TEXT = "Use `Decimal`, not float."
WORDS = ToldWords(author="ann", text=TEXT, path="src/shop.py", line=12, thread=1)
COMMAND = f"{GATES}agent: {{kind: {AgentKind.COMMAND}, command: run-agent}}\n"


def _second_attempt(policy: str = GATES) -> World:
    """A world whose first candidate was red: its pull is open, and an agent works on it again."""
    world = approved(beside(1), policy)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
    world.settle()
    world.lease(world.open_orders(AgentOrder)[0])
    world.pass_time(10)
    return world


def _review(
    world: World,
    text: str = TEXT,
    role: Role = Role.WRITE,
    *,
    line: int = 12,
    is_person: bool = True,
) -> ReviewCommentId:
    pull = world.change("R0").pull
    said = world.reviews.say(pull, text, world.now, role=role, line=line, is_person=is_person)
    world.settle()
    return said


def _reactions(world: World, comment: ReviewCommentId) -> list[str]:
    return [
        e.content
        for e in world.intended
        if isinstance(e, ef.ReactToReview) and e.comment == comment
    ]


def test_a_running_agent_gets_a_review_with_file_line_and_author() -> None:
    world = _second_attempt()
    before = len(world.posted)

    comment = _review(world)

    assert world.told == {world.open_orders(AgentOrder)[0]: (WORDS,)}
    assert _reactions(world, comment) == ["rocket"]
    # A reaction says that it was heard, and no reply.
    assert world.posted[before:] == []


def test_the_next_attempt_gets_the_review_in_its_order_only() -> None:
    world = _second_attempt()
    _review(world)
    world.told.clear()
    world.pass_time(10)

    world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TURNS)
    world.settle()

    assert world.agent_order().attempt == 3
    assert world.agent_order().told == (WORDS,)
    assert world.told == {}


def test_a_review_comment_is_read_once() -> None:
    world = _second_attempt()
    comment = _review(world)

    world.pass_time(60)
    world.settle()
    hint = Hint(kind=HintKind.REVIEW, number=comment, issue=world.change("R0").pull or 0)
    world.tick((hint,))

    assert len(world.wrote("WordsTold")) == 1
    assert _reactions(world, comment) == ["rocket"]


def test_a_webhook_delivery_is_enough_to_read_a_review() -> None:
    world = _second_attempt()
    pull = world.change("R0").pull
    comment = world.reviews.say(pull, TEXT, world.now)

    world.tick((Hint(kind=HintKind.REVIEW, number=comment, issue=pull or 0),))

    assert len(world.wrote("WordsTold")) == 1


@pytest.mark.parametrize("role", [Role.NONE, Role.READ, Role.TRIAGE])
def test_reviews_without_write_permission_are_ignored(role: Role) -> None:
    world = _second_attempt()
    before = len(world.posted)

    comment = _review(world, role=role)

    assert world.wrote("WordsTold") == []
    assert _reactions(world, comment) == []
    assert world.posted[before:] == []
    assert world.wrote("ReviewCommentRead") == []


@pytest.mark.attack(
    "A reader of a public repository comments on a change's pull all day, for a journal without end",
    held="`bot.core.decide.people.hear_reviews`: a comment of somebody who may not write leaves no trace",
)
def test_reviews_by_strangers_do_not_grow_the_journal() -> None:
    world = _second_attempt()
    pull = world.change("R0").pull
    world.settle()
    before = len(world.journal)

    for _ in range(30):
        comment = world.reviews.say(pull, TEXT, world.now, author="eve", role=Role.READ)
        world.tick((Hint(kind=HintKind.REVIEW, number=comment, issue=pull or 0),))

    assert len(world.journal) == before


def test_comments_of_bots_and_apps_are_not_commands() -> None:
    world = _second_attempt()

    comment = _review(world, is_person=False)

    assert world.wrote("WordsTold") == []
    assert _reactions(world, comment) == []


def test_a_review_of_another_pull_reaches_no_agent() -> None:
    world = _second_attempt()
    other = world.open_pull("topic")

    comment = world.reviews.say(other, TEXT, world.now)
    world.settle()

    assert world.wrote("WordsTold") == []
    hint = Hint(kind=HintKind.REVIEW, number=comment, issue=other)
    assert looks(world.state, (hint,), world.now).reviews.comments == ()


def test_a_review_without_a_running_agent_is_answered_once() -> None:
    world, _ = judging()
    before = len(world.posted)

    first, second = _review(world), _review(world, "And round half up.", line=0)

    said = [text for _, text in world.posted[before:] if "The next attempt gets them" in text]
    assert len(said) == 1
    assert _reactions(world, first) == _reactions(world, second) == ["rocket"]
    assert [one.line for one in world.change("R0").told] == [12, 0]


def test_a_program_gets_the_review_with_its_next_attempt() -> None:
    world = _second_attempt(COMMAND)

    _review(world)

    assert "The next attempt gets them" in world.replies()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("x" * 4_001, "4,000 characters at most"),
        ("/headgate retry", "In a review they have no effect"),
    ],
)
def test_an_unusable_review_text_is_refused_once(text: str, answer: str) -> None:
    world = _second_attempt()

    first, second = _review(world, text), _review(world, text)

    assert world.wrote("WordsTold") == []
    assert _reactions(world, first) == _reactions(world, second) == ["confused"]
    assert world.replies().count(answer) == 1


def test_at_most_fifty_review_comments_reach_a_change() -> None:
    world = _second_attempt()
    pull = world.change("R0").pull
    for number in range(51):
        world.reviews.say(pull, f"Number {number}.", world.now)
    world.settle()

    assert len(world.change("R0").told) == 50
    assert "at most 50 texts" in world.replies()


def test_reviews_of_a_landed_change_are_ignored() -> None:
    world = approved(beside(1))
    world.work()
    pull = world.change("R0").pull
    assert world.change("R0").state is ChangeState.LANDED

    comment = world.reviews.say(pull, TEXT, world.now)
    world.tick((Hint(kind=HintKind.REVIEW, number=comment, issue=pull or 0),))

    assert world.wrote("WordsTold") == []
    assert _reactions(world, comment) == []


class TestLooks:
    """Reviews are listed only if they can be used, from a fixed start time."""

    def test_without_a_pull_no_reviews_are_listed(self) -> None:
        world = approved(beside(1))

        assert (
            looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now).reviews.since is None
        )

    def test_a_full_look_lists_review_comments_of_the_last_day(self) -> None:
        world, _ = judging()
        everything = (Hint(kind=HintKind.EVERYTHING),)
        since = looks(world.state, everything, world.now).reviews.since
        world.pass_time(60)

        assert since is not None
        assert (world.now - since).days >= 1
        assert looks(world.state, everything, world.now).reviews.since == since
        assert looks(world.state, (), world.now).reviews.since is None

    def test_listed_reviews_are_read_again_for_five_minutes(self) -> None:
        world = _second_attempt()
        _review(world)

        since = looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now).reviews.since

        seen_to = world.state.reviews_seen_to
        assert since is not None
        assert seen_to is not None
        assert (seen_to - since).total_seconds() == 300
