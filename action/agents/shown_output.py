"""What a model is shown of a command's output: its beginning and its end, as text."""

import re

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
        end = tail[-HALF_CHARACTERS:]
        start = head[:HALF_CHARACTERS]
        return _joined(start, end, total_bytes - len(start.encode()) - len(end.encode()), "bytes")
    if _is_binary(whole):
        return f"[{total_bytes} bytes that are no text]"
    if len(whole) <= 2 * HALF_CHARACTERS:
        return whole
    left_out = len(whole) - 2 * HALF_CHARACTERS
    return _joined(whole[:HALF_CHARACTERS], whole[-HALF_CHARACTERS:], left_out, "characters")


def _joined(start: str, end: str, left_out: int, unit: str) -> str:
    if _is_binary(start) or _is_binary(end):
        return f"[{len(start) + len(end) + left_out} {unit} that are no text]"
    advice = "write the output to a file and read the part that you need"
    return f"{start}\n[… {left_out:,} {unit} left out here; {advice} …]\n{end}"


def _is_binary(text: str) -> bool:
    return len(_CONTROL.findall(text)) * _TEXT_SHARE > len(text)
