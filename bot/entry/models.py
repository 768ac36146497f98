"""Models as this server's owner set them: environment and options as tiers, providers with keys;
and `headgate models explain`.

The rule: addresses and keys come from here alone, since a policy is a file that many may write, and
no key is ever printed. Deliberately absent: choosing; that is `resolve`.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from bot.adapters.model.messages import MessagesModel, Provider
from bot.core.spec.model_choice import (
    ModelRefusal,
    ModelSetting,
    Resolved,
    ServerModels,
    Tier,
    resolve,
)
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.values.model_roles import ModelRole
from bot.core.values.price import price_of
from bot.entry.settings import Settings

_PREFIX = "HEADGATE_MODEL_"
# Variables of this prefix that name no role.
_OTHERS = {"HEADGATE_MODEL_PROVIDERS"}


def server_models(
    settings: Settings, environment: Mapping[str, str], options: Sequence[str] = ()
) -> ServerModels:
    """What this server brings. `options` are `role=model`, as the command line gives them."""
    said = [
        ModelSetting(
            role=role.strip(),
            value=value.strip(),
            tier=Tier.COMMAND_LINE,
            where=f"--model {option}",
        )
        for option in options
        for role, _, value in [option.partition("=")]
    ]
    said += [
        ModelSetting(
            role=name.removeprefix(_PREFIX).lower().replace("_", "."),
            value=value.strip(),
            tier=Tier.ENVIRONMENT,
            where=name,
        )
        for name, value in sorted(environment.items())
        if name.startswith(_PREFIX) and name not in _OTHERS and value.strip()
    ]
    has_key = settings.model_key is not None and bool(settings.model_key.get_secret_value())
    offered = tuple(m for p in settings.model_providers.values() for m in p.models)
    return ServerModels(can_ask=has_key or bool(offered), settings=tuple(said), offered=offered)


def make_model(settings: Settings) -> MessagesModel | None:
    """The model port with every provider; None where no key is at hand."""
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    by_model = {
        name: Provider(base_url=p.base_url, key=p.key.get_secret_value())
        for p in settings.model_providers.values()
        for name in p.models
    }
    if not key and not by_model:
        return None
    default = Provider(base_url=settings.model_base_url, key=key) if key else None
    return MessagesModel(default, by_model)


def print_explanation(policy_file: Path, options: Sequence[str], as_json: bool) -> int:
    """0: every role has its models; 1: one has none; 2: the policy cannot be read."""
    text = policy_file.read_text() if policy_file.is_file() else None
    policy = read_policy(text)
    if isinstance(policy, PolicyRefusal):
        first = policy.findings[0]
        Console(stderr=True).print(f"{policy_file}:{first.line} {first.question}")
        return 2
    found = [resolve(role, policy, _here(options)) for role in ModelRole]
    if as_json:
        shown = [_row(one, policy) for one in found]
        typer.echo(json.dumps(shown, indent=2))
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
    table = Table("Role", "Models, in turn", "Said by", "Where", "$ per million in / out")
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
