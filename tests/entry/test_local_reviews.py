"""A model's review on a local machine: each answer is requested once, within its limits."""

import json
from pathlib import Path

import pytest

from action.report import TokenUse
from bot.core.spec.awaited_gates import ReviewGate
from bot.core.values.prompt import Prompt, Reply, ReplyEnding
from bot.entry.commands.gates_review import LocalReview, Reader, Work, diff_here
from bot.ports import Retryable, UserError
from gates.graded.chunks import CHUNK_CHARACTERS, FILES_MAX, ChangedFile
from gates.graded.findings import Grade
from gates.result import Ending, GateResult
from tests.core.values import sha
from tests.gates.checkouts import Repository

GATE = ReviewGate(
    name="read", block=Grade.MAJOR, dollars_max=10, deadline_seconds=600, required=True
)
BAD, GOOD = "total = 10 / 0\n", "total = 10 / 1\n"
TOKENS = TokenUse(input=1_000, output=100)


def finding(quote: str = BAD.strip(), line: int = 1) -> dict[str, object]:
    said = {"path": "a.py", "line": line, "quote": quote, "severity": "critical"}
    return {**said, "message": "It divides by zero.", "undoes": ""}


def read(*findings: dict[str, object], files: tuple[str, ...] = ("a.py",)) -> str:
    return json.dumps({"files": files, "findings": findings})


def closed(is_closed: bool) -> str:
    return json.dumps({"earlier": [{"id": "F1", "closed": is_closed, "line": 1, "quote": "total"}]})


class Scripted:
    """A model that says its turns one after the other; an exception is raised."""

    def __init__(self, *turns: str | BaseException) -> None:
        self.turns = list(turns)
        self.prompts: list[str] = []

    def ask(self, model: str, prompt: Prompt) -> Reply:
        self.prompts.append(prompt.parts[0].text)
        turn = self.turns.pop(0)
        if isinstance(turn, BaseException):
            raise turn
        return Reply(ending=ReplyEnding.COMPLETE, text=turn, tokens=TOKENS, request_id="")


class Desk:
    """A clone's branch, which is reviewed again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "kept"
        self.gate = GATE
        self.texts = {"a.py": BAD}
        self.now = 0.0
        self.said: list[str] = []
        self.waited: list[float] = []

    def review(
        self, model: Scripted, models: tuple[str, ...] = ("claude-opus-4-6",)
    ) -> LocalReview:
        files = tuple(
            ChangedFile(path=path, before=None, after=text.encode())
            for path, text in self.texts.items()
        )
        reader = Reader(model, models, {}, self.said.append, self._pause, lambda: self.now)
        return LocalReview(self.gate, Work("work", sha("c"), files, self.folder), reader)

    def result(self, *turns: str | BaseException) -> tuple[GateResult, int]:
        """The result, and how often the model was asked."""
        model = Scripted(*turns)
        result = self.review(model).result()
        assert model.turns == []
        return result, len(model.prompts)

    def _pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_finding_is_red_at_its_line_and_one_without_its_quote_is_dropped(
    desk: Desk,
) -> None:
    said, _ = desk.result(read(finding(), finding("os.remove(all)")))
    (note,) = said.annotations
    assert (said.ending, note.path, note.line_start) == (Ending.FAILED, "a.py", 1)
    assert note.message == "It divides by zero."
    assert "1 finding dropped, because the quoted words are not at that line." in said.sentence


def test_a_finding_below_the_blocking_severity_is_reported_and_passes(desk: Desk) -> None:
    minor = {**finding(), "severity": "minor"}
    said, _ = desk.result(read(minor))
    assert (said.ending, len(said.annotations)) == (Ending.PASSED, 1)
    desk.gate = GATE.replace(block=Grade.MINOR)
    assert desk.result(closed(is_closed=False))[0].ending is Ending.FAILED


def test_the_next_review_asks_first_whether_the_findings_are_closed(desk: Desk) -> None:
    desk.result(read(finding()))
    assert desk.result(closed(is_closed=False))[0].ending is Ending.FAILED

    desk.texts["a.py"] = GOOD
    model = Scripted(closed(is_closed=True), read())
    assert desk.review(model).result().ending is Ending.PASSED
    first, second = model.prompts
    assert "Earlier findings on a change were given to its author" in first
    assert GOOD.strip() in second


def test_a_finding_that_undoes_an_earlier_one_is_reported_as_such(desk: Desk) -> None:
    desk.result(read(finding()))
    desk.texts["a.py"] = GOOD
    again = {**finding(GOOD.strip()), "undoes": "F1"}
    said, _ = desk.result(closed(is_closed=True), read(again))
    assert said.ending is Ending.FAILED
    assert "requires the opposite of an earlier finding" in said.sentence


def test_a_passed_review_is_reused_until_the_diff_or_the_policy_changes(desk: Desk) -> None:
    desk.texts["a.py"] = GOOD
    assert desk.result(read())[1] == 1
    again = desk.review(Scripted())
    assert "costs nothing" in again.outlook()
    assert again.result().ending is Ending.PASSED
    desk.gate = GATE.replace(block=Grade.MINOR)
    assert desk.result(read())[1] == 1
    desk.texts["a.py"] = BAD
    assert desk.result(read(finding()))[0].ending is Ending.FAILED


def test_a_file_missing_in_the_answer_does_not_pass_and_is_reviewed_again(desk: Desk) -> None:
    said, _ = desk.result(read(files=()))
    assert said.ending is Ending.COULD_NOT_RUN
    assert "does not account for a.py" in said.sentence
    assert desk.result(read())[0].ending is Ending.PASSED


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), UserError("The key was refused (401).")])
def test_no_answer_is_paid_for_twice(desk: Desk, stop: BaseException) -> None:
    line = "x = 1  # " + "long " * 12 + "\n"
    desk.texts = {"a.py": line * (2 * CHUNK_CHARACTERS // len(line))}
    model = Scripted(read(), stop)
    if isinstance(stop, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            desk.review(model).result()
        assert "The next run uses the model's answers so far" in desk.said[-1]
    else:
        said = desk.review(model).result()
        assert (said.ending, "401" in said.sentence) == (Ending.COULD_NOT_RUN, True)
    left = desk.review(Scripted(read(), read()))
    assert left.result().ending is Ending.PASSED
    assert left.use.calls == len(model.prompts) == 2


def test_a_busy_model_is_asked_again_until_the_gates_time_is_over(desk: Desk) -> None:
    busy = Retryable("claude-opus-4-6 is busy (529).")
    assert desk.result(busy, read())[0].ending is Ending.PASSED
    assert len(desk.waited) == 1
    assert "is busy (529). Headgate asks again in" in desk.said[-1]

    desk.gate = GATE.replace(block=Grade.MINOR, deadline_seconds=1)
    said, asked = desk.result(busy)
    assert (said.ending, asked) == (Ending.COULD_NOT_RUN, 1)
    assert "it did not end within 1 seconds" in said.sentence


def test_a_review_that_may_exceed_the_cost_limit_is_not_requested(desk: Desk) -> None:
    desk.gate = GATE.replace(dollars_max=0.05)
    said, asked = desk.result()
    assert (said.ending, asked) == (Ending.COULD_NOT_RUN, 0)
    assert "to read it may cost $0.16" in said.sentence


def test_the_cost_is_estimated_before_and_counted_after(desk: Desk) -> None:
    review = desk.review(Scripted(read(finding())))
    assert "it costs at most $0.16" in review.outlook()
    review.result()
    assert (review.use.calls, review.use.tokens, review.use.dollars) == (1, TOKENS, 0.0075)
    assert "an unknown amount" in desk.review(Scripted(), ("local",)).outlook()


def test_an_empty_diff_is_not_sent_to_a_model(desk: Desk) -> None:
    desk.texts = {}
    said, asked = desk.result()
    assert (said.sentence, asked) == ("The diff changes no file, so no model was asked.", 0)


def test_a_diff_that_is_too_long_is_not_treated_as_empty(desk: Desk) -> None:
    desk.texts = {}
    assert desk.result()[0].ending is Ending.PASSED
    desk.texts = {"a.py": "x" * (CHUNK_CHARACTERS + 1)}
    said, _ = desk.result()
    assert said.ending is Ending.COULD_NOT_RUN
    assert "a.py has a line of 40," in said.sentence


def test_an_unreadable_cached_review_is_ignored(desk: Desk) -> None:
    desk.result(read(finding()))
    (file,) = desk.folder.iterdir()
    file.write_text("{")
    assert desk.result(read(finding()))[1] == 1
    assert desk.folder.stat().st_mode & 0o077 == 0


def test_the_diff_is_read_as_on_a_server(tmp_path: Path) -> None:
    clone = Repository(tmp_path / "clone")
    (clone.folder / "link").symlink_to("README.md")
    clone.write("new.bin", b"\0")
    head = clone.commit({"src/calc.py": "ONE = 2\n"})
    files = {one.path: one for one in diff_here(clone.folder / ".git", clone.base_sha, head)}
    assert (files["src/calc.py"].before, files["src/calc.py"].after) == (b"ONE = 1\n", b"ONE = 2\n")
    assert (files["new.bin"].before, files["new.bin"].after) == (None, b"\0")
    assert (files["link"].before, files["link"].after) == (None, None)

    many = clone.commit({f"f{n}.txt": "x\n" for n in range(FILES_MAX + 1)})
    read_none = diff_here(clone.folder / ".git", head, many)
    assert {one.after for one in read_none} == {None}
