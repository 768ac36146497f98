"""What GitHub says when it refuses a push or a ref update, read by its kind.

The words come from git's status lines, its `remote:` lines, or the message of an API; GitHub documents
few of them, so what is not recognised is `OTHER` (docs/assumptions.md).
"""

import re
from enum import StrEnum

from bot.core.values.ids import Frozen

_PATHS_MAX = 5


class RefusalKind(StrEnum):
    """Why a ref was not moved; it says what to do next."""

    WORKFLOWS = "workflows"
    PUSH_PROTECTION = "push_protection"
    LARGE_FILE = "large_file"
    RULE = "rule"
    UNSIGNED = "unsigned"
    IN_THE_WAY = "in_the_way"
    STALE = "stale"
    ACCESS = "access"
    OTHER = "other"

    @property
    def is_mended_by_people(self) -> bool:
        """Whether it lasts until somebody does something."""
        return self not in {RefusalKind.WORKFLOWS, RefusalKind.STALE}

    @property
    def is_of_the_work(self) -> bool:
        """Whether other work would be taken."""
        return self in {RefusalKind.PUSH_PROTECTION, RefusalKind.LARGE_FILE}


class GitHubRefusal(Frozen):
    """GitHub's own words, with the paths that they name and the page that would allow it."""

    kind: RefusalKind
    words: str
    paths: tuple[str, ...] = ()
    link: str = ""

    @property
    def asks_for_signatures(self) -> bool:
        return self.kind is RefusalKind.RULE and "verified signatures" in self.words.lower()

    @property
    def files(self) -> tuple[str, ...]:
        """The paths without their lines."""
        return tuple(dict.fromkeys(re.sub(r":\d+$", "", path) for path in self.paths))


# The first that matches counts: GitHub names the rule (GH013) for push protection, too.
_WORDS: tuple[tuple[RefusalKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(words, re.IGNORECASE))
    for kind, words in (
        (
            RefusalKind.WORKFLOWS,
            r"refusing to allow .{1,40} to create or update workflow"
            r"|without .?workflows?.? (permission|scope)",
        ),
        (
            RefusalKind.PUSH_PROTECTION,
            r"push cannot contain secrets|push protection|secret detected|\bGH009\b",
        ),
        (RefusalKind.LARGE_FILE, r"\bGH001\b|file size limit|large files detected"),
        (
            RefusalKind.RULE,
            r"\bGH0(06|13)\b|rule violations|protected branch|protected ref|verified signatures"
            r"|changes must be made through|required status check|cannot (force-push|delete this)"
            r"|creations being restricted|must not contain merge commits|hook declined"
            r"|push declined|must match",
        ),
        (RefusalKind.IN_THE_WAY, r"' exists; cannot create '|directory file conflict"),
        (
            RefusalKind.STALE,
            r"stale info|fetch first|non-fast-forward|not a fast.forward|cannot lock ref"
            r"|failed to lock|failed to update ref|incorrect old value|reference already exists"
            r"|is at [0-9a-f]{7,40} but expected|expected .{1,300} to be at",
        ),
        (
            RefusalKind.ACCESS,
            r"returned error: (401|403)|authentication failed|bad credentials|repository not found"
            r"|permission to .{1,300} denied|access denied|not accessible by integration"
            r"|archived so it is read.only|write access to .{1,300} not granted",
        ),
    )
)
_PATHS = re.compile(
    r"path: (?P<secret>[^;\n]{1,300}?:\d+)(?=;|\s|$)"
    r"|File (?P<large>[^;\n]{1,300}?) is [\d.]+ [MG]B"
    r"|workflow `(?P<workflow>[^`\n]{1,300})`"
    r"|'refs/heads/(?P<branch>[^'\n]{1,300})' exists; cannot create"
)
_LINK = re.compile(r"https?://[\w.:/-]{1,300}/unblock-secret/[\w-]{1,100}")


def read_refusal(words: str) -> GitHubRefusal:
    kind = next((k for k, said in _WORDS if said.search(words)), RefusalKind.OTHER)
    paths = (next(p for p in found.groups() if p) for found in _PATHS.finditer(words))
    link = _LINK.search(words)
    return GitHubRefusal(
        kind=kind,
        words=words,
        paths=tuple(dict.fromkeys(paths))[:_PATHS_MAX],
        link=link[0] if link else "",
    )
