"""Blobs in a folder: bytes by the sha256 of their content, written whole or not at all."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from bot.core.values.ids import Digest

_DIGEST = re.compile(r"[0-9a-f]{64}")


class FolderBlobs:
    """Implements the port `Blobs`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> Digest:
        """Store bytes; the same bytes again change nothing."""
        digest = Digest(hashlib.sha256(content).hexdigest())
        place = self._place(digest)
        if place.exists():
            return digest
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(place)
        return digest

    def get(self, digest: Digest) -> bytes | None:
        """The bytes, or None where they were never stored or have been cleared away."""
        # Runners name blobs, and what is no digest might name any file.
        if not _DIGEST.fullmatch(digest):
            return None
        place = self._place(digest)
        return place.read_bytes() if place.is_file() else None

    def _place(self, digest: Digest) -> Path:
        return self._folder / digest[:2] / digest
