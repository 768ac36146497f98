"""GitHub's filter patterns for branches, tags and paths, and whether an event passes a trigger.

`*` stays within a path segment, `**` does not, `?` and `+` repeat the character before, `[]` is a
set, a leading `!` excludes what matched before ("Workflow syntax", filter pattern cheat sheet).
"""

import re
from collections.abc import Iterable

from bot.localhub.actions.workflow import Filter, PullRequestTrigger, PushTrigger


def matches_pattern(pattern: str, text: str) -> bool:
    """Whether the whole text fits one pattern (without its `!`)."""
    try:
        return re.fullmatch(_expression(pattern), text) is not None
    except re.error:
        return False


def passes(wanted: Filter, text: str) -> bool:
    """Whether one name passes a filter; the last pattern that matches decides."""
    if wanted.ignored:
        return not _selected(wanted.ignored, text)
    return _selected(wanted.patterns, text)


def paths_pass(wanted: Filter | None, paths: Iterable[str] | None) -> bool:
    """Whether any changed path passes; unknown paths pass, as for a diff that is too large."""
    if wanted is None or paths is None:
        return True
    return any(passes(wanted, path) for path in paths)


def push_passes(trigger: PushTrigger, ref: str, paths: Iterable[str] | None) -> bool:
    """Whether a push of a full ref starts a workflow; `paths` does not apply to tags."""
    if ref.startswith("refs/tags/"):
        if trigger.tags is None:
            return trigger.branches is None
        return passes(trigger.tags, ref.removeprefix("refs/tags/"))
    if not ref.startswith("refs/heads/"):
        return False
    if trigger.branches is None and trigger.tags is not None:
        return False
    branch = ref.removeprefix("refs/heads/")
    if trigger.branches is not None and not passes(trigger.branches, branch):
        return False
    return paths_pass(trigger.paths, paths)


def pull_request_passes(
    trigger: PullRequestTrigger, action: str, base_branch: str, paths: Iterable[str] | None
) -> bool:
    if action not in trigger.types:
        return False
    if trigger.branches is not None and not passes(trigger.branches, base_branch):
        return False
    return paths_pass(trigger.paths, paths)


def _selected(patterns: tuple[str, ...], text: str) -> bool:
    selected = False
    for pattern in patterns:
        if pattern.startswith("!"):
            selected = selected and not matches_pattern(pattern[1:], text)
        elif matches_pattern(pattern, text):
            selected = True
    return selected


def _expression(pattern: str) -> str:
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if pattern.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 3
            continue
        if pattern.startswith("**", position):
            parts.append(".*")
            position += 2
            continue
        end = pattern.find("]", position)
        if character == "[" and end > position:
            parts.append(pattern[position : end + 1])
            position = end + 1
            continue
        parts.append({"*": "[^/]*", "?": "?", "+": "+"}.get(character, re.escape(character)))
        position += 1
    return "".join(parts)
