"""What a spec's text has that nobody sees: words for an agent alone stop the plan, the rest is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bot.core.values.spec_model import Finding, Severity
from gates.unseen import Unseen, names_of, said_by_tags, unseen_runs, without_unseen_characters

HIDDEN_TEXT, UNSEEN_CHARACTER = "hidden_text", "unseen_character"
# Each stops the plan, so that nobody needs more of them.
_HIDDEN_MAX = 20
_NAMED_MAX = 8
_SAID_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class UnseenInLine:
    line: int
    code: str
    severity: Severity
    question: str


def unseen_in(lines: Sequence[str]) -> Iterator[UnseenInLine]:
    """At most one of each kind for a line."""
    hidden = 0
    for number, line in enumerate(lines, 1):
        if line.isascii() and line.isprintable():
            continue
        found: dict[Unseen, str] = {}
        for run in unseen_runs(line):
            found[run.kind] = found.get(run.kind, "") + line[run.start : run.end]
        if Unseen.HIDES in found and hidden < _HIDDEN_MAX:
            hidden += 1
            question = _hidden(found[Unseen.HIDES])
            yield UnseenInLine(number, HIDDEN_TEXT, Severity.BLOCK, question)
        if Unseen.STRAY in found:
            question = _stray(found[Unseen.STRAY])
            yield UnseenInLine(number, UNSEEN_CHARACTER, Severity.WARN, question)


def unseen_beside(path: str, files: Mapping[str, bytes], read: Sequence[str]) -> Iterator[Finding]:
    """In the texts of a spec's folder that hold no requirements: agents find them in the tree."""
    folder = f"{path.rstrip('/')}/"
    for name in sorted(files):
        if not name.startswith(folder) or name in read or files[name].isascii():
            continue
        lines = files[name].decode(errors="replace").removeprefix("\ufeff").splitlines()
        told = (one for one in unseen_in(lines) if one.code == HIDDEN_TEXT)
        for one in islice(told, _HIDDEN_MAX):
            yield Finding(
                code=one.code,
                severity=one.severity,
                line=one.line,
                quote=without_unseen_characters(lines[one.line - 1]).strip()[:200],
                question=one.question,
                path=name,
            )


def _hidden(unseen: str) -> str:
    said = said_by_tags(unseen)
    words = f" To an agent they say: {said[:_SAID_CHARACTERS]}" if said else ""
    return (
        f"Here are {len(unseen):,} characters that nobody sees ({_named(unseen)}). An agent reads them. "
        f"Can they be deleted?{words}"
    )


def _stray(unseen: str) -> str:
    return (
        f"Here are characters that nobody sees ({_named(unseen)}). "
        "Models and agents are told the text without them. Can they be deleted?"
    )


def _named(unseen: str) -> str:
    names = names_of(unseen)
    return ", ".join(names[:_NAMED_MAX]) + (", …" if len(names) > _NAMED_MAX else "")
