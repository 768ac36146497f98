"""What a model is shown of a command's output: its beginning and its end, as text."""

import re

from action.agents.cut_text import beginning, end

HALF_CHARACTERS = 8_000
# A character of UTF-8 takes at most four bytes.
_HEAD_BYTES = 4 * HALF_CHARACTERS
# Control characters that text has no use for; tabs, line ends, form feeds and colours stay.
_CONTROL = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
# More of them than one in so many, and it is no text.
_TEXT_SHARE = 20


class Head:
    """Keeps the first bytes of an output; fed while the command runs."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, chunk: bytes) -> None:
        room = _HEAD_BYTES - len(self._kept)
        if room > 0:
            self._kept += chunk[:room]

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "ignore")


def shown_output(head: str, tail: str, total_bytes: int) -> str:
    """Output of `total_bytes` as its first and last characters, with the count of what is left out.

    `head` and `tail` are what was kept of both ends; they may overlap.
    """
    if total_bytes <= len(tail.encode()):
        whole = tail
    else:
        first, last = beginning(head, _room(head)), end(tail, _room(tail))
        return _joined(first, last, total_bytes - len(first.encode()) - len(last.encode()), "bytes")
    if _is_binary(whole):
        return f"[{total_bytes} bytes that are no text]"
    if len(whole) <= 2 * HALF_CHARACTERS:
        return whole
    first, last = beginning(whole, HALF_CHARACTERS), end(whole, HALF_CHARACTERS)
    return _joined(first, last, len(whole) - len(first) - len(last), "characters")


def _room(kept: str) -> int:
    """What was kept of one end may itself stop within a word."""
    return min(HALF_CHARACTERS, len(kept) - 1)


def _joined(first: str, last: str, left_out: int, unit: str) -> str:
    if _is_binary(first) or _is_binary(last):
        return f"[{len(first) + len(last) + left_out} {unit} that are no text]"
    advice = "write the output to a file and read the part that you need"
    return f"{first}\n[… {left_out:,} {unit} left out here; {advice} …]\n{last}"


def _is_binary(text: str) -> bool:
    return len(_CONTROL.findall(text)) * _TEXT_SHARE > len(text)
