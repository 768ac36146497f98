"""Settings of a process, from the environment (`HEADGATE_…`) and a settings file.

Secrets come from the environment or from files that only we can read, and are `SecretStr`. What
concerns one repository is in its policy.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)


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


class ModelProvider(BaseModel):
    """An address that serves the Messages API, its key, and the models used there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str
    key: SecretStr
    models: tuple[str, ...]


class Settings(BaseSettings):
    """What a process of Headgate needs to start."""

    model_config = SettingsConfigDict(
        env_prefix="HEADGATE_", env_file=".env", extra="ignore", populate_by_name=True
    )

    var: Path = Field(default_factory=_var_default, description="Folder for everything kept.")
    github_api_url: str = Field("https://api.github.com", description="REST base URL.")
    oidc_issuer: str = "https://token.actions.githubusercontent.com"
    app_id: int = 0
    private_key_file: Path | None = None
    private_key: SecretStr | None = None
    webhook_secret: SecretStr = SecretStr("")
    public_url: str = Field("http://127.0.0.1:8460", description="Where runners reach the server.")
    action_repository: str = Field(
        "headgate/headgate",
        description="Where workflows take the action from; empty: the runner's own program.",
    )
    action_sha: str = Field(
        "",
        pattern="^([0-9a-f]{40})?$",
        description="Its commit; unless said, this installation's own.",
    )
    host: str = "127.0.0.1"
    port: int = 8460
    workers: int = 2
    database_url: str = Field("", validation_alias=AliasChoices("DATABASE_URL", "database_url"))
    redis_url: str = Field("", validation_alias=AliasChoices("REDIS_URL", "redis_url"))
    model_base_url: str = Field(
        "https://api.anthropic.com",
        validation_alias=AliasChoices("ANTHROPIC_BASE_URL", "model_base_url"),
    )
    model_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("ANTHROPIC_API_KEY", "model_key")
    )
    model_providers: dict[str, ModelProvider] = Field(
        {}, description="Further model providers by name, as JSON: base_url, key, models."
    )
    log_level: str = Field("info", validation_alias=AliasChoices("LOG_LEVEL", "log_level"))

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
        """Whether there is an App to act as."""
        return bool(self.app_id and self.app_key())

    @property
    def has_webhook(self) -> bool:
        """Whether GitHub sends us webhooks; without, repositories are looked at more often."""
        return bool(self.webhook_secret.get_secret_value())

    @property
    def github_url(self) -> str:
        """Where people see this GitHub."""
        parts = urlsplit(self.github_api_url)
        if parts.netloc.startswith("api."):
            return f"{parts.scheme}://{parts.netloc.removeprefix('api.')}"
        return self.github_api_url.rstrip("/").removesuffix("/api/v3")

    @property
    def journal_url(self) -> str:
        """The journal's database: `DATABASE_URL`, or an SQLite file under `var`."""
        return self.database_url or f"sqlite:///{self.var}/journal.db"

    @property
    def inbox_url(self) -> str:
        """The inbox's database: the same server, or an SQLite file of its own."""
        return self.database_url or f"sqlite:///{self.var}/inbox.db"

    @property
    def doorbell_url(self) -> str:
        """Redis: `REDIS_URL`, or the bundled Valkey's socket under `var`."""
        return self.redis_url or f"unix://{self.var}/valkey.sock"

    def app_key(self) -> str:
        """The App's private key; empty if none is set."""
        if self.private_key is not None:
            return self.private_key.get_secret_value()
        if self.private_key_file is not None and self.private_key_file.is_file():
            return self.private_key_file.read_text()
        return ""
