"""Writes the settings file, and notices when it was written."""

import json
import os
import sys
import time
from collections.abc import Mapping

from bot.core.talk import setup_text
from bot.entry.settings import Settings, settings_file

_POLL_SECONDS = 0.5


def write_settings(values: Mapping[str, str]) -> None:
    """Set variables in the settings file and keep its other lines; only its owner may read it.

    The file is replaced as a whole: nobody reads half of it.
    """
    path = settings_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = path.read_text().splitlines() if path.is_file() else []
    kept = [line for line in before if line.partition("=")[0].strip() not in values]
    lines = [*kept, *(f"{name}={json.dumps(value)}" for name, value in values.items())]
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join((*lines, "")))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class CurrentSettings:
    """The settings as they are now: read again when the settings file has changed, so much later at
    most.
    """

    def __init__(self, settings: Settings, *, late_seconds: float = 0.0) -> None:
        self._settings = settings
        self._stamp = _stamp()
        self._late_seconds = late_seconds
        self._look_at = 0.0

    def __call__(self) -> Settings:
        now = time.monotonic()
        if now < self._look_at:
            return self._settings
        self._look_at = now + self._late_seconds
        stamp = _stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            self._settings = Settings()
        return self._settings


def _stamp() -> tuple[int, int] | None:
    try:
        found = settings_file().stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def settings_with_app() -> Settings:
    """The settings once they name an App; waits for `headgate setup` until then."""
    current = CurrentSettings(Settings())
    if not current().has_app and not os.environ.get("HEADGATE_SLOT"):
        # Below `up` it is the web server that tells of the set-up.
        print(setup_text.WAITS_FOR_APP, file=sys.stderr, flush=True)  # noqa: T201
    while not current().has_app:
        time.sleep(_POLL_SECONDS)
    return current()
