"""What people tell the agents of a change: in its next order, and to the run that is under way."""

from action.order import AgentKind
from bot.core.decide.changes.agent_order import settings_of
from bot.core.decide.decision import Decision
from bot.core.journal.effects import TellOrder
from bot.core.journal.events import WordsTold
from bot.core.journal.state import ChangeFacts, OrderFacts, OrderKind, SpecRun
from bot.core.state.told import told_since
from bot.core.talk import told_text
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Comment
from bot.core.values.review import ReviewComment

# A text that is longer is a spec, and more of them are a talk.
TEXT_CHARACTERS_MAX = 4_000
TOLD_MAX = 50
_ALL = "all"


def tell(
    decision: Decision, run: SpecRun, here: ChangeFacts | None, argument: str, comment: Comment
) -> Reply:
    changes = decision.state.changes_of(run.id)
    named, text = _named(changes, here, argument)
    if not text or not named:
        return refuse(told_text.needs_change_and_text(run, changes))
    if len(text) > TEXT_CHARACTERS_MAX:
        return refuse(told_text.too_long(TEXT_CHARACTERS_MAX))
    landed = [c for c in named if c.state is ChangeState.LANDED]
    open_to = [c for c in named if c.state is not ChangeState.LANDED]
    if not open_to:
        return refuse(told_text.has_landed(landed))
    if any(len(c.told) >= TOLD_MAX for c in open_to):
        return refuse(told_text.too_many(TOLD_MAX))
    for change in open_to:
        decision.emit(
            WordsTold(change=change.id, author=comment.author, text=text, told_at=decision.now)
        )
    later = [c for c in open_to if not hears(decision, c)]
    return reply(told_text.heard_later(later)) if later else reply()


def tell_from_review(decision: Decision, change: ChangeFacts, comment: ReviewComment) -> str:
    """Keep what a person said at a line of the change's pull; why it was refused, else empty."""
    if len(comment.body) > TEXT_CHARACTERS_MAX:
        return told_text.too_long(TEXT_CHARACTERS_MAX)
    if len(change.told) >= TOLD_MAX:
        return told_text.too_many(TOLD_MAX)
    decision.emit(
        WordsTold(
            change=change.id,
            author=comment.author,
            text=comment.body,
            told_at=decision.now,
            path=comment.path,
            line=comment.line,
            comment=comment.id,
            thread=comment.thread,
        )
    )
    return ""


def next_steps(decision: Decision) -> None:
    """Lay out for every run under way what it was not ordered with."""
    for order in [decision.state.orders[id_] for id_ in decision.state.open_orders]:
        change = decision.state.changes.get(order.change) if order.change else None
        if change is None or order.kind is not OrderKind.AGENT or order.dispatched_at is None:
            continue
        words = told_since(change, order.placed_at)
        effect = TellOrder(order=order.id, told=words)
        is_told = decision.state.published.get(effect.subject) == effect.text_digest
        if words and not is_told:
            decision.intend(effect)


def _named(
    changes: tuple[ChangeFacts, ...], here: ChangeFacts | None, argument: str
) -> tuple[tuple[ChangeFacts, ...], str]:
    """The changes that are meant, and the words."""
    first, _, rest = argument.strip().partition(" ")
    if "\n" in first:
        first, _, rest = argument.strip().partition("\n")
    wanted = first.strip("`:,")
    if wanted == _ALL:
        return tuple(c for c in changes if not c.is_ended), rest.strip()
    # A number without its sign may begin a sentence.
    found = tuple(c for c in changes if wanted in (c.slug, f"#{c.issue}", f"#{c.pull}"))
    if found:
        return found, rest.strip()
    return ((here,) if here is not None else ()), argument.strip()


def hears(decision: Decision, change: ChangeFacts) -> bool:
    """Whether a run is under way that reads what it is told: while it works, or when it says it is done."""
    order = decision.state.orders.get(change.order) if change.order else None
    kind = settings_of(decision, change).kind
    return _is_with_agent(order) and kind is not AgentKind.COMMAND and not change.remaking


def _is_with_agent(order: OrderFacts | None) -> bool:
    return order is not None and order.is_open and order.kind is OrderKind.AGENT
