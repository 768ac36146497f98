"""The rounds of a review: are the earlier findings closed, then what is new, then all of it once.

Which prompts are open, and what follows from the answers, is computed anew from all that was
answered so far. A prompt without an answer that can be used ends the review as *could not run*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gates.graded.chunks import ChangedFile, Chunk, TooMuch, chunks_of, digest, lines_of
from gates.graded.findings import (
    Grade,
    ReviewFinding,
    believed,
    read_chunk,
    read_still_there,
    settled,
)
from gates.result import Annotation, AnnotationLevel, Ending, GateResult, Judges

_EARLIER_MAX = 8
_LINES_AROUND = 60
_AROUND_CHARACTERS = 8_000
_FINDINGS_KEPT = 200
_NAMED = 5


class Round(StrEnum):
    EARLIER = "earlier"
    NEW = "new"
    ALL = "all"


@dataclass(frozen=True, kw_only=True)
class ReviewPrompt:
    """One prompt: about a chunk, or about earlier findings with their places as they are now."""

    id: str
    round: Round
    text: str
    chunk: Chunk | None = None
    earlier: tuple[ReviewFinding, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReviewLedger:
    """What reviews of a change have found. `files` are digests of what was shown of each file;
    `minted`: how many findings have had an id."""

    __pydantic_config__ = {"extra": "forbid"}

    findings: tuple[ReviewFinding, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    minted: int = 0


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is reviewed: the gate's name, the least grade that is red, and the files of the diff."""

    gate: str
    block: Grade
    files: tuple[ChangedFile, ...]


@dataclass(frozen=True)
class Asking:
    prompts: tuple[ReviewPrompt, ...]


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """The end. `is_circle`: what is asked now undoes what was asked before, and a person must say."""

    result: GateResult
    ledger: ReviewLedger
    is_circle: bool = False


class _Unusable(Exception):
    """An answer is not there, or cannot be used; the text is a sentence for people."""


class _Open(Exception):
    def __init__(self, prompts: tuple[ReviewPrompt, ...]) -> None:
        super().__init__()
        self.prompts = prompts


def could_not_run(gate: str, why: str) -> GateResult:
    """Never a pass, and nobody's failure."""
    return GateResult(
        gate=gate,
        judges=Judges.DIFF,
        ending=Ending.COULD_NOT_RUN,
        sentence=f"The review by a model did not run: {why}",
    )


def next_step(
    subject: Subject,
    ledger: ReviewLedger,
    answers: Mapping[str, str],
    failures: Mapping[str, str],
) -> Asking | Reviewed:
    """What is to be asked, or the end. `answers` and `failures` are by the ids of prompts."""
    try:
        return _Review(subject, ledger, answers, failures).end()
    except _Open as still:
        return Asking(still.prompts)
    except _Unusable as why:
        return Reviewed(result=could_not_run(subject.gate, str(why)), ledger=ledger)


class _Review:
    def __init__(
        self,
        subject: Subject,
        ledger: ReviewLedger,
        answers: Mapping[str, str],
        failures: Mapping[str, str],
    ) -> None:
        self._subject = subject
        self._ledger = ledger
        self._answers = answers
        self._failures = failures
        self._dropped = 0
        self._texts = {file.path: lines_of(file.after) or () for file in subject.files}

    def end(self) -> Reviewed:
        chunks = chunks_of(self._subject.files)
        if isinstance(chunks, TooMuch):
            raise _Unusable(f"{chunks.sentence} Headgate does not review a part of a diff.")
        shown = _shown(chunks)
        earlier = self._earlier()
        if any(self._is_red(one) for one in earlier if one.is_open):
            return self._concluded(earlier, (), self._ledger.files)
        new = {path for path, said in shown.items() if self._ledger.files.get(path) != said}
        found: tuple[ReviewFinding, ...] = ()
        if self._ledger.files and new != set(shown):
            changed = chunks_of(file for file in self._subject.files if file.path in new)
            found = self._read(Round.NEW, () if isinstance(changed, TooMuch) else changed, earlier)
        if not any(self._is_red(one) for one in found):
            found = _without_repeats((*found, *self._read(Round.ALL, chunks, earlier)))
        return self._concluded(earlier, found, shown)

    def _earlier(self) -> tuple[ReviewFinding, ...]:
        """The earlier findings, as they are on this candidate."""
        still = [one for one in self._ledger.findings if one.is_open]
        groups = [still[at : at + _EARLIER_MAX] for at in range(0, len(still), _EARLIER_MAX)]
        after = {one.id: one for one in self._ledger.findings}
        for review_prompt in self._answered([self._about(group) for group in groups]):
            said = read_still_there(self._answers[review_prompt.id])
            by_id = {one.id: one for one in said or ()}
            for one in review_prompt.earlier:
                if one.id not in by_id:
                    raise _Unusable(f"its answer leaves out the earlier finding {one.id}.")
                after[one.id], is_believed = settled(
                    one, by_id[one.id], self._texts.get(one.path, ())
                )
                self._dropped += not is_believed
        return tuple(after.values())

    def _about(self, group: Sequence[ReviewFinding]) -> ReviewPrompt:
        text = "\n\n".join(f"finding {one.id}\n{self._around(one)}" for one in group)
        return ReviewPrompt(
            id=f"{Round.EARLIER}-{digest(text)}",
            round=Round.EARLIER,
            text=text,
            earlier=tuple(group),
        )

    def _around(self, one: ReviewFinding) -> str:
        said = f"{one.path}:{one.line}: {one.message}\nIt quoted: {one.quote}\n"
        lines = self._texts.get(one.path, ())
        first = max(0, one.line - _LINES_AROUND)
        rows = (
            f"{at + 1:>6} {lines[at]}"
            for at in range(first, min(len(lines), one.line + _LINES_AROUND))
        )
        there = "\n".join(rows)[:_AROUND_CHARACTERS]
        return said + (
            f"There now:\n{there}" if there else "That file is not in the diff any more."
        )

    def _read(
        self, round_: Round, chunks: Sequence[Chunk], earlier: Sequence[ReviewFinding]
    ) -> tuple[ReviewFinding, ...]:
        """What is believed of the answers about chunks, which account for every file."""
        asked = [
            ReviewPrompt(
                id=f"{round_}-{at}-{chunk.digest}",
                round=round_,
                text=chunk.text,
                chunk=chunk,
                earlier=tuple(one for one in earlier if not one.is_open),
            )
            for at, chunk in enumerate(chunks)
        ]
        found: list[ReviewFinding] = []
        for review_prompt, chunk in zip(self._answered(asked), chunks, strict=True):
            said = read_chunk(self._answers[review_prompt.id])
            if said is None:
                raise _Unusable("its answer does not have the required format.")
            if missing := sorted(set(chunk.paths) - set(said.files)):
                raise _Unusable(f"its answer does not account for {missing[0]}.")
            shown: dict[str, set[int]] = {}
            for part in chunk.parts:
                shown.setdefault(part.path, set()).update(part.lines)
            kept = believed(said.findings, shown, self._texts)
            self._dropped += len(said.findings) - len(kept)
            found += kept
        return tuple(found)

    def _answered(self, prompts: Sequence[ReviewPrompt]) -> Sequence[ReviewPrompt]:
        for review_prompt in prompts:
            if review_prompt.id in self._failures:
                raise _Unusable(self._failures[review_prompt.id])
        if left := tuple(one for one in prompts if one.id not in self._answers):
            raise _Open(left)
        return prompts

    def _is_red(self, one: ReviewFinding) -> bool:
        return one.grade.blocks(self._subject.block)

    def _concluded(
        self,
        earlier: tuple[ReviewFinding, ...],
        found: tuple[ReviewFinding, ...],
        files: Mapping[str, str],
    ) -> Reviewed:
        minted = self._ledger.minted
        named = tuple(replace(one, id=f"F{minted + at}") for at, one in enumerate(found, 1))
        still = tuple(one for one in earlier if one.is_open)
        new = tuple(one for one in named if not any(one.repeats(other) for other in still))
        told = (*still, *new)
        red = tuple(one for one in told if self._is_red(one))
        circle = _circle(new, earlier, red)
        sentence = _sentence(red, told, self._subject.block, self._dropped)
        if not self._subject.files:
            sentence = "The diff changes no file, so no model was asked."
        if hidden := [f.path for f in self._subject.files if f.after and b"\0" in f.after]:
            sentence += f" Not shown, because it is not text: {', '.join(hidden[:_NAMED])}."
        if circle is not None:
            one, before = circle
            sentence = (
                "The model now requires the opposite of an earlier finding. Now, at "
                f"{one.path}:{one.line}: {one.message} Before, at {before.path}:{before.line}: "
                f"{before.message}"
            )
        result = GateResult(
            gate=self._subject.gate,
            judges=Judges.DIFF,
            ending=Ending.FAILED if red else Ending.PASSED,
            sentence=sentence,
            annotations=tuple(self._annotation(one) for one in told),
        )
        kept = ReviewLedger(
            findings=(*earlier, *new)[-_FINDINGS_KEPT:],
            files=dict(files),
            minted=minted + len(found),
        )
        # After a person's word it begins anew.
        after = ReviewLedger(minted=kept.minted) if circle else kept
        return Reviewed(result=result, ledger=after, is_circle=circle is not None)

    def _annotation(self, one: ReviewFinding) -> Annotation:
        is_red = self._is_red(one)
        return Annotation(
            path=one.path,
            line_start=one.line,
            line_end=one.line + one.quote.count("\n"),
            level=AnnotationLevel.FAILURE if is_red else AnnotationLevel.WARNING,
            title=f"A model says: {one.grade}",
            message=one.message,
        )


def _shown(chunks: Sequence[Chunk]) -> dict[str, str]:
    """A digest of what is shown of each file."""
    texts: dict[str, str] = {}
    for part in (part for chunk in chunks for part in chunk.parts):
        texts[part.path] = f"{texts.get(part.path, '')}\n{part.text}"
    return {path: digest(text) for path, text in texts.items()}


def _without_repeats(found: Sequence[ReviewFinding]) -> tuple[ReviewFinding, ...]:
    kept: dict[tuple[str, int, str], ReviewFinding] = {}
    for one in found:
        kept.setdefault((one.path, one.line, one.quote), one)
    return tuple(kept.values())


def _circle(
    new: Sequence[ReviewFinding],
    earlier: Sequence[ReviewFinding],
    red: Sequence[ReviewFinding],
) -> tuple[ReviewFinding, ReviewFinding] | None:
    """A new red finding and the closed one that it undoes: by name, or by the same words again."""
    closed = [one for one in earlier if not one.is_open]
    return next(
        (
            (one, before)
            for one in new
            if one in red
            for before in closed
            if one.undoes == before.id or one.repeats(before)
        ),
        None,
    )


def _sentence(
    red: Sequence[ReviewFinding], told: Sequence[ReviewFinding], block: Grade, dropped: int
) -> str:
    if red:
        places = "; ".join(f"{one.path}:{one.line}: {one.message}" for one in red[:_NAMED])
        said = f"A model found {_count(len(red))} of grade {block} or worse. {places}"
    else:
        said = f"A model read the whole diff and found nothing of grade {block} or worse."
    if less := len(told) - len(red):
        said += f" It reported {_count(less)} below that grade."
    if dropped:
        said += f" {_count(dropped)} dropped, because the quoted words are not at that line."
    return said


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"
