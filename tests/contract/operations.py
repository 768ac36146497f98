"""Matches a request to an operation of GitHub's description.

Among the matching templates the one with the fewest parameters wins, then the longest. A few
parameters may contain slashes, as on GitHub.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

JsonObject = dict[str, object]

METHODS = ("get", "head", "post", "put", "patch", "delete")

# Refs, paths, branches and label names are not escaped in a path, so they may have slashes.
_GREEDY = {"ref", "path", "basehead", "branch", "tree_sha", "name"}


def object_at(value: object, *path: str) -> JsonObject:
    """The object below these keys; empty where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=2048)
def _pattern(template: str) -> re.Pattern[str]:
    def part(match: re.Match[str]) -> str:
        return "(.+)" if match[1] in _GREEDY else "([^/]+)"

    pieces = re.split(r"(\{\w+\})", template)
    text = "".join(
        re.sub(r"\{(\w+)\}", part, piece) if piece.startswith("{") else re.escape(piece)
        for piece in pieces
    )
    # The root folder has an empty path, and all refs have an empty prefix.
    return re.compile(re.sub(r"/\(\.\+\)$", "(?:/(.*))?", text))


def matches(template: str, path: str) -> bool:
    """Whether a path matches a template."""
    return _pattern(template).fullmatch(path) is not None


def best_template(templates: Iterable[str], path: str) -> str | None:
    """The template that GitHub would route a path to."""
    found = [template for template in templates if matches(template, path)]
    return min(found, key=lambda one: (one.count("{"), -len(one)), default=None)
