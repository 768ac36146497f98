"""`python -m action doctor`: what a runner lacks for orders, each with what to do about it.

Every check tries the thing itself: a command in a sandbox, a request to the server.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from pathlib import Path

from action.agents.adapters.table import ADAPTERS
from action.bare_python import PACKAGES
from action.harness.addresses import is_address, refusal_of_server
from action.harness.folder import order_folder
from action.harness.http_client import Answer, HttpClient, NoAnswerError
from action.harness.programs import find_program
from action.order import SandboxRule
from action.report import SandboxKind
from action.sandbox.choice import SandboxRefusal, choose
from action.sandbox.sandbox import Sandbox
from gates.profiles.plugins import all_profiles
from gates.profiles.profile import ProfileError

DISK_BYTES_MIN = 2 * 1024**3
# GitHub's OIDC tokens live for five minutes, and none is good before its time.
CLOCK_SECONDS_MAX = 60
_TIMEOUT_SECONDS = 10.0
_KERNEL = Path("/proc/sys")
_SERVER_OPTION = "--server https://your-server"


class Health(StrEnum):
    """`missing` keeps orders from being done; `unknown` was not looked at."""

    FINE = "fine"
    UNKNOWN = "unknown"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    name: str
    health: Health
    says: str
    how: str = ""


@dataclass(frozen=True)
class Asked:
    """The command line. `environment` is the runner's; a token reads its labels from GitHub."""

    environment: Mapping[str, str]
    server: str = ""
    api: str = "https://api.github.com"
    repository: str = ""
    label: str = "headgate"


def run_doctor(asked: Asked, as_json: bool) -> int:
    """0: nothing is missing; 1: something is."""
    findings = examine(asked)
    if as_json:
        shown = json.dumps({"findings": [asdict(finding) for finding in findings]}, indent=2) + "\n"
    else:
        shown = "".join(_lines(findings))
    sys.stdout.write(shown)
    return 1 if any(finding.health is Health.MISSING for finding in findings) else 0


def examine(asked: Asked) -> list[Finding]:
    checks: tuple[Callable[[Asked], Finding], ...] = (
        _python,
        _packages,
        _git,
        _sandbox,
        _agents,
        examine_profiles,
        _disk,
        *(_server_and_clock(asked)),
        _labels,
    )
    return [check(asked) for check in checks]


def _lines(findings: Iterable[Finding]) -> Iterable[str]:
    for finding in findings:
        yield f"{finding.health:>7}  {finding.name}: {finding.says}\n"
        if finding.how:
            yield f"{'':>7}  → {finding.how}\n"


def _python(_asked: Asked) -> Finding:
    """`action.bare_python` has looked at its version, and at the packages, before this could be read."""
    return Finding("python", Health.FINE, f"{sys.version.split()[0]}, {sys.executable}")


def _packages(_asked: Asked) -> Finding:
    return Finding("packages", Health.FINE, f"{len(PACKAGES)} found")


def _git(_asked: Asked) -> Finding:
    git = shutil.which("git")
    if git is None:
        return Finding("git", Health.MISSING, "not on PATH", "apt-get install git")
    done = subprocess.run([git, "version"], capture_output=True, text=True, check=False)
    return Finding("git", Health.FINE, done.stdout.strip())


def _sandbox(asked: Asked) -> Finding:
    with order_folder(asked.environment) as folder:

        def make(kind: SandboxKind) -> Sandbox:
            sandbox = folder.make_sandbox(kind, asked.environment)
            folder.give_to(sandbox)
            return sandbox

        made = choose(SandboxRule.REQUIRED, make)
    if isinstance(made, SandboxRefusal):
        return Finding("sandbox", Health.MISSING, made.sentence, sandbox_advice(_KERNEL))
    return Finding("sandbox", Health.FINE, made.kind)


def _agents(asked: Asked) -> Finding:
    """The programs that a policy may name; our own agent needs none."""
    named = [adapter.program for adapter in ADAPTERS.values() if adapter.program]
    found = {name: find_program(name, asked.environment) for name in named}
    places = [f"{name} ({it.path})" for name, it in found.items() if it is not None]
    return Finding("agents", Health.FINE, ", ".join(("Headgate's own", *places)))


def examine_profiles(_asked: Asked) -> Finding:
    try:
        named = ", ".join(profile.name for profile in all_profiles())
    except ProfileError as failure:
        return Finding("profiles", Health.MISSING, failure.sentence)
    return Finding("profiles", Health.FINE, named)


def sandbox_advice(kernel: Path) -> str:
    """What forbids namespaces here, by the kernel's own settings."""
    switches = (
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
        ("kernel/unprivileged_userns_clone", "0", "1"),
        ("user/max_user_namespaces", "0", "15000"),
    )
    for path, bad, good in switches:
        place = kernel / path
        if place.is_file() and place.read_text().strip() == bad:
            name = path.replace("/", ".")
            return (
                f"{name} is {bad}: run sysctl --write {name}={good}, and write {name}={good} to "
                "/etc/sysctl.d/60-headgate.conf"
            )
    if shutil.which("bwrap") is None:
        return "apt-get install bubblewrap"
    return "allow the container to create namespaces (action/runner/arc-values.yaml)"


def _disk(asked: Asked) -> Finding:
    place = asked.environment.get("RUNNER_TEMP") or tempfile.gettempdir()
    free = shutil.disk_usage(place).free
    says = f"{free / 1024**3:.1f} GiB free in {place}"
    if free < DISK_BYTES_MIN:
        how = f"give {place} 2 GiB or more, or set RUNNER_TEMP to a larger disk"
        return Finding("disk", Health.MISSING, says, how)
    return Finding("disk", Health.FINE, says)


def _server_and_clock(asked: Asked) -> tuple[Callable[[Asked], Finding], ...]:
    """One request for both: whether the server is reached, and what time it is there."""
    if not asked.server:
        finding = Finding("egress", Health.UNKNOWN, "no server was given", _SERVER_OPTION)
        clock = Finding("clock", Health.UNKNOWN, "no server was given", _SERVER_OPTION)
        return (lambda _: finding, lambda _: clock)
    if refusal := _refusal(asked):
        refused = Finding("egress", Health.MISSING, refusal, _SERVER_OPTION)
        clock = Finding("clock", Health.UNKNOWN, "the server was not contacted", _SERVER_OPTION)
        return (lambda _: refused, lambda _: clock)
    answer = _get(f"{asked.server.rstrip('/')}/healthz", {})
    return (lambda _: _egress(asked, answer), lambda _: clock_finding(answer, datetime.now(UTC)))


def _refusal(asked: Asked) -> str:
    """Why orders would not speak to this server; empty where they would."""
    if not is_address(asked.server):
        return f"{asked.server} is not the address of a server"
    return refusal_of_server(asked.server, asked.environment)


def _egress(asked: Asked, answer: Answer | str) -> Finding:
    how = (
        "let this machine connect to it (check the firewall, HTTPS_PROXY and the server's "
        "certificate)"
    )
    if isinstance(answer, str):
        return Finding("egress", Health.MISSING, f"{asked.server}: {answer}", how)
    if not answer.is_success:
        says = f"{asked.server} answered {answer.status}"
        return Finding(
            "egress", Health.MISSING, says, "check that this is the address of Headgate's server"
        )
    return Finding("egress", Health.FINE, f"{asked.server} answers")


def clock_finding(answer: Answer | str, now: datetime) -> Finding:
    if isinstance(answer, str) or not answer.date:
        return Finding("clock", Health.UNKNOWN, "the server did not send its time")
    off = (now - parsedate_to_datetime(answer.date)).total_seconds()
    says = f"{abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} the server's"
    if abs(off) > CLOCK_SECONDS_MAX:
        how = "set the clock of this machine or of the server: timedatectl set-ntp true"
        return Finding("clock", Health.MISSING, says, how)
    return Finding("clock", Health.FINE, says)


def _labels(asked: Asked) -> Finding:
    token = asked.environment.get("GITHUB_TOKEN", "")
    name = asked.environment.get("RUNNER_NAME") or _configured_name()
    if not (asked.repository and token and name):
        how = (
            "run this in the runner's folder, with --repository OWNER/NAME and a GITHUB_TOKEN "
            "with `administration: read`"
        )
        return Finding("labels", Health.UNKNOWN, "GitHub was not contacted", how)
    path = f"{asked.api}/repos/{asked.repository}/actions/runners?per_page=100"
    answer = _get(path, {"Authorization": f"Bearer {token}"})
    if isinstance(answer, str) or not answer.is_success:
        said = answer if isinstance(answer, str) else f"GitHub answered {answer.status}"
        how = "the token needs `administration: read` of the repository"
        return Finding("labels", Health.UNKNOWN, said, how)
    runners = json.loads(answer.content)["runners"]
    own = next((runner for runner in runners if runner["name"] == name), None)
    if own is None:
        says = f"{asked.repository} has no runner {name}"
        return Finding("labels", Health.MISSING, says, "register it there with ./config.sh")
    labels = [label["name"] for label in own["labels"]]
    says = f"{name} has {', '.join(labels)}"
    if asked.label not in labels:
        how = f"add the label {asked.label} in the repository's settings, Actions, Runners"
        return Finding("labels", Health.MISSING, says, how)
    return Finding("labels", Health.FINE, says)


def _configured_name() -> str:
    """GitHub's runner keeps its name beside its program."""
    place = Path(os.curdir, ".runner")
    if not place.is_file():
        return ""
    return str(json.loads(place.read_text("utf-8-sig")).get("agentName", ""))


def _get(url: str, headers: Mapping[str, str]) -> Answer | str:
    try:
        return HttpClient().send("GET", url, headers, None, _TIMEOUT_SECONDS)
    except NoAnswerError as failure:
        return str(failure)
