"""Chooses a sandbox that works on this machine, by trying each kind.

A kind works only if a command has really run inside it. If none does, an order that requires a
sandbox is refused with a sentence that says what to install.
"""

import platform
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.order import SandboxRule
from action.report import SandboxKind
from action.sandbox.sandbox import Command, Sandbox
from action.sandbox.seccomp import filter_here

PROBE_TIMEOUT_SECONDS = 20.0
PREFERRED = (SandboxKind.BUBBLEWRAP, SandboxKind.UNSHARE)

MakeSandbox = Callable[[SandboxKind], Sandbox]


@dataclass(frozen=True)
class SandboxRefusal:
    sentence: str


def choose(
    rule: SandboxRule, make: MakeSandbox, kinds: Sequence[SandboxKind] = PREFERRED
) -> Sandbox | SandboxRefusal:
    """The first kind that works; no isolation only if the order's rule permits it."""
    reasons: list[str] = []
    for kind in kinds:
        if filter_here() is None:
            reasons.append(f"no filter of system calls is known for {platform.machine()}")
            break
        if kind is SandboxKind.BUBBLEWRAP and shutil.which("bwrap") is None:
            reasons.append("bubblewrap: not installed")
            continue
        sandbox = make(kind)
        ended = sandbox.run(Command(("true",), Path("/"), PROBE_TIMEOUT_SECONDS))
        if ended.is_success:
            return sandbox
        reasons.append(f"{kind}: {ended.output_tail.strip()[-300:] or 'did not start'}")
    if rule is SandboxRule.NONE_ALLOWED:
        return make(SandboxKind.NONE)
    return SandboxRefusal(
        "No sandbox works on this runner, but the repository's policy requires one. Install "
        "bubblewrap (`apt-get install bubblewrap` or `dnf install bubblewrap`) and allow user "
        "namespaces (on Ubuntu 24.04: `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; "
        "in a container: run it with permission to create namespaces). Tried: " + "; ".join(reasons)
    )
