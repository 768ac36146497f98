"""Cuts texts to GitHub's limits and keeps them valid Markdown.

A cut is announced, falls between whole characters and closes open fences and `<details>`. A marker on
the last line stays, because the text is found by it.
"""

import re
import unicodedata

# Issues, pulls and comments: "body is too long (maximum is 65536 characters)" (422).
BODY_CHARACTERS_MAX = 65_536
# "title is too long (maximum is 256 characters)" (422).
TITLE_CHARACTERS_MAX = 256
# Annotations: title 255 characters, message 64 KB (REST, "Create a check run").
ANNOTATION_TITLE_CHARACTERS_MAX = 255
ANNOTATION_MESSAGE_BYTES_MAX = 64 * 1024

_NOTICE = "\n\n*(cut here, because GitHub accepts no more text)*"
_FENCE = re.compile(r" {0,3}(?:[-*+>] +|> ?)*(`{3,}|~{3,})(.*)")
_MARKER = re.compile(r"\n<!--[^\n]*-->\s*\Z")
# A cut is moved back to the end of a line, at most this far.
_LINE_LOOK_BACK = 400
# Room for closing a fence and a few `</details>`.
_CLOSING_ROOM = 200


def cut_markdown(text: str, characters_max: int) -> str:
    """The text, at most `characters_max` long, with fences and `<details>` closed."""
    if len(text) <= characters_max:
        return text
    marker = _MARKER.search(text)
    tail = _NOTICE + (marker.group().rstrip() if marker else "")
    room = characters_max - len(tail) - _CLOSING_ROOM
    if room <= 0:
        return cut_plain(text, characters_max)
    kept = _whole_characters(text, room)
    line_end = kept.rfind("\n", len(kept) - _LINE_LOOK_BACK)
    kept = kept[:line_end] if line_end > 0 else kept
    closing = _closing(kept)
    if len(closing) > _CLOSING_ROOM:
        return cut_plain(text, characters_max)
    return kept.rstrip() + closing + tail


def cut_markdown_bytes(text: str, bytes_max: int) -> str:
    """The same, at most `bytes_max` long in UTF-8."""
    encoded = text.encode()
    if len(encoded) <= bytes_max:
        return text
    characters = len(encoded[:bytes_max].decode(errors="ignore"))
    # What is put in place of the rest may be longer in bytes than what it replaces.
    while len((cut := cut_markdown(text, characters)).encode()) > bytes_max and characters:
        characters -= max(1, characters // 100)
    return cut


def cut_plain(text: str, characters_max: int) -> str:
    """Plain text of at most `characters_max`; a cut ends in an ellipsis."""
    if len(text) <= characters_max:
        return text
    return _whole_characters(text, characters_max - 1) + "…"


def cut_bytes(text: str, bytes_max: int) -> str:
    """Plain text of at most `bytes_max` bytes in UTF-8; a cut ends in an ellipsis."""
    if len(text.encode()) <= bytes_max:
        return text
    short = text.encode()[: bytes_max - len("…".encode())].decode("utf-8", errors="ignore")
    return short + "…"


def _whole_characters(text: str, length: int) -> str:
    """Never cuts between a letter and its combining marks."""
    while 0 < length < len(text) and _joins_previous(text[length], text[length - 1]):
        length -= 1
    return text[:length]


def _joins_previous(letter: str, before: str) -> bool:
    joiners = ("\u200d", "\ufe0e", "\ufe0f")
    return bool(unicodedata.combining(letter)) or letter in joiners or before == "\u200d"


def _closing(kept: str) -> str:
    fence = ""
    folds = 0
    for line in kept.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            folds += line.count("<details") - line.count("</details>")
    closing = f"\n{fence}" if fence else ""
    return closing + "\n\n</details>" * max(folds, 0)
