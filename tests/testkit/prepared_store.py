"""Empty databases, migrated once a process and copied from then on."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from bot.entry.settings import Settings
from bot.entry.wiring import prepare_store


def prepare_store_by_copy(settings: Settings) -> None:
    """`prepare_store`, where the folder is not there yet."""
    shutil.copytree(_prepared(settings.database_url), settings.var)


@cache
def _prepared(database_url: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="headgate-store-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    prepare_store(Settings(var=folder, database_url=database_url))
    return folder
