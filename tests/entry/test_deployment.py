"""What starts a server: the compose file and the systemd units name real commands and settings."""

import configparser
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices
from ruamel.yaml import YAML
from typer.main import get_command

from bot.entry.cli import app
from bot.entry.jobs import Jobs
from bot.entry.settings import Settings
from tests.needs import needs_systemd

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
GIVEN = {"HEADGATE_DOMAIN": "headgate.example.org", "POSTGRES_PASSWORD": "secret"}
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def commands() -> set[str]:
    return set(get_command(app).commands)  # type: ignore[attr-defined]


def variables() -> set[str]:
    """Every environment variable that is a setting."""
    found = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [f"HEADGATE_{name}"]
        found.add(str(choices[0]).upper())
    return found


def compose() -> dict[str, Any]:
    """The file with its variables filled in, as compose does."""

    def value(match: re.Match[str]) -> str:
        name, default = match["name"], match["default"]
        return GIVEN[name] if default is None else default

    text = (ROOT / "compose.yaml").read_text()
    form = r"\$\{(?P<name>\w+)(?::-(?P<default>[^}]*)|:\?[^}]*)?\}"
    loaded: dict[str, Any] = YAML(typ="safe").load(re.sub(form, value, text))
    return loaded


def example() -> dict[str, str]:
    lines = (DEPLOY / "headgate.env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def unit(path: Path) -> Mapping[str, list[str]]:
    """The section [Service]; a key may occur several times."""
    found: dict[str, list[str]] = {}
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(path.read_text())
    assert set(parser.sections()) == {"Unit", "Service", "Install"}
    for line in path.read_text().splitlines():
        key, separator, value = line.partition("=")
        if separator:
            found.setdefault(key, []).append(value)
    return found


def test_every_process_of_the_server_is_a_service() -> None:
    services = compose()["services"]
    ours = {n: s for n, s in services.items() if s.get("image") == "headgate"}
    assert {s["command"][0] for s in ours.values()} == {"serve", "worker", "sweep", "gateway"}
    assert {"serve", "worker", "sweep", "gateway"} <= commands()
    assert set(services) - set(ours) == {"postgres", "valkey", "proxy"}


def test_the_compose_file_is_valid() -> None:
    schema = ("--builtin-schema", "vendor.compose-spec")
    argv = [sys.executable, "-m", "check_jsonschema", *schema, str(ROOT / "compose.yaml")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_systemd
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_systemd_accepts_each_unit(path: Path, tmp_path: Path) -> None:
    """With a program that is here in place of the one that the documents install."""
    there = tmp_path / path.name
    text = path.read_text()
    there.write_text(text.replace("/opt/headgate/.venv/bin/headgate", sys.executable))
    argv = ["systemd-analyze", "verify", "--man=no", str(there)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_services_settings_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    services = compose()["services"]
    said = services["web"]["environment"]
    assert set(said) <= variables()
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    settings = Settings(_env_file=None)
    assert settings.public_url == "https://headgate.example.org"
    assert settings.journal_url == "postgresql+psycopg://headgate:secret@postgres/headgate"
    assert settings.doorbell_url == "redis://valkey:6379/0"
    # Hosts in addresses are services; the key is where the secret is shown.
    assert {"postgres", "valkey"} <= set(services)
    assert str(settings.private_key_file) == f"/run/secrets/{services['web']['secrets'][0]}"


def test_volumes_secrets_and_dependencies_of_services_exist() -> None:
    whole = compose()
    for service in whole["services"].values():
        for place in service.get("volumes", ()):
            name = place.partition(":")[0]
            assert name in whole["volumes"] or (ROOT / name).is_file()
        assert set(service.get("secrets", ())) <= set(whole["secrets"])
        for other in service.get("depends_on", {}):
            assert "healthcheck" in whole["services"][other]


def test_only_the_proxy_is_reachable_from_outside() -> None:
    services = compose()["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert (
        "@inside path /metrics /readyz\n\trespond @inside 404" in (DEPLOY / "Caddyfile").read_text()
    )
    assert "reverse_proxy web:8460" in (DEPLOY / "Caddyfile").read_text()
    assert "{$HEADGATE_DOMAIN}" in (DEPLOY / "Caddyfile").read_text()
    assert Settings(_env_file=None).port == 8460
    assert (
        "handle_path /model/* {\n\t\treverse_proxy gateway:8461"
        in (DEPLOY / "Caddyfile").read_text()
    )
    assert Settings(_env_file=None).gateway_port == 8461


def test_the_example_settings_file_contains_only_known_settings() -> None:
    assert set(example()) - set(GIVEN) <= variables()
    assert set(GIVEN) <= set(example())


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_starts_a_command_with_settings(path: Path) -> None:
    service = unit(path)
    program, command, *_ = service["ExecStart"][0].split()
    assert program == "/opt/headgate/.venv/bin/headgate"
    assert command in commands()
    assert {line.partition("=")[0] for line in service["Environment"]} <= variables()
    (credential,) = service["LoadCredential"]
    name = credential.partition(":")[0]
    assert f"HEADGATE_PRIVATE_KEY_FILE=%d/{name}" in service["Environment"]
    assert f"HEADGATE_VAR=/var/lib/{service['StateDirectory'][0]}" in service["Environment"]


def test_there_is_a_unit_for_one_machine_and_one_for_each_process_of_several() -> None:
    started = {unit(path)["ExecStart"][0].split()[1] for path in UNITS}
    assert started == {"up", "serve", "worker", "sweep", "gateway"}


def test_the_worker_that_answers_commands_does_not_parse_pulls() -> None:
    """A pull may come from a stranger and be expensive to parse."""
    services = [s["command"] for s in compose()["services"].values() if "command" in s]
    units = [unit(path)["ExecStart"][0].split()[1:] for path in UNITS]
    for started in (services, units):
        jobs = sorted(one[1:] for one in started if one[0] == "worker")
        assert jobs == [[Jobs.PEOPLE], [Jobs.READINGS]]
