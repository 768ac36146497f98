"""The text of one file, prepared for reading line by line.

Every format's reader starts here. Line numbers stay: what must not be read (front matter, comments,
fenced code) becomes blank. `shown` is what a person sees, code included; `visible` is what may be
parsed, without code. No input raises.
"""

import re
from dataclasses import dataclass, field

from bot.core.spec.unseen_text import unseen_in
from bot.core.values.spec_model import Finding, Severity
from gates.unseen import without_unseen_characters

# A spec of 1 MB is some 20,000 lines; a larger file is data with a wrong name.
SPEC_BYTES_MAX = 1_000_000

_LINE_END = re.compile(r"\r\n|\r|\n")
_FENCE = re.compile(r"^\s*+(?:(?:[-*+]|\d{1,9}[.)])\s++)?(`{3,}|~{3,})(.*)")
_FRONT_KEY = re.compile(r"^([A-Za-z_](?:[\w .-]*?[\w.-])??)\s*+:\s*(.*)$")
_SMALL_PRINT = re.compile(r"<(sub|sup|small)>([^<>\n]{0,200})</\1>", re.IGNORECASE)
_ISSUE = re.compile(r"\s*\[?#\d{1,6}\]?(?:\([^()\s]*\))?\s*")
# What begins a heading, an item or a number, and has a stroke before it.
_ESCAPED_START = re.compile(
    r"[ \t>]{0,12}(?:#{0,6}\\#|\\[-+]\s|(?:[#*+-]{1,6}[ \t]{1,4})?[*_]{0,3}(?:\d{1,4}\\?\.){0,4}\d{1,4}\\[.)]|"
    r"(?:[#*+-]{1,6}[ \t]{1,4})?[*_]{0,3}[A-Z]{1,8}\\[-_]\d)"
)
_ESCAPED = re.compile(r"\\([-#.)(\[\]+_><=!~&])")
_ESCAPES_MIN = 3
_REQUIREMENT_HEADER = re.compile(r"^#{1,6}\s*(?:requirement\b|[A-Z]+(?:-[A-Z0-9]+)*-\d+)", re.I)


@dataclass(frozen=True, slots=True)
class Source:
    """One file. The three tuples of lines have equal length; line n is at index n - 1."""

    path: str
    lines: tuple[str, ...]
    shown: tuple[str, ...]
    visible: tuple[str, ...]
    is_text: bool = True
    front: tuple[tuple[str, str], ...] = ()
    front_end: int = 0
    findings: tuple[Finding, ...] = ()

    def shown_text(self, line_start: int, line_end: int) -> str:
        """The lines as a person sees them, without blank lines at the start and the end."""
        return "\n".join(self.shown[line_start - 1 : line_end]).strip("\n").rstrip()

    def front_value(self, *keys: str) -> str | None:
        """The first non-empty front matter value under any of the keys (lower case)."""
        return next((v for k, v in self.front if k in keys and v), None)

    def finding(self, code: str, severity: Severity, line: int, question: str) -> Finding:
        """A finding that quotes its line."""
        quote = self.lines[line - 1].strip()[:200] if line <= len(self.lines) else ""
        return Finding(
            code=code, severity=severity, line=line, quote=quote, question=question, path=self.path
        )


@dataclass(slots=True)
class _Mask:
    """The state of reading the lines: which of them are code or comments."""

    path: str
    original: tuple[str, ...]
    shown: list[str]
    visible: list[str]
    findings: list[Finding] = field(default_factory=list)

    def find(self, code: str, severity: Severity, line: int, question: str) -> None:
        self.findings.append(
            Finding(
                code=code,
                severity=severity,
                line=line,
                quote=_quote(self.original[line - 1]) if line <= len(self.original) else "",
                question=question,
                path=self.path,
            )
        )


_QUOTED_MOST = 1_000


def _quote(line: str) -> str:
    # Cut before, too: a line may be long, and quoted once for each finding in it.
    return without_unseen_characters(line.strip()[:_QUOTED_MOST]).strip()[:200]


def read_source(path: str, raw: bytes) -> Source:
    """Decode and mask one file; a file that is not text is empty, with a finding."""
    refusal = _refusal(path, raw)
    if refusal is not None:
        return Source(path, (), (), (), is_text=False, findings=(refusal,))
    text, is_utf8 = _decoded(raw)
    lines = split_lines(text)
    mask = _Mask(path, lines, list(lines), list(lines))
    if not is_utf8:
        line = next((n for n, text in enumerate(lines, 1) if "\ufffd" in text), 1)
        mask.find(
            "not_utf8",
            Severity.ASK,
            line,
            "The file is not UTF-8, so some letters are unreadable. Can it be saved as UTF-8?",
        )
    for one in unseen_in(lines):
        mask.find(one.code, one.severity, one.line, one.question)
    front, front_end = _front_matter(lines)
    for index in range(front_end):
        mask.shown[index] = mask.visible[index] = ""
    _mask_comments_and_code(mask, front_end)
    return Source(
        path,
        lines,
        tuple(mask.shown),
        tuple(_without_escapes(mask.visible)),
        front=front,
        front_end=front_end,
        findings=tuple(mask.findings),
    )


def split_lines(text: str) -> tuple[str, ...]:
    """The lines without their ends. Only CR, LF and CRLF end a line."""
    lines = _LINE_END.split(text)
    if lines and lines[-1] == "":
        lines.pop()
    return tuple(lines)


def dominant_eol(text: str) -> str:
    """The most frequent line end; CRLF if equal, as in OpenSpec."""
    crlf = text.count("\r\n")
    bare = text.count("\n") - crlf
    return "\r\n" if crlf and crlf >= bare else "\n"


def without_code_spans(text: str) -> str:
    """`code` becomes spaces of the same length."""
    if "`" not in text:
        return text
    kept, end = [], 0
    for begin, stop in code_spans(text):
        kept.append(text[end:begin])
        kept.append(" " * (stop - begin))
        end = stop
    kept.append(text[end:])
    return "".join(kept)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every `code` span, backticks included, in linear time."""
    ticks = [(m.start(), m.end()) for m in re.finditer(r"`+", text)]
    later: dict[int, list[int]] = {}
    for index in range(len(ticks) - 1, -1, -1):
        later.setdefault(ticks[index][1] - ticks[index][0], []).append(index)
    spans, index = [], 0
    while index < len(ticks):
        begin, stop = ticks[index]
        waiting = later[stop - begin]
        while waiting and waiting[-1] <= index:
            waiting.pop()
        if waiting:
            index = waiting[-1]
            spans.append((begin, ticks[index][1]))
        index += 1
    return spans


def _refusal(path: str, raw: bytes) -> Finding | None:
    if len(raw) > SPEC_BYTES_MAX:
        code, question = (
            "too_large",
            (
                f"The file has {len(raw):,} bytes and the limit is {SPEC_BYTES_MAX:,}. "
                "Which part of it is the spec?"
            ),
        )
    elif not raw.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\x00" in raw:
        code, question = "binary", "The file has NUL bytes: is it really a text?"
    else:
        return None
    return Finding(
        code=code, severity=Severity.BLOCK, line=1, quote="", question=question, path=path
    )


def _decoded(raw: bytes) -> tuple[str, bool]:
    """The text without its byte order mark, and whether it was UTF-8."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = raw.decode("utf-16", errors="replace").replace("\x00", "\ufffd")
        return text, False
    body = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return body.decode("utf-8"), True
    except UnicodeDecodeError:
        return body.decode("utf-8", errors="replace"), False


def _front_matter(lines: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], int]:
    """Flat keys of the front matter and its number of lines (0: none)."""
    if not lines or lines[0].rstrip() != "---":
        return (), 0
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
    if not end:
        return (), 0
    pairs = []
    for line in lines[1:end]:
        found = _FRONT_KEY.match(line)
        if found:
            value = found.group(2).split(" #")[0].strip().strip("'\"")
            pairs.append((found.group(1).strip().lower(), value))
    return tuple(pairs), end + 1


def _fence_opener(line: str) -> str:
    """The fence that this line opens, or "". Backticks in the info string are inline code."""
    found = _FENCE.match(line)
    if not found or (found.group(1)[0] == "`" and "`" in found.group(2)):
        return ""
    return found.group(1)


def closes_fence(line: str, opener: str) -> bool:
    """Same character, at least as long, and nothing else."""
    stripped = line.strip()
    return stripped.startswith(opener) and not stripped.strip(opener[0])


def _mask_comments_and_code(mask: _Mask, start: int) -> None:
    """One pass, because a comment may hide a fence and a fence may show a comment."""
    opener, fence_at, comment_at = "", -1, -1
    for index in range(start, len(mask.shown)):
        line = mask.shown[index]
        if opener:
            mask.visible[index] = ""
            if closes_fence(line, opener):
                opener = ""
            continue
        if comment_at >= 0 or "<!--" in line:
            line, comment_at = _uncommented(mask, index, comment_at)
            mask.shown[index] = mask.visible[index] = line
        if "<s" in line:
            mask.visible[index] = _SMALL_PRINT.sub(_said_small, line)
        opener = "" if comment_at >= 0 else _fence_opener(line)
        if opener:
            fence_at, mask.visible[index] = index, ""
    if opener:
        _report_unclosed_fence(mask, fence_at)
    if comment_at >= 0:
        mask.find(
            "unclosed_comment",
            Severity.ASK,
            comment_at + 1,
            "This comment is never closed and hides the rest of the file. Where does it end?",
        )


def _without_escapes(lines: list[str]) -> list[str]:
    r"""`\## 2\. Login` as `## 2. Login`, where a page is written so throughout.

    Programs for word processing write it so; who writes by hand means a sign and no mark. Code stays.
    """
    marked = [at for at, line in enumerate(lines) if "\\" in line and _ESCAPED_START.match(line)]
    if len(marked) < _ESCAPES_MIN:
        return lines
    return [
        _ESCAPED.sub(r"\1", line) if "\\" in line and "`" not in line else line for line in lines
    ]


def _said_small(found: re.Match[str]) -> str:
    """Nothing of the number of an issue, `<sub>#14</sub>`; of anything else its words."""
    return "" if _ISSUE.fullmatch(found[2]) else found[2]


def _report_unclosed_fence(mask: _Mask, index: int) -> None:
    hidden = sum(1 for line in mask.shown[index:] if _REQUIREMENT_HEADER.match(line))
    severity, question = Severity.ASK, "This code block is never closed. Where does it end?"
    if hidden:
        severity = Severity.BLOCK
        question = (
            f"This code block is never closed and hides {hidden} requirement(s). Where does it end?"
        )
    mask.find("unclosed_fence", severity, index + 1, question)


def _uncommented(mask: _Mask, index: int, opened: int) -> tuple[str, int]:
    """One line without its comments, and the index where a comment is still open, or -1."""
    line = mask.shown[index]
    kept: list[str] = []
    position = 0
    code = without_code_spans(line)
    while position < len(line):
        if opened >= 0:
            end = line.find("-->", position)
            hidden = line[position:] if end < 0 else line[position:end]
            if _REQUIREMENT_HEADER.match(hidden.strip()):
                mask.find(
                    "commented_requirement",
                    Severity.WARN,
                    index + 1,
                    "This requirement sits in a comment: it is not read here, "
                    "but OpenSpec's own tool reads it. Should it go?",
                )
            if end < 0:
                return "".join(kept), opened
            position, opened = end + 3, -1
            continue
        begin = code.find("<!--", position)
        if begin < 0:
            kept.append(line[position:])
            break
        kept.append(line[position:begin])
        position, opened = begin + 4, index
    return "".join(kept), opened
