"""Texts without secrets: those that this process was given, and those that a provider's key looks like."""

from collections.abc import Iterable, Iterator

GONE = "[secret]"
# A shorter one may occur in ordinary text by chance.
_CHARACTERS_MIN = 8
# Each costs a walk through the text; one that has more of them is made to cost.
_SECRETS_MAX = 200


def redacted(text: str, known: Iterable[str] = ()) -> str:
    """The text, with `[secret]` in place of each secret, or of the whole where there are too many."""
    # Imported when there is a text: the rules cost every start.
    from gates.secret_rules import secrets_in

    found = set(known)
    for one in secrets_in(text):
        found.add(one.value)
        if len(found) > _SECRETS_MAX:
            return GONE
    for secret in sorted(found, key=len, reverse=True):
        if len(secret) >= _CHARACTERS_MIN:
            text = text.replace(secret, GONE)
    return text


def redacted_texts(value: object) -> object:
    whole = "\n".join(_texts(value))
    if redacted(whole) == whole:
        return value
    return _redacted_each(value)


def _redacted_each(value: object) -> object:
    match value:
        case str():
            return redacted(value)
        case dict():
            return {name: _redacted_each(one) for name, one in value.items()}
        case list() | tuple():
            return tuple(_redacted_each(one) for one in value)
        case _:
            return value


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from _texts(one)
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case _:
            pass
