"""Building blocks of text for GitHub: markers, regions, escaping of other people's words, cutting.

A marker is a hidden HTML comment by which Headgate finds its own text again. A region is the text
between two markers; Headgate rewrites only regions. Every word that Headgate did not write passes
through `cell`, `inert`, `code`, `quoted`, `fenced`, `login` or `plain`.
"""

import hashlib
import re
from datetime import datetime

from gates.unseen import without_unseen_characters

# GitHub refuses an issue, pull or comment body of more than 65,536 characters.
BODY_CHARACTERS_MAX = 65_536
# A region leaves room for the other regions and for what people write around them.
REGION_CHARACTERS_MAX = 28_000
_CUT_NOTE = "\n\n… cut here: the rest is too long for GitHub."

_GAP = "\u200b"
# Keywords that close an issue when a pull or commit with them reaches the default branch ("Linking
# a pull request to an issue"), if a reference to an issue follows.
_CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=(?::\s*|\s+)\S*(?:#\d|gh-\d|https?:))",
    re.IGNORECASE,
)
# GitHub renders `&#64;` and `&commat;` as `@`, so they would be mentions too.
_ENTITY = re.compile(r"&(?=[#A-Za-z])")
# Written into a commit's message or a pull's title, these keep workflows from running: GitHub's five
# spellings, its trailer, and those of other services that may watch the repository.
_SKIPS = re.compile(
    r"\[(?=\s*no[ _-]?\w+\s*\]|[^\[\]]{0,60}(?<![a-z])skip(?![a-z]))|-(?=-skip-)|\*(?=\*\*no_ci\*\*\*)"
    r"|\bskip(?=-checks?\s*:)",
    re.IGNORECASE,
)
# A name with its mail address, as a commit has them.
_NAMED = re.compile(r"(.*) (<[^\s<>@]+@[^\s<>@]+>)")
# What GitHub makes an image, a link, a reference to an issue, also of other repositories, an alert, a box to
# tick or a formula of. A price is none: it takes a second `$` in its line. An address may follow any letter
# but an ASCII one, also `_`; a browser reads none of our gaps behind `www.`, so the gap is inside.
_ACTS = re.compile(
    r"!(?=\[)|\](?=[(\[:])|\[(?=!|[ xX]\])|#(?=\d)|(?<![a-z])gh\\?-(?=\d)|(?:https?|ftp):(?=//)"
    r"|w(?=ww\.)|(?<=[(\s\"'=])/(?=/)|\$(?=[$`]|[^$\n]*\$)",
    re.IGNORECASE,
)
# At the beginning of a line these make a block: a fence, a heading, a list, a quote, a rule, a table.
_BLOCK = re.compile(
    r"~~~|>|#{1,6}(?=\s|$)|[-+*](?=\s|$)|\d{1,9}[.)](?=\s|$)|(?:[-*_=:]\s*+){2,}+$|=+$"
)
# Characters that are not seen and turn text around, or end or hide it where it is shown.
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]"
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
# Named after a fence, GitHub draws these (mermaid, math, maps) or offers them as an edit (suggestion).
_LANGUAGE = re.compile(r"(?:(?<!`)`{3,}+|(?<!~)~{3,}+)(?=[ \t]*+[A-Za-z])")

_BACKTICKS = re.compile(r"`+")

_PLACES_SHOWN = 3


def digest_of(text: str) -> str:
    """The first twelve hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def counted(count: int, noun: str, nouns: str = "") -> str:
    """`1 change`, `2 changes`; `nouns` where an `s` does not make the plural."""
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or f'{noun}s'}"


def moment(at: datetime) -> str:
    """A time that reads the same tomorrow."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def minutes(seconds: float) -> str:
    """`60 s`, `5 min`."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def span(seconds: tuple[float, float]) -> str:
    """`60 s to 2 min`; one time where both are the same."""
    least, most = (minutes(one) for one in seconds)
    return least if least == most else f"{least} to {most}"


def places(lines: tuple[int, ...]) -> str:
    """Where a finding is that is in several places, after its sentence; empty if it is in one."""
    if len(lines) < 2:
        return ""
    more = " …" if len(lines) > _PLACES_SHOWN else ""
    return f" ({len(lines)} places: lines {', '.join(map(str, lines[:_PLACES_SHOWN]))}{more})"


def marker(subject: str) -> str:
    """The hidden HTML comment that identifies `subject`."""
    return f"<!-- headgate:{subject} -->"


def region(name: str, text: str) -> str:
    """The text between its two markers, cut to `REGION_CHARACTERS_MAX`."""
    kept = cut(text, REGION_CHARACTERS_MAX)
    return f"{marker(f'{name} begins')}\n{kept}\n{marker(f'{name} ends')}"


def with_region(body: str, name: str, text: str) -> str:
    """The body with the region replaced, or appended; people's words stay as they are.

    If the result is too long for GitHub, the region is cut, and in the end left out.
    """
    begins, ends = re.escape(marker(f"{name} begins")), re.escape(marker(f"{name} ends"))
    # Only up to the region's own end marker: if a person removed that, the text behind is theirs.
    pattern = re.compile(f"{begins}(?:(?!{begins}).)*?{ends}", re.DOTALL)
    found = pattern.search(body)
    before, after = (body[: found.start()], body[found.end() :]) if found else (body, "")
    if found is None and body.strip():
        before = f"{body.rstrip()}\n\n"
    room = BODY_CHARACTERS_MAX - len(before) - len(after) - len(region(name, ""))
    if room < len(_CUT_NOTE) * 2:
        return body
    return before + region(name, cut(text, room)) + after


def cut(text: str, characters_max: int = BODY_CHARACTERS_MAX) -> str:
    """The text, cut at the end of a line, with its code fence closed and a note that it was cut."""
    if len(text) <= characters_max:
        return text
    fence_room = max((len(m) for m in re.findall(r"`{3,}|~{3,}", text)), default=0) + 1
    room = max(characters_max - len(_CUT_NOTE) - fence_room, 0)
    kept = text[:room]
    if "\n" in kept:
        kept = kept.rpartition("\n")[0]
    fence = _open_fence(kept)
    if fence:
        kept += f"\n{fence}"
    return (kept + _CUT_NOTE)[:characters_max]


def _open_fence(text: str) -> str:
    """The fence that closes the code block in which the text ends; empty if it ends outside one."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if found is None:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return fence


def without_unseen(text: str) -> str:
    """The text without what nobody sees and what changes its direction; lines stay lines."""
    return UNSEEN.sub("", without_unseen_characters(text))


def _parted(match: re.Match[str]) -> str:
    return f"{match[0]}{_GAP}"


def _split(match: re.Match[str]) -> str:
    return f"{match[0][0]}{_GAP}{match[0][1:]}"


def plain(text: str) -> str:
    """Other people's words as one line without working mentions, references, closing keywords, comments
    or words that keep workflows from running.
    """
    return _closed(_ACTS.sub(_parted, _silenced(text)))


def _silenced(text: str) -> str:
    """One line without what acts also in code and in commit messages."""
    flat = " ".join(without_unseen(text).split())
    quiet = _SKIPS.sub(_split_or_parted, _CLOSING.sub(_split, flat))
    return quiet.replace("@", f"@{_GAP}").replace("<!--", f"<{_GAP}!--")


def _closed(text: str) -> str:
    """Without backticks, unless each has its other one: it could be the first one of our next code span."""
    return text if _is_closed(text) else _BACKTICKS.sub(lambda run: "ˋ" * len(run[0]), text)


def _is_closed(text: str) -> bool:
    """Whether each run of backticks has its end: the next one as long (CommonMark, "Code spans")."""
    if "\\`" in text:
        return False
    runs = [len(run) for run in _BACKTICKS.findall(text)]
    later: dict[int, int] = {}
    ends = [0] * len(runs)
    for place in reversed(range(len(runs))):
        ends[place] = later.get(runs[place], 0)
        later[runs[place]] = place
    at = 0
    while at < len(runs):
        if not ends[at]:
            return False
        at = ends[at] + 1
    return True


def signature(text: str) -> str:
    """A name with its mail address as one line of a commit message, which nothing acts in but the address."""
    found = _NAMED.fullmatch(" ".join(without_unseen(text).split()))
    if found is None or any(acts.search(found[2]) for acts in (_SKIPS, _CLOSING, _ACTS)):
        return plain(text)
    return f"{plain(found[1])} {found[2]}"


def _split_or_parted(match: re.Match[str]) -> str:
    return _split(match) if len(match[0]) > 1 else _parted(match)


def title(text: str, characters_max: int = 240) -> str:
    """Other people's words as the title of an issue or pull; GitHub allows 256 characters."""
    return plain(text)[:characters_max].rstrip()


def quoted(text: str) -> str:
    """Other people's words as a block quote in which no mention, link, marker or entity works."""
    safe = _ENTITY.sub("&amp;", without_unseen(text)).replace("<", "&lt;")
    return "\n".join(f"> {_without_references(line)}" for line in safe.splitlines()) or ">"


def _without_references(line: str) -> str:
    without_closing = _CLOSING.sub(_split, line)
    return _LANGUAGE.sub(_parted, _ACTS.sub(_parted, without_closing.replace("@", f"@{_GAP}")))


def cell(text: str, characters_max: int = 1_000) -> str:
    """Other people's words as one line, also of a table cell: no pipes, mentions, links, HTML or blocks."""
    if len(text) > characters_max:
        text = text[:characters_max] + "…"
    # Entities, because the text may already have a backslash before the pipe.
    safe = _ENTITY.sub("&amp;", plain(text))
    begun = f"{_GAP}{safe}" if _BLOCK.match(safe) else safe
    return begun.replace("<", "&lt;").replace("|", "&#124;")


# The characters that start an image, a link, a reference to an issue or a Headgate command.
_ACTIVE = re.compile(r"[!\[\]]|#(?=\d)|/(?=headgate\b)", re.IGNORECASE)


def inert(text: str, characters_max: int = 1_000) -> str:
    """A runner's words as one line without working links, images, mentions or commands."""
    return _ACTIVE.sub(lambda m: f"{m[0]}{_GAP}", cell(text, characters_max))


def main_or(branch: str) -> str:
    """What a branch with a queue is called; empty: the default branch, which is main to everybody."""
    return code(branch) if branch else "main"


def code(text: str, characters_max: int = 300) -> str:
    """Other people's words as a code span that is safe inside a table."""
    # Links and references do nothing in code, and gaps in them would be copied.
    flat = _silenced(text[:characters_max]).replace("`", "ˋ").replace("|", "¦")
    return f"`{flat or '?'}`"


def login(name: str) -> str:
    """A mention of a person or App, without characters that GitHub does not allow in logins."""
    return "@" + re.sub(r"[^A-Za-z0-9_\[\]-]", "", name)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(m) for m in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    safe = without_unseen(text).replace("<!--", f"<{_GAP}!--").rstrip()
    return f"{fence}text\n{safe}\n{fence}"
