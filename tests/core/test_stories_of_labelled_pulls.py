"""Stories of the label that queues a pull like the command."""

from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.webhook import read_delivery
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import Role
from tests.core.kit import World
from tests.core.queued_pulls import judge_pull, pull_of, said_at


def labelled(world: World, *, role: Role = Role.WRITE, is_from_fork: bool = False) -> int:
    number = world.open_pull("mend", is_from_fork=is_from_fork)
    world.label_pull(number, role=role)
    world.settle()
    return number


def test_the_label_queues_the_pull_and_it_lands() -> None:
    world = World()
    number = labelled(world)
    assert said_at(world, number).count("In the queue at place 1.") == 1
    assert pull_of(world, number).by == "ann"
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_a_label_without_the_role_is_answered_once() -> None:
    world = World()
    number = labelled(world, role=Role.TRIAGE)
    world.settle()
    assert said_at(world, number).count("That needs the role write; @ann has the role triage") == 1
    assert PullNumber(number) not in world.state.queued_pulls


def test_a_label_cannot_queue_a_fork_pull() -> None:
    world = World()
    number = labelled(world, is_from_fork=True)
    world.settle()
    assert said_at(world, number).count("It comes from a fork, and its code would run") == 1


def test_a_removed_label_dequeues_the_pull() -> None:
    world = World()
    number = labelled(world)
    world.queue_labels[PullNumber(number)] = QueueLabel()
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    assert "was removed" in said_at(world, number)


def test_a_pull_queued_by_a_comment_does_not_need_the_label() -> None:
    world = World()
    number = world.open_pull("mend")
    world.say(number, "/headgate queue")
    world.settle()
    world.queue_labels[PullNumber(number)] = QueueLabel()
    world.settle()
    assert pull_of(world, number).state is P.JUDGING


def test_a_label_that_stays_does_not_queue_it_again() -> None:
    world = World()
    number = labelled(world)
    world.say(number, "/headgate dequeue")
    world.settle()
    assert pull_of(world, number).state is P.WITHDRAWN
    world.label_pull(number)
    world.settle()
    assert pull_of(world, number).state is P.JUDGING


def test_only_the_queue_label_is_read() -> None:
    body = (
        b'{"action": "labeled", "repository": {"id": 7}, "pull_request": {"number": 12},'
        b' "label": {"name": "%s"}}'
    )
    ours = read_delivery("pull_request", body % b"headgate:queue")
    other = read_delivery("pull_request", body % b"bug")
    assert ours is not None
    assert ours.hints == (Hint(kind=HintKind.LABEL, number=12),)
    assert other is not None
    assert other.hints == ()
    world = World()
    assert looks(world.state, ours.hints, world.now).labelled_pulls == (12,)
