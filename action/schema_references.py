"""References of a JSON schema that lead to another document, which a reader may fetch. Pure."""

from collections.abc import Iterator

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


def references_outside(*schemas: object) -> Iterator[str]:
    """Each reference that is not to a part of its own schema."""
    waiting = [*schemas]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
            for key in one.keys() & _REFERENCES:
                said = one[key]
                if isinstance(said, str) and not said.startswith("#"):
                    yield said
