"""Text that goes to GitHub: markers, regions, escaping and cutting.

A marker is a hidden HTML comment by which we find our own text again; a region is what stands
between two markers, and only that is ever rewritten. Deliberately absent: any sentence.
"""

import hashlib
import re

# GitHub refuses an issue, pull or comment body of more than 65,536 characters.
BODY_CHARACTERS_MAX = 65_536
_CUT_NOTE = "\n\n… cut here: the rest does not fit in a GitHub body."


def digest_of(text: str) -> str:
    """Twelve hexadecimal digits that tell one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def marker(subject: str) -> str:
    """The hidden line that names a thing of ours."""
    return f"<!-- headgate:{subject} -->"


def region(name: str, text: str) -> str:
    """A region that we own inside a body."""
    return f"{marker(f'{name} begins')}\n{text}\n{marker(f'{name} ends')}"


def with_region(body: str, name: str, text: str) -> str:
    """The body with our region replaced, or added at its end; people's words are left alone."""
    pattern = re.escape(marker(f"{name} begins")) + ".*?" + re.escape(marker(f"{name} ends"))
    fresh = region(name, text)
    body = body.replace("\r\n", "\n")
    changed, count = re.subn(pattern, lambda _: fresh, body, count=1, flags=re.DOTALL)
    return changed if count else f"{body.rstrip()}\n\n{fresh}".lstrip()


def cut(text: str, characters_max: int = BODY_CHARACTERS_MAX) -> str:
    """The text, cut at a line so that it fits, with a closed code fence and a note."""
    if len(text) <= characters_max:
        return text
    room = characters_max - len(_CUT_NOTE) - len("\n```")
    kept = text[:room].rsplit("\n", 1)[0]
    if kept.count("\n```") % 2:
        kept += "\n```"
    return kept + _CUT_NOTE


def quoted(text: str) -> str:
    """Somebody else's words, so that no mention, marker or command in them works."""
    safe = text.replace("<!--", "<\u200b!--").replace("@", "@\u200b")
    return "\n".join(f"> {line}" for line in safe.splitlines()) or ">"


def cell(text: str) -> str:
    """Somebody else's words for a table cell: one line, no pipes, no mentions, no HTML."""
    flat = " ".join(text.split()).replace("|", "\\|").replace("@", "@\u200b")
    return flat.replace("<", "&lt;")


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(m) for m in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"
