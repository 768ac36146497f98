"""`headgate models explain`: which models each role has, which setting says so, what they cost."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from rich.table import Column, Table

from action.order import Price
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import ModelRefusal, Resolved, ServerModels, resolve
from bot.core.spec.policy import Policy
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_model import ChangeSize
from bot.core.values.price import AGENT_TURN, cost, price_of
from bot.entry.commands.policy_here import policy_at
from bot.entry.model_settings import server_models
from bot.entry.settings import Settings
from bot.entry.terminal import Terminal
from bot.ports import UserError

_AGENTS = {ModelRole.AGENT, ModelRole.AGENT_SMALL}
# Wide enough for the names of the models that are built in.
_NAME_WIDTH = 17
_ONE_TURN = (
    f"One turn of an agent is a request that reads {AGENT_TURN.cache_read:,} tokens from the "
    f"cache, writes {AGENT_TURN.cache_write:,} into it and answers with {AGENT_TURN.output:,}."
)


def print_explanation(policy_file: Path, options: Sequence[str], as_json: bool) -> int:
    """Returns 0; 1 if a role has no model; 2 if the policy cannot be read."""
    try:
        policy = policy_at(policy_file)
    except UserError as wrong:
        Terminal(stderr=True, soft_wrap=True).print(wrong.sentence)
        return 2
    server = _here(options)
    found = [resolve(role, policy, server) for role in ModelRole]
    if as_json:
        shown = [_row(one, policy) for one in found]
        Terminal(soft_wrap=True).out(json.dumps(shown, indent=2), highlight=False)
    else:
        _print(found, policy, server)
    return 1 if any(isinstance(one, ModelRefusal) for one in found) else 0


def _here(options: Sequence[str]) -> ServerModels:
    return server_models(Settings(), os.environ, options)


def _row(one: Resolved | ModelRefusal, policy: Policy) -> dict[str, object]:
    if isinstance(one, ModelRefusal):
        return {"role": one.role, "tier": one.tier, "error": one.sentence}
    known = {m: price_of(m, policy.file.prices) for m in one.models}
    row: dict[str, object] = {
        "role": one.role,
        "value": one.value,
        "models": list(one.models),
        "tier": one.tier,
        "where": one.where,
        "prices": {m: p.model_dump() if p else "unknown" for m, p in known.items()},
    }
    if one.role in _AGENTS:
        costs = {m: cost(AGENT_TURN, p) for m, p in known.items()}
        row["dollars_per_turn"] = {m: "unknown" if c is None else c for m, c in costs.items()}
    return row


def _print(found: Sequence[Resolved | ModelRefusal], policy: Policy, server: ServerModels) -> None:
    # Names are typed again in settings: they may be broken, and never cut.
    models = Column("Models, in order", no_wrap=False, overflow="fold", min_width=_NAME_WIDTH)
    table = Table("Role", models, "Set by", "Where", "$ per M\nin / out", "$ a\nturn")
    refused = []
    for one in found:
        if isinstance(one, ModelRefusal):
            refused.append(one.sentence)
            continue
        prices = [price_of(m, policy.file.prices) for m in one.models]
        shown = [f"{p.input:g} / {p.output:g}" if p else "unknown" for p in prices]
        turns = [_turn(price) if one.role in _AGENTS else "" for price in prices]
        table.add_row(
            *(one.role, "\n".join(one.models), one.tier, one.where),
            *("\n".join(shown), "\n".join(turns)),
        )
    console = Terminal()
    if len(refused) < len(found):
        console.print(table)
        console.print(_ONE_TURN, highlight=False)
        for size in ChangeSize:
            console.print(_attempt(size, policy, server), highlight=False)
    for sentence in dict.fromkeys(refused):
        console.print(sentence, highlight=False)


def _turn(price: Price | None) -> str:
    dollars = cost(AGENT_TURN, price)
    return "unknown" if dollars is None else f"{dollars:.3f}"


def _attempt(size: ChangeSize, policy: Policy, server: ServerModels) -> str:
    """What an attempt at a change of one size may spend, and how many turns that pays for."""
    agent = agent_settings(policy, server, size)
    limits = agent.limits
    bounds = f"{limits.tokens_max:,} weighted tokens and {limits.turns_max} turns"
    dollars = cost(AGENT_TURN, price_of(agent.model, policy.file.prices))
    if dollars is None or limits.dollars_max is None:
        return f"Size {size}: at most {bounds}; the price of {agent.model} is unknown."
    paid = f", about {limits.dollars_max / dollars:.0f} turns" if dollars else ""
    return f"Size {size}: at most ${limits.dollars_max:.2f} of {agent.model}{paid}; {bounds}."
