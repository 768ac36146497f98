"""What is visible inside the sandbox: which paths, which environment.

Only what is named here is visible. Paths are the same inside and outside
(so that a virtual environment made by `setup` keeps working), except `/tmp` and the home.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
# What programs need of /etc to name users, find libraries and trust certificates.
ETC_ENTRIES = [
    "alternatives",
    "ca-certificates",
    "chromium",
    "chromium.d",
    "debian_version",
    "fonts",
    "hosts",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "login.defs",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "perl",
    "pki",
    "protocols",
    "python3",
    "services",
    "ssl",
    "terminfo",
    "timezone",
]
# Beside a `bin` on PATH, a tool's own folders; credentials (`~/.cargo/credentials.toml`) are not.
TOOL_FOLDERS = [
    "bin",
    "sbin",
    "shims",
    "lib",
    "lib64",
    "libexec",
    "include",
    "versions",
    "plugins",
    "toolchains",
    "pyvenv.cfg",
]
ENVIRONMENT_ALLOWED = [
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "JAVA_HOME",
    "GOROOT",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "NVM_DIR",
]
# Folders of tools by the variables that name them; GitHub's tool cache holds nothing else.
TOOL_VARIABLES = (
    "RUNNER_TOOL_CACHE",
    "JAVA_HOME",
    "GOROOT",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "NVM_DIR",
)
# The owner of a runner may show further tools, read-only, by a list of paths like PATH's.
EXTRA_PATHS_VARIABLE = "HEADGATE_SANDBOX_PATHS"


@dataclass(frozen=True)
class Mount:
    source: Path
    target: Path
    writable: bool


@dataclass(frozen=True)
class View:
    shown: tuple[Mount, ...]
    links: tuple[tuple[str, str], ...]
    env: Mapping[str, str]


def system_view(outer: Mapping[str, str]) -> View:
    """The read-only system of this machine as `outer` (the harness's environment) describes it."""
    links: list[tuple[str, str]] = []
    shown: list[Path] = []
    for name in SYSTEM_FOLDERS:
        folder = Path(name)
        if folder.is_symlink():
            links.append((str(folder.readlink()), name))
        elif folder.is_dir():
            shown.append(folder)
    shown += [Path("/etc", entry) for entry in ETC_ENTRIES if Path("/etc", entry).exists()]
    env = {name: outer[name] for name in ENVIRONMENT_ALLOWED if name in outer}
    env.setdefault("LANG", "C.UTF-8")
    rustup = _home(outer) / ".rustup"
    if rustup.is_dir():
        # Found below the home by default, and the home inside is another.
        env.setdefault("RUSTUP_HOME", str(rustup))
    shown += _without_nested(list(_tool_paths({**outer, **env})), shown)
    env["PATH"] = _search_path(outer, shown)
    return View(tuple(Mount(path, path, writable=False) for path in shown), tuple(links), env)


def _tool_paths(outer: Mapping[str, str]) -> Iterator[Path]:
    """Interpreters and tools outside the system folders, as far as they may be shown."""
    home = _home(outer)
    candidates = [Path(sys.base_prefix), Path(sys.prefix)]
    candidates += [Path(part) for part in outer.get(EXTRA_PATHS_VARIABLE, "").split(":") if part]
    candidates += [Path(outer[name]) for name in TOOL_VARIABLES if outer.get(name)]
    for part in outer.get("PATH", "").split(":"):
        entry = Path(part)
        if entry.name in TOOL_FOLDERS and entry.parent not in (home, Path("/")):
            candidates += [entry.parent / name for name in TOOL_FOLDERS]
        elif part:
            candidates.append(entry)
    for path in candidates:
        # A folder that holds the home would show everything that is private.
        if path.is_absolute() and path.exists() and not home.is_relative_to(path.resolve()):
            yield path


def _home(outer: Mapping[str, str]) -> Path:
    return Path(outer.get("HOME", "/root")).resolve()


def _without_nested(paths: list[Path], already: list[Path]) -> list[Path]:
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in [*already, *kept]):
            kept.append(path)
    return kept


def _search_path(outer: Mapping[str, str], shown: list[Path]) -> str:
    """The harness's interpreter first, then the outer PATH as far as it is shown."""
    parts = [str(Path(sys.prefix) / "bin")]
    for part in [*outer.get("PATH", "").split(":"), "/usr/local/bin", "/usr/bin", "/bin"]:
        visible = any(Path(part).is_relative_to(path) for path in [*shown, Path("/bin")])
        if part and visible and part not in parts:
            parts.append(part)
    return os.pathsep.join(parts)
