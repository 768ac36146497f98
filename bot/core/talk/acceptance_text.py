"""What a person is asked before a candidate may land, and what they said."""

from collections.abc import Iterable, Sequence

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.deviations import deviations
from bot.core.talk.proof_text import proof_lines
from bot.core.talk.text import cell, counted, cut, login
from bot.core.values.check_button import Button
from bot.core.values.check_run import GATE_PREFIX, CheckAction, CheckRunText, Conclusion
from bot.core.values.repository import Role
from gates.result import GateResult

_BUTTONS = (
    CheckAction(label="Accept", description="Let it land", identifier=Button.ACCEPT.value),
    CheckAction(
        label="Reject", description="Send it back to an agent", identifier=Button.REJECT.value
    ),
)


def acceptance(gate: str, role: Role, results: Sequence[GateResult]) -> CheckRunText:
    """The check run that asks: each requirement with its evidence, and what deviates."""
    asks = f"The gates passed. A person with the role {role} must press Accept or Reject."
    parts = (asks, *_deviation_lines(results), *proof_lines(results))
    return CheckRunText(
        name=f"{GATE_PREFIX}{gate}",
        conclusion=Conclusion.ACTION_REQUIRED,
        title="Waiting for a person to accept it",
        summary=cut("\n\n".join(parts), 65_000),
        actions=_BUTTONS,
    )


def _deviation_lines(results: Iterable[GateResult]) -> list[str]:
    """As a list of Markdown; empty where nothing deviates."""
    found = deviations(results)
    return (
        ["\n".join(("**Deviations**", "", *(f"- {cell(one)}" for one in found)))] if found else []
    )


def answered(person: str, count: int, *, is_accepted: bool) -> str:
    if not is_accepted:
        return f"{_plain(person)} rejected it."
    return f"{_plain(person)} accepted it" + (
        f", with {counted(count, 'deviation')}." if count else "."
    )


def not_permitted(gate: str, person: str, role: Role, needed: Role) -> str:
    return (
        f"The gate `{gate}` requires the role {needed}. {login(person)} has the role {role} "
        "here, so this press of the button has no effect."
    )


def accepted_deviations(
    state: RepositoryState, gates: Iterable[str], changes: Iterable[ChangeFacts]
) -> list[str]:
    """The lines of a report: what deviated in landed changes that a person accepted."""
    names = set(gates)
    return [
        f"- `{change.slug}`: {cell(by.sentence)} {'; '.join(cell(one) for one in found)}"
        for change in changes
        if change.landed is not None
        for results in (state.results_of(change),)
        for by in results
        if by.gate in names and (found := deviations(r for r in results if r is not by))
    ]


def _plain(person: str) -> str:
    """The login without a mention, because the sentence is repeated often."""
    return login(person).removeprefix("@")
