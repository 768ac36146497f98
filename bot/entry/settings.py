"""Settings of a process, from the environment (`HEADGATE_…`) and a settings file.

Secrets come from the environment or from files that only we can read, and are `SecretStr`. What
concerns one repository is in its policy.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.core.talk import start_text

_PORT_MAX = 65_535
_PREFIX = "HEADGATE_"
# Of a name without the prefix to a setting's: one letter of six is wrong.
_LIKENESS = 0.8
# What pydantic-settings says of a list or a mapping that is not JSON; it has no other word for which.
_NOT_JSON = re.compile(r'error parsing value for field "(\w+)"')


def _var_default() -> Path:
    # A temporary folder is emptied at a restart, and the journal with it.
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "headgate"


def settings_file() -> Path:
    """The file that `headgate setup` writes: `HEADGATE_SETTINGS`, or one in the user's folder."""
    if named := os.environ.get("HEADGATE_SETTINGS"):
        return Path(named)
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "headgate" / "settings.env"


def _web_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("Use an address like https://headgate.example.com")
    return url


WebAddress = Annotated[str, AfterValidator(_web_address)]


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class ModelProvider(BaseModel):
    """An address that serves the Messages API, its key, and the models used there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str
    key: SecretStr
    models: tuple[str, ...]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="HEADGATE_", env_file=".env", extra="ignore", populate_by_name=True
    )

    var: Path = Field(
        default_factory=_var_default,
        description="Folder for all data of the server.",
        json_schema_extra={"default": "~/.local/state/headgate"},
    )
    github_api_url: WebAddress = Field("https://api.github.com", description="REST base URL.")
    oidc_issuer: WebAddress = Field(
        "https://token.actions.githubusercontent.com",
        description="The issuer that signs the tokens of workflow runs.",
    )
    app_id: int = Field(
        0, description="The id of the GitHub App. Without it, the server shows the setup pages."
    )
    private_key_file: Path | None = Field(None, description="The App's key, as a .pem file.")
    private_key: SecretStr | None = Field(
        None, description="The App's key itself, instead of a file."
    )
    webhook_secret: SecretStr = Field(
        SecretStr(""),
        description="The secret that GitHub signs webhook deliveries with. Empty: an App without a "
        "webhook.",
    )
    action_repository: str = Field(
        "headgate/headgate",
        description="The repository from which workflows take the action. Empty: the runner's own "
        "program.",
    )
    action_sha: str = Field(
        "",
        pattern="^([0-9a-f]{40})?$",
        description="The commit of the action. Default: the commit of this installation.",
    )
    host: str = Field(
        "127.0.0.1", description="The address on which the web server and the gateway listen."
    )
    port: int = Field(8460, ge=0, le=_PORT_MAX, description="The web server's port.")
    public_url: WebAddress = Field(
        default_factory=lambda known: f"http://127.0.0.1:{known['port']}",
        description="The address at which runners reach the server.",
        json_schema_extra={"default": "http://127.0.0.1:HEADGATE_PORT"},
    )
    peer_connections: int = Field(
        100,
        ge=1,
        description="How many connections one address outside private networks may have at the same "
        "time.",
    )
    proxies: tuple[str, ...] = Field(
        (),
        description="Addresses of proxies in front of the server, as a JSON list. Their connections "
        "are not limited.",
    )
    workers: int = Field(
        2, ge=1, description="Workers that `headgate up` starts, in addition to one for readings."
    )
    database_url: str = Field(
        "",
        validation_alias=AliasChoices("DATABASE_URL", "database_url"),
        description="PostgreSQL; empty: SQLite files under HEADGATE_VAR.",
    )
    redis_url: str = Field(
        "",
        validation_alias=AliasChoices("REDIS_URL", "redis_url"),
        description="Redis or Valkey; empty: `headgate up` starts a private one.",
    )
    model_base_url: WebAddress = Field(
        "https://api.anthropic.com",
        validation_alias=AliasChoices("ANTHROPIC_BASE_URL", "model_base_url"),
        description="The address of the Messages API.",
    )
    model_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("ANTHROPIC_API_KEY", "model_key"),
        description="The key for the Messages API. Empty: plans are made by rules, and agents that "
        "need a model do not start.",
    )
    model_providers: dict[str, ModelProvider] = Field(
        {}, description="More model providers by name, as JSON: base_url, key, models."
    )
    owners: str = Field(
        "",
        description="Logins of the accounts whose repositories this server serves, separated by "
        "commas. Empty: all accounts that install the App; then make the App private.",
    )
    model_gateway: bool | None = Field(
        None,
        description="Whether agent runs send model requests through this server, so that the key stays "
        "here. Default: on if there is a key. `off` gives the key to every agent run.",
    )
    gateway_port: int = Field(8461, ge=0, le=_PORT_MAX, description="The model gateway's port.")
    gateway_url: WebAddress | Literal[""] = Field(
        "",
        description="The address at which runners reach the gateway. Default: HEADGATE_PUBLIC_URL with "
        "the gateway's port if it has the web server's port, otherwise with /model.",
    )
    log_level: Annotated[LogLevel, BeforeValidator(str.lower)] = Field(
        LogLevel.INFO,
        validation_alias=AliasChoices("LOG_LEVEL", "log_level"),
        description="The level of the log: `debug` writes more, `warning` less.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment, `.env` of this folder, and the file of `headgate setup`."""
        written = DotEnvSettingsSource(settings_cls, env_file=settings_file())
        return init_settings, env_settings, dotenv_settings, written

    @property
    def has_app(self) -> bool:
        return bool(self.app_id and self.app_key())

    @property
    def has_webhook(self) -> bool:
        """Whether GitHub sends us webhooks; without, repositories are looked at more often."""
        return bool(self.webhook_secret.get_secret_value())

    @property
    def github_url(self) -> str:
        parts = urlsplit(self.github_api_url)
        if parts.netloc.startswith("api."):
            return f"{parts.scheme}://{parts.netloc.removeprefix('api.')}"
        return self.github_api_url.rstrip("/").removesuffix("/api/v3")

    @property
    def journal_url(self) -> str:
        return self.database_url or f"sqlite:///{self.var}/journal.db"

    @property
    def inbox_url(self) -> str:
        return self.database_url or f"sqlite:///{self.var}/inbox.db"

    @property
    def doorbell_url(self) -> str:
        return self.redis_url or f"unix://{self.var}/valkey.sock"

    @property
    def served_owners(self) -> frozenset[str]:
        """In lower case; empty: everybody."""
        return frozenset(one.strip().lower() for one in self.owners.split(",") if one.strip())

    @property
    def has_gateway(self) -> bool:
        """Whether a run gets a token of the gateway, and not the key."""
        return self.model_key is not None and self.model_gateway is not False

    @property
    def gateway_address(self) -> str:
        public = self.public_url.rstrip("/")
        parts = urlsplit(public)
        if self.gateway_url:
            return self.gateway_url.rstrip("/")
        if parts.port == self.port:
            return parts._replace(netloc=f"{parts.hostname}:{self.gateway_port}").geturl()
        return f"{public}/model"

    def gateway_secret(self) -> bytes:
        """What tokens of the gateway are signed with, in every process of this App."""
        return hashlib.sha256(b"headgate model gateway\n" + self.app_key().encode()).digest()

    @property
    def app_key_file(self) -> str:
        """Where the App's key is looked for; empty if the settings hold the key itself, or name none."""
        return str(self.private_key_file or "") if self.private_key is None else ""

    def app_key(self) -> str:
        if self.private_key is not None:
            return self.private_key.get_secret_value()
        if self.private_key_file is not None:
            with contextlib.suppress(OSError):
                # A file that is no text is no key: it is reported like any key that GitHub refuses.
                return self.private_key_file.read_text("utf-8", "replace")
        return ""


def told_of_settings(failure: ValueError) -> str:
    """Which settings cannot be read, and why; never a value, which may be a secret."""
    if not isinstance(failure, ValidationError):
        field = _NOT_JSON.search(str(failure))
        return (
            start_text.settings_wrong([(variable(field[1]), start_text.NOT_JSON)])
            if field
            else str(failure)
        )
    wrong = [
        (variable(str(error["loc"][0])), error["msg"].removeprefix("Value error, "))
        for error in failure.errors(include_input=False)
        # A default that depends on another setting, which is itself reported.
        if error["type"] != "default_factory_not_called"
    ]
    return start_text.settings_wrong(wrong)


def mistyped_settings() -> dict[str, str]:
    """Variables that nothing reads, by the setting that is nearly spelt so."""
    known = {variable(name) for name in Settings.model_fields} | {"HEADGATE_SETTINGS"}
    written = [*os.environ]
    for file in (Path(".env"), settings_file()):
        written += DotEnvSettingsSource(Settings, env_file=file).env_vars
    ours = [name for name in dict.fromkeys(map(str.upper, written)) if name.startswith(_PREFIX)]
    return {
        name: f"{_PREFIX}{near[0]}"
        for name in ours
        if name not in known
        and (near := get_close_matches(name.removeprefix(_PREFIX), _tails(known), 1, _LIKENESS))
    }


def _tails(names: Iterable[str]) -> list[str]:
    return [name.removeprefix(_PREFIX) for name in sorted(names)]


def variable(field: str) -> str:
    """The environment variable of a setting that does not name one."""
    return field if field.isupper() else f"HEADGATE_{field.upper()}"
