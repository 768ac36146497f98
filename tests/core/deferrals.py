"""Orders that meet an obstacle, for stories of what is nobody's attempt."""

from action.order import AgentOrder, GateOrder
from action.report import Obstacle
from bot.core.journal.effects import EditIssue
from bot.core.journal.events import EffectIntended
from bot.core.values.ids import OrderId
from tests.core.kit import World

AWAY = Obstacle.MODEL_AWAY


def agents(world: World) -> list[OrderId]:
    return world.open_orders(AgentOrder)


def gates(world: World) -> list[OrderId]:
    return world.open_orders(GateOrder)


def put_off(world: World, obstacle: Obstacle = AWAY, **more: float) -> None:
    """The oldest agent order meets an obstacle."""
    world.defer(agents(world)[0], obstacle, **more)  # type: ignore[arg-type]
    world.settle()


def progress(world: World) -> str:
    """What the tracking issue says now."""
    texts = [
        e.effect.text
        for e in world.wrote("EffectIntended")
        if isinstance(e, EffectIntended)
        and isinstance(e.effect, EditIssue)
        and e.effect.region == "progress"
    ]
    return texts[-1]
