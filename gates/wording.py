"""Text that came from a candidate, made fit to be shown: bounded, and without control characters.

What a tool prints ends up in check runs, issues and logs; a terminal sequence or a bidirectional
override there shows people something other than what is stored. Markdown is escaped
where a page is written, not here.
"""

import re

# The contract of `GateResult.log_tail`.
LOG_TAIL_CHARS_MAX = 16_000
# GitHub cuts an annotation's title at 255 characters and its message at 64 KB (REST, "Create a
# check run"); a message longer than this is not read by anyone.
TITLE_CHARS_MAX = 255
MESSAGE_CHARS_MAX = 4_000

_ESCAPE_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC and other strings: titles, links
    r"|\x1b[ -/]*[0-~]?"  # two-character sequences, and an escape that was cut off
)
# C0 without tab and newline, DEL, C1, and the bidirectional controls (Unicode UAX #9).
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_NOT_IN_A_PATH = re.compile(rf"[\t\n]|{_CONTROLS.pattern}")


def plain_text(text: str) -> str:
    """The text without terminal sequences and control characters; newline and tab stay."""
    lines = _ESCAPE_SEQUENCES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", lines)


def cut_end(text: str, chars_max: int) -> str:
    """The beginning of a text, with an ellipsis where something is missing."""
    return text if len(text) <= chars_max else text[: chars_max - 1] + "…"


def log_tail(captured: bytes, dropped_bytes: int) -> str:
    """The end of a program's output; says how many bytes in front of it were `dropped_bytes`."""
    text = plain_text(captured.decode("utf-8", errors="replace"))
    if not dropped_bytes and len(text) <= LOG_TAIL_CHARS_MAX:
        return text
    notice = f"[… {dropped_bytes + len(captured)} bytes in all; this is the end]\n"
    return notice + text[-(LOG_TAIL_CHARS_MAX - len(notice)) :]


def shown_path(path: str) -> str:
    """A git path as it can be printed: bytes that are not text and control characters escaped."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _NOT_IN_A_PATH.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def counted(count: int, noun: str) -> str:
    """`1 test`, `2 tests`: regular nouns only."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
