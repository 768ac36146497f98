"""Beginning and end of a text, cut between two words: half a secret is recognised by no rule."""

import re

# No secret that is looked for is longer; of a longer word so much is left out.
WORD_CHARACTERS_MAX = 300


def beginning(text: str, count: int) -> str:
    """At most so many of its first characters."""
    if len(text) <= count:
        return text
    at = max(0, count - WORD_CHARACTERS_MAX)
    return text[:at] + "".join(re.findall(r"(?<!\S)\S*+\s+", text[at:count]))


def end(text: str, count: int) -> str:
    """At most so many of its last characters."""
    if len(text) <= count:
        return text
    first = len(text) - count
    at = first + WORD_CHARACTERS_MAX
    return "".join(re.findall(r"\s+\S*+", text[first:at])) + text[at:]
