"""The shell line of a gate, as runners are given it: its folder, its services, then what it runs.

All of it is text of the line, so that whoever reads it (people, agents, the finder of steering files)
knows everything that is started.
"""

import shlex

from bot.core.spec.gate_entry import GateEntry, ServiceEntry


def line_of(entry: GateEntry) -> str | None:
    """None where the gate is no line."""
    if entry.run is None:
        return None
    parts = [] if entry.cwd is None else [f"cd {shlex.quote(entry.cwd)}"]
    parts += [_started(name, service) for name, service in entry.services.items()]
    parts += [entry.run] if isinstance(entry.run, str) else entry.run
    return "\n".join(parts)


def _started(name: str, service: ServiceEntry) -> str:
    """Starts a service and waits for it; it ends with the gate's sandbox."""
    log = f'"${{TMPDIR:-/tmp}}/{name}.log"'
    late = f"The service {name} was not ready within {service.timeout_seconds} s. It said:"
    return "\n".join(
        (
            "(",
            service.run,
            f") >{log} 2>&1 &",
            f"headgate_late=$(($(date +%s) + {service.timeout_seconds}))",
            "until (",
            service.ready,
            ") >/dev/null 2>&1; do",
            f'if [ "$(date +%s)" -ge "$headgate_late" ]; then echo {shlex.quote(late)}; '
            f"tail -n 50 {log}; exit 1; fi",
            "sleep 0.1",
            "done",
        )
    )


def is_folder(cwd: str) -> bool:
    """Whether it is a folder below the top of the repository."""
    return bool(cwd) and not cwd.startswith(("/", "-", "~")) and ".." not in cwd.split("/")
