"""How much YAML is read: nesting and keys can cost a reader more than their length.

A key that is a mapping of mappings takes twice as long with each level, an open bracket in brackets the
square of their number. Looked at is the stream of events, before anything is built of it.
"""

from collections.abc import Mapping

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    MappingStartEvent,
    ScalarEvent,
)

# What ruamel.yaml raises for texts that it did not foresee, beside its own errors.
YAML_FAULTS = (
    YAMLError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
CHARACTERS_MAX = 200_000
_DEPTH_MAX = 20
# A policy of 5,000 values has three for each.
_EVENTS_MAX = 15_000


def check_yaml(text: str) -> None:
    """Raises `ValueError` with a sentence where it is too much, and `YAMLError` where it is no YAML."""
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"The file has more than {CHARACTERS_MAX:,} characters.")
    # For each open collection, whether a key of a mapping comes next; None in a list.
    comes_key: list[bool | None] = []
    for count, event in enumerate(YAML(typ="safe", pure=True).parse(text)):
        if count > _EVENTS_MAX:
            raise ValueError("The file has too many values.")
        if isinstance(event, CollectionEndEvent):
            comes_key.pop()
        is_node = isinstance(event, CollectionStartEvent | ScalarEvent | AliasEvent)
        if is_node and comes_key and comes_key[-1] is not None:
            if comes_key[-1] and not isinstance(event, ScalarEvent):
                raise ValueError(f"Line {event.start_mark.line + 1}: a key is a word.")
            comes_key[-1] = not comes_key[-1]
        if isinstance(event, CollectionStartEvent):
            comes_key.append(True if isinstance(event, MappingStartEvent) else None)
            if len(comes_key) > _DEPTH_MAX:
                raise ValueError(f"The file is nested in more than {_DEPTH_MAX} levels.")


def loaded_yaml(text: str) -> object:
    """The values with their lines. Raises one of `YAML_FAULTS`."""
    check_yaml(text)
    yaml = YAML(typ="rt")
    # An anchor that is used twice is valid YAML, so its warning is not logged.
    yaml.composer.warn_double_anchors = False
    tree: object = yaml.load(text)
    return tree


class TooMuchError(Exception):
    """Aliases in the file expand to more values than any policy has."""


def plain_values(tree: object, left: list[int]) -> object:
    """Ruamel's values as plain ones; maps keep their order, which is the gates' order."""
    left[0] -= 1
    if left[0] < 0:
        raise TooMuchError
    if isinstance(tree, Mapping):
        return {str(k): plain_values(v, left) for k, v in tree.items()}
    if isinstance(tree, CommentedSeq | list):
        return [plain_values(v, left) for v in tree]
    return tree
