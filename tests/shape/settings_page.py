"""docs/settings.md: every setting of the server, and every variable that a runner's owner sets."""

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from action.harness.addresses import PLAIN_HTTP_VARIABLE, SERVERS_VARIABLE
from action.harness.folder import LAYERS_VARIABLE
from action.sandbox.view import EXTRA_PATHS_VARIABLE
from bot.entry.settings import Settings, variable

_BEGIN = """# Settings

What concerns one repository is in its policy: [policy.md](policy.md).

## The server

From the environment, then from `.env` of the folder in which it is started, then from the settings file that
`headgate setup` writes. A list or a mapping is JSON.

| Variable | Default | What it says |
|---|---|---|
| `HEADGATE_SETTINGS` | `~/.config/headgate/settings.env` | The settings file. |
"""
_MODELS = "| `HEADGATE_MODEL_PLAN_MERGE=…` and others | – | The model for one role: `headgate models explain` names them. |\n"
_RUNNER = """
## The runner

From the environment of the runner's own process (its `.env`). What an order needs comes from the server.

| Variable | What it says |
|---|---|
"""

_OF_RUNNERS = {
    SERVERS_VARIABLE: "The only servers that this runner works for, separated by commas.",
    PLAIN_HTTP_VARIABLE: "`loopback`: http is spoken with a server on this machine.",
    EXTRA_PATHS_VARIABLE: "Further tools to show read-only in the sandbox, separated by `:`.",
    LAYERS_VARIABLE: "A folder where what `setup` made is kept for later orders; `off`: nothing is kept.",
}


def settings_page() -> str:
    rows = [_row(name, field) for name, field in Settings.model_fields.items()]
    runner = [f"| `{name}` | {says} |\n" for name, says in _OF_RUNNERS.items()]
    return _BEGIN + "".join(rows) + _MODELS + _RUNNER + "".join(runner)


def _row(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    called = str(alias.choices[0]) if isinstance(alias, AliasChoices) else variable(name)
    if not field.description:
        raise ValueError(f"{called} has no description")
    says = field.description.replace("|", "\\|")
    return f"| `{called}` | {_default(field)} | {says} |\n"


def _default(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    if isinstance(extra, dict) and "default" in extra:
        return f"`{extra['default']}`"
    value = field.default
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if value is PydanticUndefined or value in (None, "", 0, (), {}):
        return "–"
    return f"`{value}`"
