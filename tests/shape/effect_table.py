"""The table of effects in docs/events.md: what each means, when its turn comes, what it costs."""

from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.journal.effects import EFFECT_CLASSES
from bot.core.values.github_cost import NO_COST

_NOTE = (
    "Effects are performed in the order of their urgency: "
    f"{', '.join(u.name.lower() for u in Urgency)}. The cost is what an effect writes at GitHub; "
    "reads are counted when they were sent, git is not counted.\n\n"
)


def effect_table() -> str:
    """The note and the table."""
    rows = ["| Name | Meaning | Urgency | Cost |", "|---|---|---|---|"]
    for effect in EFFECT_CLASSES:
        meaning = " ".join((effect.__doc__ or "").strip().split("\n\n")[0].split())
        urgency = effect.urgency.name.lower()
        rows.append(f"| `{effect.__name__}` | {meaning} | {urgency} | {_cost(effect)} |")
    return _NOTE + "\n".join(rows) + "\n"


def _cost(effect: type[EffectClass]) -> str:
    cost = effect.cost
    if cost == NO_COST:
        return "none"
    requests = "1 request" if cost.requests == 1 else f"{cost.requests} requests"
    created = "creates content, " if cost.content else ""
    at_least = "at least " if effect.rounds is not EffectClass.rounds else ""
    return f"{at_least}{created}{cost.points} points, {requests}"
