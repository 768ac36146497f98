"""Where specs are in a repository, and what they are called.

An OpenSpec delta folder is one spec, and so are a spec-kit folder, a Kiro folder, what BMAD plans, and
any other spec file. OpenSpec's main specs and its archive are not work.
"""

import re
from collections.abc import Iterable

from bot.core.spec.drafts import digest, slug

# GitHub refuses refs of more than 255 bytes (GH005). Around a key ours have up to 90, with room for more.
KEY_MAX = 150

_NOT_WORK = re.compile(r"^(?:.*/)?openspec/(?:specs/|changes/archive/|[^/]+$)")
_FOLDERS = (
    re.compile(r"^((?:.*/)?openspec/changes/[^/]+)/"),
    re.compile(r"^((?:.*/)?specs/\d{3,}(?:-\d{6})?-[^/]+)/"),
    re.compile(r"^((?:.*/)?kitty-specs/[^/]+)/"),
    re.compile(r"^((?:.*/)?\.kiro/specs/[^/]+)/"),
)
_BMAD = re.compile(r"^((?:.*/)?_bmad-output/planning-artifacts)/(.+)$")
_BMAD_SPEC = re.compile(r"(?:epics|prd)(?:/[^/]+)?\.md$", re.IGNORECASE)
# What BMAD writes beside its page and its epics.
_BESIDE_BMAD = re.compile(
    r"brief|architecture|research|report|^ux-|test-design|change-proposal", re.IGNORECASE
)
_SPEC_FILE = re.compile(r"\.(?:md|markdown|feature)$", re.IGNORECASE)
_COMPANION = re.compile(
    r"(?:^|/)(?:readme|changelog|agents|claude|contributing|license|index|template|[^/]*-template|plan|tasks|design|research|"
    r"data-model|quickstart|constitution|triage|proposal)\.(?:md|markdown)$|(?:^|/)(?:templates|checklists|contracts)/",
    re.IGNORECASE,
)


def spec_roots(paths: Iterable[str], watched: tuple[str, ...]) -> tuple[str, ...]:
    """The specs that a set of repository paths contains, sorted: files or folders.

    `watched` holds folders or globs (`**` crosses folders); a path outside all of them is no spec.
    """
    return tuple(sorted(files_by_root(paths, watched)))


def files_by_root(paths: Iterable[str], watched: tuple[str, ...]) -> dict[str, list[str]]:
    """The files of each spec: what stands in its folder and is no part of it changes no version."""
    found: dict[str, list[str]] = {}
    for path in paths_under(paths, watched):
        if root := root_of(path):
            found.setdefault(root, []).append(path)
    return found


def paths_under(paths: Iterable[str], listed: tuple[str, ...]) -> tuple[str, ...]:
    """The paths that a list of folders, files or globs contains (`**` crosses folders), in order."""
    patterns = [_listed_pattern(entry) for entry in listed]
    return tuple(path for path in paths if any(p.match(path) for p in patterns))


def root_of(path: str) -> str | None:
    if _NOT_WORK.match(path):
        return None
    if planned := _BMAD.match(path):
        if _BMAD_SPEC.match(planned[2]):
            return planned[1]
        if _BESIDE_BMAD.search(planned[2].rpartition("/")[2]):
            return None
    for pattern in _FOLDERS:
        found = pattern.match(path)
        if found:
            return found.group(1)
    if _SPEC_FILE.search(path) and not _COMPANION.search(path):
        return path
    return None


def is_bmad_page(path: str) -> bool:
    """Whether it is what BMAD's epics are made from, or a part of it."""
    planned = _BMAD.match(path)
    return planned is not None and planned[2].lower().startswith(("prd.md", "prd/"))


def key_of(path: str) -> str:
    """The namespace of a spec: its path without the usual folders, in lower case.

    Only ASCII letters, digits, `.`, `_` and `-`, so that it is valid in a branch name. If a path
    loses letters by this, or is too long, a digest of it is appended.
    """
    short = re.sub(r"(?:^|/)(?:spec|requirements|bugfix)\.(?:md|markdown)$", "", path)
    short = re.sub(r"\.(?:feature\.md|md|markdown|feature)$", "", short)
    short = re.sub(r"^openspec/changes/(?=[^/]+$)", "", short)
    short = re.sub(r"^specs/(?=\d{3,}(?:-\d{6})?-[^/]+$)", "", short)
    short = re.sub(r"^\.kiro/specs/", "kiro.", short)
    short = re.sub(r"^openspec/specs/", "openspec.", short)
    lowered = short.lower().strip("/")
    parts = [part for part in lowered.split("/") if part]
    named = [_safe(part) for part in parts]
    key = ".".join(n for n in named if n)
    if not key or key != lowered.replace("/", ".") or ".." in key or key.endswith(".lock"):
        key = f"{key.replace('..', '.').strip('.')}-{digest(path)}".strip("-")
    if len(key) > KEY_MAX:
        end = f"-{digest(path)}"
        key = key[: KEY_MAX - len(end)].rstrip(".-") + end
    return key


def _safe(part: str) -> str:
    if re.fullmatch(r"[a-z0-9_][a-z0-9._-]*", part):
        return part.strip(".")
    return slug(part, 60)


def _listed_pattern(listed: str) -> re.Pattern[str]:
    folder = listed.strip().removeprefix("./").strip("/")
    if not re.search(r"[*?]", folder):
        end = "/" if listed.strip().endswith("/") else r"(?:/|\Z)"
        return re.compile(re.escape(folder) + end if folder not in ("", ".") else "")
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", folder)
    swap = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    body = "".join(swap.get(part, re.escape(part)) for part in parts)
    return re.compile(body + r"(?:/.*)?\Z")
