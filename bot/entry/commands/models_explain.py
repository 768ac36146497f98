"""`headgate models explain`: which models each role has, and which setting says so."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.core.spec.model_choice import ModelRefusal, Resolved, ServerModels, resolve
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.values.model_roles import ModelRole
from bot.core.values.price import price_of
from bot.entry.model_settings import server_models
from bot.entry.settings import Settings


def print_explanation(policy_file: Path, options: Sequence[str], as_json: bool) -> int:
    """Returns 0; 1 if a role has no model; 2 if the policy cannot be read."""
    text = policy_file.read_text() if policy_file.is_file() else None
    policy = read_policy(text)
    if isinstance(policy, PolicyRefusal):
        first = policy.findings[0]
        Console(stderr=True).print(f"{policy_file}:{first.line} {first.question}")
        return 2
    found = [resolve(role, policy, _here(options)) for role in ModelRole]
    if as_json:
        shown = [_row(one, policy) for one in found]
        Console(soft_wrap=True).out(json.dumps(shown, indent=2), highlight=False)
    else:
        _print(found, policy)
    return 1 if any(isinstance(one, ModelRefusal) for one in found) else 0


def _here(options: Sequence[str]) -> ServerModels:
    return server_models(Settings(), os.environ, options)


def _row(one: Resolved | ModelRefusal, policy: Policy) -> dict[str, object]:
    if isinstance(one, ModelRefusal):
        return {"role": one.role, "tier": one.tier, "error": one.sentence}
    known = {m: price_of(m, policy.file.prices) for m in one.models}
    return {
        "role": one.role,
        "value": one.value,
        "models": list(one.models),
        "tier": one.tier,
        "where": one.where,
        "prices": {m: p.model_dump() if p else "unknown" for m, p in known.items()},
    }


def _print(found: Sequence[Resolved | ModelRefusal], policy: Policy) -> None:
    table = Table("Role", "Models, in order", "Set by", "Where", "$ per million in / out")
    refused = []
    for one in found:
        if isinstance(one, ModelRefusal):
            refused.append(one.sentence)
            continue
        prices = [price_of(m, policy.file.prices) for m in one.models]
        shown = [f"{p.input:g} / {p.output:g}" if p else "unknown" for p in prices]
        table.add_row(one.role, "\n".join(one.models), one.tier, one.where, "\n".join(shown))
    console = Console()
    console.print(table)
    for sentence in dict.fromkeys(refused):
        console.print(sentence, highlight=False)
