"""Blobs in a folder, each under the sha256 of its content and written atomically."""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bot.core.values.ids import Digest

_DIGEST = re.compile(r"[0-9a-f]{64}")


class FolderBlobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> Digest:
        """The same bytes again change nothing."""
        digest = Digest(hashlib.sha256(content).hexdigest())
        return digest if self._path(digest).exists() else self.receive((content,))

    def receive(self, chunks: Iterable[bytes]) -> Digest:
        """Keep what comes in pieces, without ever holding all of it; nothing if they raise."""
        self._folder.mkdir(parents=True, exist_ok=True)
        summed = hashlib.sha256()
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            try:
                for chunk in chunks:
                    summed.update(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                Path(file.name).unlink()
                raise
        path = self._path(Digest(summed.hexdigest()))
        path.parent.mkdir(parents=True, exist_ok=True)
        Path(file.name).replace(path)
        return Digest(path.name)

    def get(self, digest: Digest) -> bytes | None:
        """None if the bytes were never stored or have been deleted, and for an invalid digest."""
        # Runners send digests; an unchecked one could name any file.
        if not _DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        return path.read_bytes() if path.is_file() else None

    def _path(self, digest: Digest) -> Path:
        return self._folder / digest[:2] / digest
