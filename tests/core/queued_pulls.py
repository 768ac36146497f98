"""People's pulls in the queue, for stories of it."""

from action.order import GateOrder
from bot.core.journal.state import Entry, QueuedPull
from bot.core.values.ids import OrderId, PullNumber
from gates.result import Ending, GateResult, Judges
from tests.core.kit import World


def queue_pulls(world: World, *names: str, said: str = "/headgate queue") -> list[int]:
    numbers = [world.open_pull(name) for name in names]
    for number in numbers:
        world.say(number, said)
        world.settle()
        world.pass_time(1)
    return numbers


def pull_of(world: World, number: int) -> QueuedPull:
    return world.state.queued_pulls[PullNumber(number)]


def entry_of(world: World, number: int) -> Entry:
    return world.state.entry_of(pull_of(world, number))


def gates_of_pull(world: World, number: int) -> OrderId:
    """The open gate order of a pull."""
    orders = world.open_orders(GateOrder)
    return next(o for o in orders if world.state.orders[o].pull == number)


def judge_pull(world: World, number: int, *, red: bool = False) -> None:
    order = gates_of_pull(world, number)
    world.judge(order, test=Ending.FAILED if red else Ending.PASSED)
    world.settle()
    world.pass_time(1)


def said_at(world: World, number: int) -> str:
    return "\n".join(text for issue, text in world.posted if issue == number)


def red_before(test: str) -> GateResult:
    """A red run of `test`, which ran once more in the same order."""
    return GateResult(
        gate="test",
        judges=Judges.TREE,
        ending=Ending.FAILED,
        sentence="1 failed.",
        failed_tests=(test,),
    )
