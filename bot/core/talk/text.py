"""Text that goes to GitHub: markers, regions, other people's words made harmless, and cutting.

A marker is a hidden HTML comment by which we find our own text again; a region is what stands
between two markers, and only that is ever rewritten. The rule: words that are not ours pass through
`cell`, `code`, `quoted`, `fenced`, `login` or `plain`. Deliberately absent: any sentence.
"""

import hashlib
import re

# GitHub refuses an issue, pull or comment body of more than 65,536 characters.
BODY_CHARACTERS_MAX = 65_536
# A region of ours leaves room for the other regions and for what people write around them.
REGION_CHARACTERS_MAX = 28_000
_CUT_NOTE = "\n\n… cut here: the rest does not fit in a GitHub body."

_GAP = "\u200b"
# Keywords that close an issue when a pull or commit that says them reaches the default branch
# ("Linking a pull request to an issue"), before anything that can name an issue.
_CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+\S*(?:#\d|gh-\d|https?:))", re.IGNORECASE
)
# `&#64;` and `&commat;` are mentions too, once GitHub has rendered them.
_ENTITY = re.compile(r"&(?=[#A-Za-z])")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def digest_of(text: str) -> str:
    """Twelve hexadecimal digits that tell one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def marker(subject: str) -> str:
    """The hidden line that names a thing of ours."""
    return f"<!-- headgate:{subject} -->"


def region(name: str, text: str) -> str:
    """A region that we own inside a body; a text that leaves no room for others is cut."""
    kept = cut(text, REGION_CHARACTERS_MAX)
    return f"{marker(f'{name} begins')}\n{kept}\n{marker(f'{name} ends')}"


def with_region(body: str, name: str, text: str) -> str:
    """The body with our region replaced, or added at its end; people's words are left alone.

    Where the result would not fit, our text is cut, and at last left out; never theirs.
    """
    begins, ends = re.escape(marker(f"{name} begins")), re.escape(marker(f"{name} ends"))
    # From a beginning to its own end: what stands behind a beginning whose end a person took away
    # is theirs.
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
    """The text, cut at a line so that it fits, with a closed code fence and a note."""
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
    """The fence that closes the code block in which the text ends; empty outside of one."""
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


def plain(text: str) -> str:
    """Somebody else's words as one line that mentions nobody, closes nothing and hides nothing."""
    flat = " ".join(text.split()).replace("@", f"@{_GAP}").replace("<!--", f"<{_GAP}!--")
    return _CLOSING.sub(lambda m: f"{m[0][0]}{_GAP}{m[0][1:]}", flat)


def quoted(text: str) -> str:
    """Somebody else's words in their lines, so that no mention, marker or entity in them works."""
    safe = _ENTITY.sub("&amp;", text.replace("<!--", f"<{_GAP}!--"))
    return "\n".join(f"> {_unclosing(line)}" for line in safe.splitlines()) or ">"


def _unclosing(line: str) -> str:
    spoilt = _CLOSING.sub(lambda m: f"{m[0][0]}{_GAP}{m[0][1:]}", line)
    return spoilt.replace("@", f"@{_GAP}")


def cell(text: str, characters_max: int = 1_000) -> str:
    """Somebody else's words for a table cell: one line, no pipes, no mentions, no HTML."""
    if len(text) > characters_max:
        text = text[:characters_max] + "…"
    # Entities, because a backslash before a pipe may itself stand behind a backslash.
    safe = _ENTITY.sub("&amp;", plain(text))
    return safe.replace("<", "&lt;").replace("|", "&#124;")


# What makes an image, a link, a reference to an issue, or a command of ours; and where.
_WORKING = re.compile(r"[!\[\]]|#(?=\d)|/(?=headgate\b)", re.IGNORECASE)


def inert(text: str, characters_max: int = 1_000) -> str:
    """A runner's words as one line in which nothing works: no link, image, mention or command."""
    return _WORKING.sub(lambda m: f"{m[0]}{_GAP}", cell(text, characters_max))


def code(text: str, characters_max: int = 300) -> str:
    """Somebody else's words as a code span, also inside a table."""
    flat = plain(text[:characters_max]).replace("`", "ˋ").replace("|", "¦")
    return f"`{flat or '?'}`"


def login(name: str) -> str:
    """A mention of a person or App, made of what GitHub's logins are made of."""
    return "@" + re.sub(r"[^A-Za-z0-9_\[\]-]", "", name)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(m) for m in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    safe = text.replace("<!--", f"<{_GAP}!--").rstrip()
    return f"{fence}text\n{safe}\n{fence}"
