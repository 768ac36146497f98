"""Texts without secrets: those that this process was given, and those that a provider's key looks like."""

from collections.abc import Iterable

GONE = "[secret]"
# A shorter one stands in honest text by chance.
_CHARACTERS_MIN = 8


def redacted(text: str, known: Iterable[str] = ()) -> str:
    """The text, with `[secret]` in place of each secret."""
    # Imported when there is a text: the rules cost every start.
    from gates.secret_rules import secrets_in

    found = {one.value for one in secrets_in(text)} | set(known)
    for secret in sorted(found, key=len, reverse=True):
        if len(secret) >= _CHARACTERS_MIN:
            text = text.replace(secret, GONE)
    return text
