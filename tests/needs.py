"""What tests need that only a system package brings; everything else is set up by `make`.

`python -m tests.needs` names what is missing and the command that installs it; `make test` says it
first and last. No other test is ever skipped.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

# The program, and Debian's package that brings it.
PACKAGES = {
    "bwrap": "bubblewrap",
    "caddy": "caddy",
    "cargo": "cargo",
    "cargo-clippy": "rust-clippy",
    "chromium": "chromium",
    "curl": "curl",
    "gh": "gh",
    "go": "golang-go",
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "rustfmt": "rustfmt",
    "systemd-analyze": "systemd",
}
# Debian keeps the programs of a database's server out of PATH.
_BESIDE_PATH = sorted(str(path) for path in Path("/usr/lib/postgresql").glob("*/bin"))


def found(program: str) -> str | None:
    """Where a program is."""
    return shutil.which(program, path=os.pathsep.join([os.environ["PATH"], *_BESIDE_PATH]))


def program(name: str) -> str:
    """Where a program is that somebody's command cannot do without; else ends with what installs it."""
    place = found(name)
    if place is None:
        package = PACKAGES[name]
        raise SystemExit(f"This needs {package}: sudo apt-get install {package}")
    return place


def _needs(*programs: str) -> pytest.MarkDecorator:
    packages = " ".join(PACKAGES[program] for program in programs)
    return pytest.mark.skipif(
        not all(found(program) for program in programs),
        reason=f"missing: apt-get install {packages}",
    )


needs_bubblewrap = _needs("bwrap")
needs_caddy = _needs("caddy")
needs_chromium = _needs("chromium")
needs_curl = _needs("curl")
needs_gh = _needs("gh")
needs_go = _needs("go")
needs_postgres = _needs("postgres")
needs_redis = _needs("redis-server")
needs_rust = _needs("cargo", "cargo-clippy", "rustfmt")
needs_systemd = _needs("systemd-analyze")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux does")


def sentence(packages: list[str]) -> str:
    """What a person is told about missing packages; empty where none is missing."""
    if not packages:
        return ""
    return (
        f"Missing here: {', '.join(packages)}. Tests that need them are skipped. "
        f"Install with: sudo apt-get install {' '.join(packages)}"
    )


def missing() -> list[str]:
    """The packages that this machine does not have."""
    return [package for program, package in PACKAGES.items() if found(program) is None]


if __name__ == "__main__":
    said = sentence(missing())
    if said:
        sys.stdout.write(f"{said}\n")
