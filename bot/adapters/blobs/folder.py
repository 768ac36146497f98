"""Blobs in a folder, each under the sha256 of its content and written atomically."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from bot.core.values.ids import Digest

_DIGEST = re.compile(r"[0-9a-f]{64}")


class FolderBlobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> Digest:
        """The same bytes again change nothing."""
        digest = Digest(hashlib.sha256(content).hexdigest())
        path = self._path(digest)
        if path.exists():
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
        return digest

    def get(self, digest: Digest) -> bytes | None:
        """None where the bytes were never stored or have been deleted, and for an invalid digest."""
        # Runners send digests; an unchecked one could name any file.
        if not _DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        return path.read_bytes() if path.is_file() else None

    def _path(self, digest: Digest) -> Path:
        return self._folder / digest[:2] / digest
