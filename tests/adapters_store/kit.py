"""Databases for the tests of the store, and values to put into them."""

from datetime import UTC, datetime, timedelta

from action.order import AgentOrder
from action.report import AgentEnding, AgentReport
from bot.core.journal.events import CommandHeard, EffectDone, Event, RepositoryInstalled
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import CommentId, EffectKey, InstallationId, IssueNumber, RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
REPOSITORY = RepositoryId(7)
OTHER = RepositoryId(8)
AGAIN = Hint(kind=HintKind.AGAIN)

INSTALLED = RepositoryInstalled(
    facts=RepositoryFacts(
        id=REPOSITORY,
        full_name="acme/shop",
        default_branch="main",
        installation_id=InstallationId(3),
        clone_url="https://github.test/acme/shop.git",
        html_url="https://github.test/acme/shop",
        bot_login="headgate[bot]",
        bot_id=99,
        app_id=5,
    ),
    main=Sha("a" * 40),
    tree=Sha("b" * 40),
    known_specs={"specs/a.md": "v1"},
)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def heard(number: int) -> Event:
    """An event that shows in the state."""
    return CommandHeard(comment=CommentId(number), issue=IssueNumber(1))


def heavy(weight: int, about: int = 0) -> tuple[Event, ...]:
    """Events of at least so many bytes in all, which leave nothing in the state but a count."""
    text = f"{about} {'x' * 990}"
    return tuple(EffectDone(key=EffectKey(f"{n} {text}")) for n in range(weight // 1_000 + 1))


def done(number: int) -> Event:
    """An event that shows only in the count."""
    return EffectDone(key=EffectKey(f"x:{number}"))


def order(id_: str = "o1", repository: str = "acme/shop") -> AgentOrder:
    return AgentOrder(
        order_id=id_,
        repository=repository,
        clone_url="https://github.test/acme/shop.git",
        base_sha="a" * 40,
        start_sha="a" * 40,
        start_ref="refs/heads/main",
        change="cart",
        title="Cart",
        attempt=1,
        requirements=(),
    )


def report(id_: str = "o1", sentence: str = "Done.") -> AgentReport:
    return AgentReport(order_id=id_, ending=AgentEnding.GAVE_UP, sentence=sentence)
