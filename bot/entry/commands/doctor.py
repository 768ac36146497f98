"""`headgate doctor`: what is missing here, and how to get it; and where each policy value is from."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from textwrap import shorten

from rich.table import Table
from rich.text import Text

from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy import PolicyRefusal, no_policy, read_policy
from bot.core.state.webhook import EVENTS
from bot.core.talk import setup_text
from bot.core.talk.disabled_features import disabled_without_model
from bot.core.values.model_roles import ModelRole
from bot.core.values.redelivery import LOOK_BACK
from bot.entry.commands.app_trouble import app_trouble
from bot.entry.commands.before_start import (
    git_trouble,
    git_version,
    redis_trouble,
    store_trouble,
)
from bot.entry.model_settings import server_models
from bot.entry.settings import Settings, mistyped_settings, settings_file
from bot.entry.terminal import Terminal
from bot.entry.valkey import valkey_program
from bot.entry.workflow_files import action_source
from bot.ports import Retryable, UserError
from gates.profiles.plugins import all_profiles
from gates.profiles.profile import ProfileError

_GATEWAY_SECONDS = 5.0
_SENTENCE_CHARACTERS = 300
_NOT_LOOKED_AT = "not checked"


class Health(StrEnum):
    """`missing` is needed to run here; `absent` is needed for some uses only."""

    FINE = "fine"
    ABSENT = "absent"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
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
        Terminal(soft_wrap=True).print_json(json.dumps(shown))
        return code
    console = Terminal()
    for finding in findings:
        console.print(Text(f"{finding.health:>7}  {finding.name}: {finding.says}"), soft_wrap=True)
        if finding.how:
            console.print(Text(f"{'':>7}  → {finding.how}"), soft_wrap=True)
    _print_policy(console, policy, values, is_good=policy_is_good)
    return code


def _print_policy(
    console: Terminal, policy: Path, values: list[dict[str, str]], *, is_good: bool
) -> None:
    """Only what somebody set: a page of defaults hides it, and `--json` has them all."""
    if not policy.is_file():
        console.print(f"There is no policy {policy} here, so the defaults apply (docs/policy.md).")
        return
    chosen = [row for row in values if row["origin"] != "default"]
    origins = Table("Setting", "Value", "Origin", title=str(policy))
    for row in chosen:
        origins.add_row(row["key"], row["value"], row["origin"])
    if chosen:
        console.print(origins)
    if is_good:
        console.print(f"{len(values) - len(chosen)} settings have their default (--json: all).")


def examine(settings: Settings) -> list[Finding]:
    checks: tuple[Callable[[Settings], Finding], ...] = (
        _settings,
        _python,
        _git,
        _sandbox,
        _doorbell,
        _store,
        _journals,
        _troubles,
        _repositories,
        _app,
        _rules,
        _webhook_secret,
        _model,
        _gateway,
        _action,
        examine_profiles,
    )
    return [check(settings) for check in checks]


def _settings(_settings: Settings) -> Finding:
    file = settings_file()
    named = mistyped_settings()
    if named:
        said = "; ".join(f"{wrong} is not a setting" for wrong in named)
        meant = ", ".join(named.values())
        return Finding("settings", Health.ABSENT, said, f"did you mean {meant}?")
    if os.environ.get("HEADGATE_SETTINGS") and not file.exists():
        how = "run `headgate setup` to write it, or set HEADGATE_SETTINGS to the file that it wrote"
        return Finding("settings", Health.ABSENT, f"there is no {file}", how)
    return Finding("settings", Health.FINE, str(file) if file.is_file() else "the environment's")


def _python(_settings: Settings) -> Finding:
    return Finding("python", Health.FINE, sys.version.split()[0])


def _git(_settings: Settings) -> Finding:
    if trouble := git_trouble():
        return Finding("git", Health.MISSING, trouble.says, trouble.how)
    return Finding("git", Health.FINE, git_version())


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
    if trouble := redis_trouble(settings):
        return Finding("redis", Health.MISSING, trouble.says, trouble.how)
    if settings.redis_url:
        return Finding("redis", Health.FINE, "REDIS_URL answers")
    server = valkey_program()
    return Finding("redis", Health.FINE, f"bundled: {server.name if server else ''}")


def _store(settings: Settings) -> Finding:
    if trouble := store_trouble(settings):
        return Finding("database", Health.MISSING, trouble.says, trouble.how)
    kind = settings.journal_url.split(":", 1)[0]
    return Finding("database", Health.FINE, f"{kind}, {settings.var}")


def _journals(settings: Settings) -> Finding:
    from bot.adapters.store.engine import open_engine
    from bot.adapters.store.journal import SqlJournal
    from bot.entry.local_journal import DATABASE_FAILURES, unreadable_sentences

    try:
        journal = SqlJournal(open_engine(settings.journal_url))
        repositories = list(journal.repositories())
        unreadable = unreadable_sentences(journal, repositories)
    except DATABASE_FAILURES:
        return Finding("journal", Health.MISSING, _NOT_LOOKED_AT, "see the database above")
    if unreadable:
        how = "start the earlier release of Headgate that ran here"
        return Finding("journal", Health.MISSING, " ".join(unreadable), how)
    return Finding("journal", Health.FINE, f"{len(repositories)} repositories")


def _troubles(settings: Settings) -> Finding:
    """What fails again and again on the server; its log has it, too."""
    from bot.adapters.store.engine import open_engine
    from bot.adapters.store.journal import SqlJournal
    from bot.adapters.store.troubles import SqlTroubles
    from bot.core.state.troubles import standing
    from bot.core.talk.trouble_text import trouble_text
    from bot.entry.local_journal import DATABASE_FAILURES, names_of

    name = "troubles"
    try:
        kept = SqlTroubles(open_engine(settings.inbox_url)).all()
        journal = SqlJournal(open_engine(settings.journal_url))
        names = names_of(journal, {one.about for one in kept})
    except DATABASE_FAILURES:
        return Finding(name, Health.ABSENT, _NOT_LOOKED_AT, "see the database above")
    told = [trouble_text(t, names.get(t.about, "")) for t in standing(kept, datetime.now(UTC))]
    if not told:
        return Finding(name, Health.FINE, "none")
    return Finding(name, Health.ABSENT, "\n".join(told), "each sentence says what to do")


def _repositories(settings: Settings) -> Finding:
    """What people also see in the repositories' issues and check runs."""
    from bot.adapters.store.engine import open_engine
    from bot.adapters.store.journal import SqlJournal
    from bot.core.talk.news_text import standing
    from bot.entry.local_journal import DATABASE_FAILURES

    name = "repositories"
    told: list[str] = []
    try:
        journal = SqlJournal(open_engine(settings.journal_url))
        for repository in journal.repositories():
            state = journal.load(repository)
            full_name = state.facts.full_name if state.facts else f"repository {repository}"
            told += [f"{full_name}: {sentence}" for sentence in standing(state)]
    except DATABASE_FAILURES:
        return Finding(name, Health.ABSENT, _NOT_LOOKED_AT, "see the database above")
    if not told:
        return Finding(name, Health.FINE, "no repository waits for a person")
    return Finding(name, Health.ABSENT, "\n".join(told), "each sentence says what to do")


def _app(settings: Settings) -> Finding:
    name = "GitHub App"
    if settings.app_id and not settings.app_key():
        says = setup_text.key_missing(settings.app_id, settings.app_key_file)
        return Finding(name, Health.MISSING, says, setup_text.NO_KEY_MEND)
    if not settings.has_app:
        how = (
            "run `headgate setup` to create one in your browser, or set HEADGATE_APP_ID and "
            "HEADGATE_PRIVATE_KEY_FILE (docs/install.md)"
        )
        return Finding(name, Health.MISSING, "no App is configured", how)
    from bot.adapters.github.forge import GitHubForge
    from bot.adapters.github.registration import is_public, look_at_app

    app = look_at_app(settings.github_api_url, settings.app_id, settings.app_key())
    if app.problem is not None:
        says, how = app_trouble(app.problem, app.detail, app.clock_ahead, settings)
        return Finding(name, Health.MISSING, says, how)
    page = f"{settings.github_url}{app.settings_path}"
    if app.lacks:
        how = f"grant it at {page}/permissions, then accept it where the App is installed"
        return Finding(name, Health.MISSING, f"lacks {', '.join(app.lacks)}", how)
    if not settings.served_owners and is_public(settings.github_api_url, app.slug):
        how = f"set HEADGATE_OWNERS, or make the App private at {page}/advanced"
        return Finding(
            name, Health.MISSING, f"{app.slug} is public, so anybody may install it", how
        )
    unheard = sorted(set(EVENTS) - set(app.events))
    if settings.has_webhook and unheard:
        how = f"tick it at {page}/permissions; until then, only the regular look sees such events"
        return Finding(name, Health.ABSENT, f"gets no events for {', '.join(unheard)}", how)
    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        installations = forge.installations()
    except (UserError, Retryable) as failure:
        how = "try again; `headgate up` also tries again"
        return Finding(name, Health.MISSING, _cut(failure.sentence), how)
    if not installations:
        how = f"open {app.html_url}/installations/new"
        return Finding(name, Health.MISSING, f"{app.slug} is installed in no repository", how)
    says = f"{app.slug}, installed in {len(installations)} repositories"
    return Finding(name, Health.FINE, says)


def _cut(sentence: str) -> str:
    return shorten(sentence, _SENTENCE_CHARACTERS, placeholder=" …")


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
        return Finding(name, Health.ABSENT, _cut(failure.sentence), "see the GitHub App above")
    if not told:
        return Finding(name, Health.FINE, "no rule refuses a landing")
    health = Health.ABSENT if refuses else Health.FINE
    return Finding(
        name, health, "\n".join(told), "each sentence says what to do; see also docs/rules.md"
    )


def _webhook_secret(settings: Settings) -> Finding:
    name = "webhook"
    if not settings.has_webhook:
        how = (
            "run `headgate webhook https://…` if GitHub can reach this server; otherwise you "
            "need no webhook"
        )
        says = "no webhook: Headgate checks active repositories every 15 s"
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
        how = "run `headgate webhook https://…` to give GitHub and this server the same secret"
        says = "GitHub signs with another secret, so its newest delivery was refused"
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
    how = "set ANTHROPIC_API_KEY; all other features work without it"
    return Finding("model", Health.ABSENT, f"no key; {disabled_without_model()}", how)


def _gateway(settings: Settings) -> Finding:
    name = "model gateway"
    if not settings.has_gateway:
        says = "off: agent runs get the key itself" if settings.model_key else "no model key"
        return Finding(name, Health.ABSENT, says)
    import httpx2

    address = settings.gateway_address
    try:
        answer = httpx2.get(f"{address}/healthz", timeout=_GATEWAY_SECONDS)
        says = f"{address} answers {answer.status_code}"
        is_fine = answer.is_success
    except httpx2.HTTPError as failure:
        says, is_fine = f"{address} does not answer ({type(failure).__name__})", False
    if is_fine:
        return Finding(name, Health.FINE, says)
    how = (
        "start `headgate up` or `headgate gateway`. Behind a proxy, forward /model/ to port "
        f"{settings.gateway_port}, or set HEADGATE_GATEWAY_URL to an address that runners can "
        "reach"
    )
    return Finding(name, Health.ABSENT, says, how)


def _action(settings: Settings) -> Finding:
    source = action_source(settings)
    if source is not None:
        says = f"workflows use {source.repository}/action@{source.sha}"
        return Finding("action", Health.FINE, says)
    says = "workflows call `headgate-action` of the runner image"
    how = "set HEADGATE_ACTION_SHA to a commit of HEADGATE_ACTION_REPOSITORY"
    return Finding("action", Health.ABSENT, says, how)


def examine_profiles(_settings: Settings) -> Finding:
    try:
        named = ", ".join(profile.name for profile in all_profiles())
    except ProfileError as failure:
        how = "until then no first policy is proposed"
        return Finding("profiles", Health.MISSING, failure.sentence, how)
    return Finding("profiles", Health.FINE, named)


def _policy_values(path: Path) -> tuple[list[dict[str, str]], bool]:
    text = path.read_text("utf-8", "replace") if path.is_file() else None
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
