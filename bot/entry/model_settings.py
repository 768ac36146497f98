"""Models as this server's owner set them: environment and options as tiers, providers with keys.

Addresses and keys come from here alone, because a policy is a file that many people may write.
"""

from collections.abc import Mapping, Sequence

from bot.adapters.model.messages import MessagesModel, Provider
from bot.core.spec.model_choice import ModelSetting, ServerModels, Tier
from bot.entry.settings import Settings

_PREFIX = "HEADGATE_MODEL_"
# Variables of this prefix that name no role.
_OTHERS = {"HEADGATE_MODEL_PROVIDERS", "HEADGATE_MODEL_GATEWAY"}


def server_models(
    settings: Settings, environment: Mapping[str, str], options: Sequence[str] = ()
) -> ServerModels:
    """The models that this server offers. `options` are `role=model` of the command line."""
    found = [
        ModelSetting(
            role=role.strip(),
            value=value.strip(),
            tier=Tier.COMMAND_LINE,
            where=f"--model {option}",
        )
        for option in options
        for role, _, value in [option.partition("=")]
    ]
    found += [
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
    return ServerModels(can_ask=has_key or bool(offered), settings=tuple(found), offered=offered)


def make_model(settings: Settings) -> MessagesModel | None:
    """The model port with every provider; None if no key is set."""
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
