"""What a model sees of a diff, and which of its findings count."""

import json
from dataclasses import replace

import pytest

from gates.graded.chunks import CHUNK_CHARACTERS, ChangedFile, Chunk, TooMuch, chunks_of
from gates.graded.findings import Grade, read_chunk, stands_at
from gates.graded.rounds import (
    Asking,
    Reviewed,
    ReviewLedger,
    ReviewPrompt,
    Round,
    Subject,
    next_step,
)
from gates.result import AnnotationLevel, Ending

BAD = "    return price / 0\n"
SHOP = ChangedFile(
    path="src/shop.py",
    before=b"def pay(price):\n    pass\n",
    after=f"def pay(price):\n{BAD}".encode(),
)
DOOR = ChangedFile(path="src/door.py", before=None, after=b"is_open = True\n")
QUOTE = "return price / 0"


def found(
    quote: str = QUOTE,
    line: int = 2,
    path: str = "src/shop.py",
    severity: str = "major",
    undoes: str = "",
) -> dict[str, object]:
    return {
        "path": path,
        "line": line,
        "quote": quote,
        "severity": severity,
        "message": "It divides by zero.",
        "undoes": undoes,
    }


def said(review_prompt: ReviewPrompt, *findings: dict[str, object], leaves_out: str = "") -> str:
    assert review_prompt.chunk is not None
    files = [path for path in review_prompt.chunk.paths if path != leaves_out]
    here = [one for one in findings if one["path"] in files]
    return json.dumps({"files": files, "findings": here})


def subject(*files: ChangedFile, block: Grade = Grade.MAJOR) -> Subject:
    return Subject(gate="review", block=block, files=files or (SHOP,))


def reviewed(
    about: Subject,
    *findings: dict[str, object],
    ledger: ReviewLedger | None = None,
    closed: bool = True,
    again: tuple[int, str] = (0, ""),
) -> Reviewed:
    """The end of a review in which every review_prompt has an answer."""
    answers: dict[str, str] = {}
    for _ in range(5):
        step = next_step(about, ledger or ReviewLedger(), answers, {})
        if isinstance(step, Reviewed):
            return step
        for one in step.prompts:
            if one.chunk is not None:
                answers[one.id] = said(one, *findings)
            else:
                line, quote = again
                rows = [
                    {"id": e.id, "closed": closed, "line": line, "quote": quote}
                    for e in one.earlier
                ]
                answers[one.id] = json.dumps({"earlier": rows})
    raise AssertionError("it never ends")


def asked(about: Subject, ledger: ReviewLedger) -> list[ReviewPrompt]:
    step = next_step(about, ledger, {}, {})
    assert isinstance(step, Asking)
    return list(step.prompts)


def chunks(*files: ChangedFile) -> tuple[Chunk, ...]:
    made = chunks_of(files)
    assert not isinstance(made, TooMuch)
    return made


class TestChunks:
    def test_changed_and_removed_lines_are_shown_with_numbers(self) -> None:
        (chunk,) = chunks(SHOP)
        assert chunk.text.split("\n") == [
            'file "src/shop.py"',
            "      1 def pay(price):",
            "-           pass",
            "+     2     return price / 0",
        ]

    def test_every_added_line_is_shown_for_any_size(self) -> None:
        lines = [f"value_{at} = {at}" for at in range(6_000)]
        big = ChangedFile(path="big.py", before=b"", after="\n".join(lines).encode())
        made = chunks(SHOP, big, DOOR)
        assert len(made) > 2
        shown = [
            n for one in made for part in one.parts if part.path == "big.py" for n in part.lines
        ]
        assert sorted(shown) == list(range(1, 6_001))
        assert {path for one in made for path in one.paths} == {f.path for f in (SHOP, big, DOOR)}
        assert all(len(one.text) < CHUNK_CHARACTERS * 1.01 for one in made)

    def test_distant_changes_are_shown_with_their_context(self) -> None:
        lines = [f"line {at}" for at in range(1, 101)]
        after = [*lines]
        after[19], after[79] = "new 20", "new 80"
        file = ChangedFile(
            path="a.txt", before="\n".join(lines).encode(), after="\n".join(after).encode()
        )
        (chunk,) = chunks(file)
        (part,) = chunk.parts
        assert part.lines == {*range(14, 27), *range(74, 87)}
        assert part.text.count("...") == 1

    def test_binary_files_are_named(self) -> None:
        (chunk,) = chunks(ChangedFile(path="logo.png", before=None, after=b"\x89\0"))
        assert "no text: none before, 2 bytes" in chunk.text

    def test_the_result_names_files_that_were_not_shown(self) -> None:
        end = reviewed(subject(SHOP, ChangedFile(path="logo.png", before=None, after=b"\0")))
        assert end.result.ending is Ending.PASSED
        assert "Not shown, because it is not text: logo.png." in end.result.sentence

    def test_invalid_utf_8_bytes_hide_no_line(self) -> None:
        latin = ChangedFile(path="a.py", before=None, after=b"# coding: latin-1\nx = '\xe9'\n")
        (chunk,) = chunks(latin)
        assert "+     2 x = '\\xe9'" in chunk.text

    def test_a_path_that_is_not_a_file_cannot_be_shown(self) -> None:
        assert isinstance(chunks_of([ChangedFile(path="link", before=None, after=None)]), TooMuch)

    def test_files_with_only_a_mode_change_or_a_deletion_are_included(self) -> None:
        same = ChangedFile(path="run.sh", before=b"x\n", after=b"x\n")
        gone = ChangedFile(path="old.py", before=b"y\n", after=None)
        (chunk,) = chunks(same, gone)
        assert chunk.paths == ("run.sh", "old.py")
        assert "-       y" in chunk.text

    def test_a_line_longer_than_a_chunk_is_too_much(self) -> None:
        made = chunks_of([ChangedFile(path="min.js", before=None, after=b"x" * 50_000)])
        assert isinstance(made, TooMuch)
        end = next_step(
            subject(ChangedFile(path="min.js", before=None, after=b"x" * 50_000)),
            ReviewLedger(),
            {},
            {},
        )
        assert isinstance(end, Reviewed)
        assert end.result.ending is Ending.COULD_NOT_RUN

    def test_a_diff_with_too_many_chunks_is_refused(self) -> None:
        huge = ChangedFile(path="a", before=None, after=b"0123456789\n" * 80_000)
        assert isinstance(chunks_of([huge]), TooMuch)


class TestQuotes:
    @pytest.mark.parametrize(
        ("quote", "line", "is_there"),
        [
            (QUOTE, 2, True),
            (QUOTE, 1, False),
            (QUOTE, 3, False),
            ("return price/0", 2, False),
            ("def pay(price):\n    return price / 0", 1, True),
            ("def pay(price):\nreturn", 1, False),
            ("  ", 2, False),
            (QUOTE, 0, False),
        ],
    )
    def test_a_quote_must_match_exactly(self, quote: str, line: int, is_there: bool) -> None:
        lines = ("def pay(price):", "    return price / 0")
        assert stands_at(quote, line, lines) is is_there

    def test_a_finding_without_its_quote_in_the_file_is_dropped(self) -> None:
        end = reviewed(subject(), found("eval(price)"))
        assert end.result.ending is Ending.PASSED
        assert end.result.annotations == ()
        assert "1 finding dropped" in end.result.sentence

    def test_a_finding_outside_the_shown_lines_is_dropped(self) -> None:
        far = ChangedFile(
            path="a.txt", before=b"same\n" * 40 + b"a\n", after=b"same\n" * 40 + b"b\n"
        )
        end = reviewed(subject(far), found("same", 1, "a.txt"))
        assert end.result.ending is Ending.PASSED
        (review_prompt,) = asked(subject(), ReviewLedger())
        answer = json.dumps({"files": ["src/shop.py"], "findings": [found(path="src/other.py")]})
        other = next_step(subject(), ReviewLedger(), {review_prompt.id: answer}, {})
        assert isinstance(other, Reviewed)
        assert other.result.ending is Ending.PASSED


class TestEndings:
    def test_a_finding_is_red_with_an_annotation_at_its_line(self) -> None:
        end = reviewed(subject(), found())
        assert end.result.ending is Ending.FAILED
        (note,) = end.result.annotations
        assert (note.path, note.line_start, note.level) == (
            "src/shop.py",
            2,
            AnnotationLevel.FAILURE,
        )

    def test_findings_below_the_blocking_severity_are_reported_and_pass(self) -> None:
        end = reviewed(subject(), found(severity="minor"))
        assert end.result.ending is Ending.PASSED
        assert [note.level for note in end.result.annotations] == [AnnotationLevel.WARNING]
        assert reviewed(subject(block=Grade.CRITICAL), found()).result.ending is Ending.PASSED
        minor = reviewed(subject(block=Grade.MINOR), found(severity="minor"))
        assert minor.result.ending is Ending.FAILED

    def test_an_answer_that_omits_a_file_could_not_run(self) -> None:
        about = subject(SHOP, DOOR)
        (review_prompt,) = asked(about, ReviewLedger())
        answer = said(review_prompt, leaves_out="src/door.py")
        end = next_step(about, ReviewLedger(), {review_prompt.id: answer}, {})
        assert isinstance(end, Reviewed)
        assert end.result.ending is Ending.COULD_NOT_RUN
        assert "does not account for src/door.py" in end.result.sentence

    def test_a_question_that_failed_could_not_run(self) -> None:
        (review_prompt,) = asked(subject(), ReviewLedger())
        end = next_step(subject(), ReviewLedger(), {}, {review_prompt.id: "It was away."})
        assert isinstance(end, Reviewed)
        assert end.result.ending is Ending.COULD_NOT_RUN
        assert "It was away." in end.result.sentence
        assert end.ledger == ReviewLedger()

    @pytest.mark.parametrize("answer", ["", "[]", "{}", '{"files": 1, "findings": []}', "null"])
    def test_a_nonsensical_answer_could_not_run(self, answer: str) -> None:
        assert read_chunk(answer) is None
        (review_prompt,) = asked(subject(), ReviewLedger())
        end = next_step(subject(), ReviewLedger(), {review_prompt.id: answer}, {})
        assert isinstance(end, Reviewed)
        assert end.result.ending is Ending.COULD_NOT_RUN


class TestAfterAFix:
    def after_one(self) -> ReviewLedger:
        return reviewed(subject(SHOP, DOOR), found()).ledger

    def fixed(self, text: str = "    return price\n") -> ChangedFile:
        return replace(SHOP, after=f"def pay(price):\n{text}".encode())

    def test_the_first_round_asks_about_earlier_findings(self) -> None:
        (review_prompt,) = asked(subject(self.fixed(), DOOR), self.after_one())
        assert review_prompt.round is Round.EARLIER
        assert [one.id for one in review_prompt.earlier] == ["F1"]
        assert "return price / 0" in review_prompt.text
        assert "     2     return price" in review_prompt.text

    def test_the_next_rounds_review_new_lines_and_then_everything_once(self) -> None:
        about, ledger = subject(self.fixed(), DOOR), self.after_one()
        answers: dict[str, str] = {}
        rounds = []
        for _ in range(4):
            step = next_step(about, ledger, answers, {})
            if isinstance(step, Reviewed):
                break
            rounds += [(one.round, one.chunk.paths if one.chunk else ()) for one in step.prompts]
            for one in step.prompts:
                closed = {"earlier": [{"id": "F1", "closed": True, "line": 0, "quote": ""}]}
                answers[one.id] = said(one) if one.chunk else json.dumps(closed)
        assert rounds == [
            (Round.EARLIER, ()),
            (Round.NEW, ("src/shop.py",)),
            (Round.ALL, ("src/shop.py", "src/door.py")),
        ]
        assert isinstance(step, Reviewed)
        assert step.result.ending is Ending.PASSED

    def test_an_open_earlier_finding_is_red_and_ends_the_review(self) -> None:
        moved = self.fixed(f"    # why not\n{BAD}")
        end = reviewed(
            subject(moved, DOOR), ledger=self.after_one(), closed=False, again=(3, QUOTE)
        )
        assert end.result.ending is Ending.FAILED
        assert [one.line_start for one in end.result.annotations] == [3]

    def test_an_open_finding_without_a_matching_quote_is_dropped(self) -> None:
        end = reviewed(
            subject(self.fixed(), DOOR), ledger=self.after_one(), closed=False, again=(2, "no such")
        )
        assert end.result.ending is Ending.PASSED
        assert "1 finding dropped" in end.result.sentence

    def test_the_old_quote_counts_if_the_new_one_does_not_match(self) -> None:
        end = reviewed(subject(SHOP, DOOR), ledger=self.after_one(), closed=False)
        assert end.result.ending is Ending.FAILED

    def test_an_answer_that_omits_an_earlier_finding_could_not_run(self) -> None:
        about = subject(self.fixed(), DOOR)
        (review_prompt,) = asked(about, self.after_one())
        end = next_step(about, self.after_one(), {review_prompt.id: '{"earlier": []}'}, {})
        assert isinstance(end, Reviewed)
        assert end.result.ending is Ending.COULD_NOT_RUN

    def test_a_finding_that_asks_for_the_opposite_is_contradictory(self) -> None:
        about = subject(self.fixed(), DOOR)
        end = reviewed(about, found("return price", undoes="F1"), ledger=self.after_one())
        assert end.is_circle
        assert end.ledger.findings == ()
        assert not reviewed(about, found("return price"), ledger=self.after_one()).is_circle

    def test_a_closed_finding_that_returns_is_contradictory(self) -> None:
        closed = reviewed(subject(self.fixed(), DOOR), ledger=self.after_one()).ledger
        assert reviewed(subject(SHOP, DOOR), found(), ledger=closed).is_circle

    def test_a_returning_warning_is_not_contradictory(self) -> None:
        end = reviewed(
            subject(self.fixed(), DOOR),
            found("return price", severity="minor", undoes="F1"),
            ledger=self.after_one(),
        )
        assert not end.is_circle
        assert end.result.ending is Ending.PASSED
