"""An issue's body as the file of a spec: only what people see in it.

Agents would read what GitHub does not show (HTML comments, control and format characters) and
people would not, so it is removed and reported. In code, comments are visible and stay.
"""

import hashlib
import re

from bot.core.spec.drafts import digest, slug
from bot.core.values.ids import Frozen
from gates.unseen import without_unseen_characters

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class IssueSpec(Frozen):
    """`text` is the file; the counts are of hidden characters and comments that were removed."""

    text: str
    hidden: int
    comments: int

    @property
    def digest(self) -> str:
        return digest(self.text, 12)

    @property
    def blob(self) -> str:
        """The git blob id of the file, by which a one-file spec is recognised on main."""
        raw = self.text.encode()
        named = b"blob %d\0%b" % (len(raw), raw)
        return hashlib.sha1(named, usedforsecurity=False).hexdigest()


def spec_of_issue(title: str, body: str) -> IssueSpec:
    """The issue's body below its title; without the title if the body has one."""
    plain, hidden = _seen(body.replace("\r\n", "\n").replace("\r", "\n"))
    told, comments = _without_comments(plain)
    # Where a comment was, two may stand together now.
    told, joined = _seen(told.strip("\n"))
    heading, more = _seen(" ".join(title.split()))
    begins = told.startswith(("# ", "---\n"))
    text = f"{told}\n" if begins else f"# {heading}\n\n{told}\n"
    return IssueSpec(text=text, hidden=hidden + more + joined, comments=comments)


def path_for(title: str, number: int, folder: str, taken: frozenset[str]) -> str:
    """The file's path; the issue's number is added if a file with that name exists."""
    name = slug(title, 60) or f"issue-{number}"
    path = f"{folder}{name}.md"
    return path if path not in taken else f"{folder}{name}-{number}.md"


def _seen(text: str) -> tuple[str, int]:
    seen = without_unseen_characters(text)
    return seen, len(text) - len(seen)


def _without_comments(text: str) -> tuple[str, int]:
    """Without HTML comments outside fenced code; an unclosed comment hides the rest."""
    kept: list[str] = []
    fence, inside, count = "", False, 0
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        if fence or (opened and not inside):
            kept.append(line)
            if not fence and opened:
                fence = opened[1]
            elif opened and opened[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        left = ""
        rest = line
        while rest:
            if inside:
                _, closed, rest = rest.partition("-->")
                inside = not closed
            else:
                before, opens, rest = rest.partition("<!--")
                left += before
                inside = bool(opens)
                count += bool(opens)
        if left or not line:
            kept.append(left)
    return "\n".join(kept), count
