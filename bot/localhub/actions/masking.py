"""Removes secrets from logs.

A secret is masked as it is, line by line, and in base64 at each of the three offsets. A secret that
is transformed in any other way is not found, here or on GitHub.
"""

import base64
import re
import threading

MASK = "***"

# Shorter pieces would mask ordinary text.
_BASE64_LENGTH_MIN = 8


class Masker:
    """The secrets of one job. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """Mask a value from now on; blank values are ignored."""
        forms = {form for line in [secret, *secret.splitlines()] for form in _forms(line.strip())}
        with self._lock:
            self._forms |= forms
            # The longest first, so that a secret that contains another is masked as a whole.
            ordered = sorted(self._forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def mask(self, text: str) -> str:
        pattern = self._pattern
        return pattern.sub(MASK, text) if pattern else text


def _forms(secret: str) -> set[str]:
    if not secret:
        return set()
    forms = {secret}
    raw = secret.encode()
    for offset in range(3):
        # Only the first and last characters depend on the neighbouring text.
        encoded = base64.b64encode(b"\0" * offset + raw).decode().rstrip("=")
        first = (offset * 8 + 5) // 6
        whole = encoded[first : (offset + len(raw)) * 8 // 6]
        if len(whole) >= _BASE64_LENGTH_MIN:
            forms.add(whole)
    return forms
