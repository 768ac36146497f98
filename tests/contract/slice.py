"""Cuts the part that localhub serves out of GitHub's published description.

`python -m tests.contract.slice node_modules/@octokit/openapi/generated/api.github.com.json` writes
`github_openapi_slice.json.gz`: the operations of localhub's routes, the webhooks that it sends, and
every schema that these reach, as published, without examples and descriptions.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.contract.operations import METHODS, JsonObject, matches, object_at
from tests.contract.routes import served_routes

SLICE = Path(__file__).with_name("github_openapi_slice.json.gz")

# Events that localhub sends; every action of each is kept.
EVENTS = (
    "check-run",
    "check-suite",
    "commit-comment",
    "create",
    "delete",
    "installation",
    "installation-repositories",
    "installation-target",
    "issue-comment",
    "issue-dependencies",
    "issues",
    "label",
    "merge-group",
    "pull-request",
    "pull-request-review",
    "pull-request-review-comment",
    "pull-request-review-thread",
    "push",
    "repository",
    "status",
    "sub-issues",
    "workflow-job",
    "workflow-run",
)
# GitHub describes an event's action by a name that starts like another event's.
_OTHERS = (
    "repository-advisory",
    "repository-dispatch",
    "repository-import",
    "repository-ruleset",
    "repository-vulnerability-alert",
)
_PROSE = {"description", "summary", "example", "examples", "externalDocs", "x-github", "x-octokit"}
_PARTS = ("schemas", "parameters", "responses")


def cut(whole: JsonObject) -> JsonObject:
    """The slice of a whole description."""
    paths = {
        path: operations
        for path, operations in object_at(whole, "paths").items()
        if isinstance(operations, dict) and _is_served(path, operations)
    }
    hooks = {name: hook for name, hook in object_at(whole, "x-webhooks").items() if _is_sent(name)}
    kept: JsonObject = {"paths": _bare(paths), "x-webhooks": _bare(hooks)}
    components: dict[str, JsonObject] = {part: {} for part in _PARTS}
    # The form of every error; no operation names it.
    wanted = ["schemas/basic-error", "schemas/validation-error", "schemas/validation-error-simple"]
    wanted += _references(kept)
    while wanted:
        part, _, name = wanted.pop().partition("/")
        if name not in components[part]:
            found = _bare(object_at(whole, "components", part)[name])
            components[part][name] = found
            wanted += _references(found)
    info = object_at(whole, "info")
    return {
        "openapi": whole["openapi"],
        "info": {"title": info["title"], "version": info["version"]},
        **kept,
        "components": {part: dict(sorted(held.items())) for part, held in components.items()},
    }


def _is_served(path: str, operations: JsonObject) -> bool:
    return any(
        method.upper() in methods and matches(path, example)
        for method in operations
        if method in METHODS
        for methods, example in _ROUTES
    )


def _is_sent(name: str) -> bool:
    if name.startswith(_OTHERS):
        return False
    return any(name == event or name.startswith(f"{event}-") for event in EVENTS)


def _bare(node: object) -> object:
    """Without descriptions and examples; a property of one of these names is kept."""
    if isinstance(node, list):
        return [_bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    bare: JsonObject = {}
    for key, value in node.items():
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            bare[key] = {name: _bare(schema) for name, schema in value.items()}
        elif key not in _PROSE:
            bare[key] = _bare(value)
    return bare


def _references(node: object) -> list[str]:
    return [
        found.removeprefix("#/components/")
        for found in _walk(node)
        if re.match(r"#/components/(schemas|parameters|responses)/", found)
    ]


def _walk(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from _walk(value)
    elif isinstance(node, list):
        for item in node:
            yield from _walk(item)


def main(arguments: list[str]) -> None:
    """Cut the description at the given path."""
    whole = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    text = json.dumps(cut(whole), separators=(",", ":"), sort_keys=True)
    # No time in the header, so that the same description gives the same bytes.
    SLICE.write_bytes(gzip.compress(text.encode(), mtime=0))
    sys.stdout.write(f"{len(text)} bytes, {SLICE.stat().st_size} compressed\n")


with TemporaryDirectory() as _folder:
    _ROUTES = served_routes(Path(_folder))


if __name__ == "__main__":
    main(sys.argv[1:])
