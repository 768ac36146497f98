"""A gate `review` on one's own machine: a model reads the diff of a clone, by the rules of `gates.graded`.

What it said of a branch is kept in the clone's git folder: the next review asks first whether that is
fixed, what passed is not paid for again, and neither is an answer of a review that was interrupted.
"""

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from action.order import Price
from bot.adapters.git.commits import Commits
from bot.adapters.git.process import GitProgram
from bot.adapters.git.trees import Trees
from bot.core.journal.effects import AskModel
from bot.core.prompts.review_cost import over_budget, rounded_up, upper_cost
from bot.core.prompts.review_prompt import ReviewPromptInput, prompt_of
from bot.core.spec.awaited_gates import ReviewGate
from bot.core.spec.model_choice import ModelRefusal, resolve
from bot.core.spec.policy import Policy
from bot.core.values.ids import ChangeId, Frozen, Sha
from bot.core.values.model_roles import ModelRole
from bot.core.values.prompt import PromptOutcome, PromptResult
from bot.core.values.spent import ModelUse, with_call
from bot.entry.model_settings import make_model, server_models
from bot.entry.settings import Settings
from bot.ports import Model
from bot.shell.model_calls import ROUNDS_MAX
from bot.shell.model_fallback import ModelFallback
from bot.shell.prompt_texts import advice_templates
from gates.graded.chunks import ChangedFile, Contents, TooMuch, changed_files, chunks_of, digest
from gates.graded.rounds import (
    Asking,
    Reviewed,
    ReviewLedger,
    ReviewPrompt,
    Subject,
    could_not_run,
    next_step,
)
from gates.result import Ending, GateResult
from gates.wording import counted, plain_text

_NO_KEY = "there is no key for a model: set ANTHROPIC_API_KEY."


@dataclass(frozen=True)
class Work:
    """What is read: the branch, its commit, and the files that differ. `kept` is the folder for what was said."""

    branch: str
    head: Sha
    files: tuple[ChangedFile, ...]
    kept: Path


@dataclass(frozen=True)
class Reader:
    """The model, and by which names and prices it is asked. `say` tells of the way."""

    model: Model
    models: tuple[str, ...]
    prices: Mapping[str, Price]
    say: Callable[[str], None]
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


class _Kept(Frozen):
    """What was said of a branch. `answers` are of a review without an end; `passed` of the diff `passed_of`."""

    ledger: ReviewLedger = ReviewLedger()
    answers: dict[str, str] = {}
    passed: GateResult | None = None
    passed_of: str | None = None


def diff_here(git_dir: Path, base: str, head: str) -> tuple[ChangedFile, ...]:
    """As a worker reads it off a mirror."""
    with tempfile.TemporaryDirectory(prefix="headgate-git-") as home:
        git = GitProgram(Path(home), ())
        trees = Trees(git, git_dir)

        def read(paths: tuple[str, ...]) -> tuple[Contents, Contents]:
            return trees.files(Sha(base), paths), trees.files(Sha(head), paths)

        return changed_files(Commits(git, git_dir).changed_paths(Sha(base), Sha(head)), read)


def reader_here(policy: Policy, say: Callable[[str], None]) -> Reader | str:
    """Or why there is none. An `.env` of the clone is not read: whoever wrote it would choose who gets the key."""
    settings = Settings(_env_file=None)
    model = make_model(settings)
    if model is None:
        return _NO_KEY
    found = resolve(ModelRole.REVIEW, policy, server_models(settings, os.environ))
    if isinstance(found, ModelRefusal):
        return found.sentence
    return Reader(model, found.models, policy.file.prices, say)


class LocalReview:
    """One gate's review of the work. `use` is what it has taken."""

    def __init__(self, gate: ReviewGate, work: Work, reader: Reader) -> None:
        self._gate = gate
        self._work = work
        self._reader = reader
        self._subject = Subject(gate=gate.name, block=gate.block, files=work.files)
        name = hashlib.sha256(f"{work.branch}\n{gate.name}".encode()).hexdigest()[:24]
        self._file = work.kept / f"{name}.json"
        self._kept = _read(self._file)
        self.use = ModelUse()

    def outlook(self) -> str:
        """What it would cost, before anything is asked."""
        if self._passed() is not None:
            return "the model has already passed this diff, so it costs nothing."
        step = next_step(self._subject, self._kept.ledger, self._kept.answers, {})
        if isinstance(step, Reviewed):
            return step.result.sentence
        # After an earlier review all may be read twice: what is new, and then the whole.
        whole = (
            next_step(self._subject, ReviewLedger(), {}, {}) if self._kept.ledger.files else None
        )
        later = whole.prompts * 2 if isinstance(whole, Asking) else ()
        upper = upper_cost((*step.prompts, *later), self._reader.models, self._reader.prices)
        return f"it costs {at_most(upper.dollars)} ({upper.tokens:,} tokens, {self._reader.models[0]})."

    def result(self) -> GateResult:
        """Asks the model until the review has an end."""
        if passed := self._passed():
            return passed
        began = self._reader.clock()
        try:
            result = self._result(began + self._gate.deadline_seconds)
        except KeyboardInterrupt:
            self._reader.say("Interrupted. The next run uses the model's answers so far.")
            raise
        return replace(result, seconds=round(self._reader.clock() - began, 3))

    def _result(self, until: float) -> GateResult:
        answers = dict(self._kept.answers)
        while True:
            step = next_step(self._subject, self._kept.ledger, answers, {})
            if isinstance(step, Reviewed):
                is_pass = step.result.ending is Ending.PASSED
                self._keep(
                    _Kept(
                        ledger=step.ledger,
                        passed=step.result if is_pass else None,
                        passed_of=self._name_of_diff() if is_pass else None,
                    )
                )
                return step.result
            upper = upper_cost(step.prompts, self._reader.models, self._reader.prices)
            why = over_budget(upper, self.use.dollars, self._gate.dollars_max)
            for at, review_prompt in enumerate(() if why else step.prompts, 1):
                self._reader.say(
                    f"{self._gate.name}: {_told(review_prompt, at, len(step.prompts))}"
                )
                said = self._asked(review_prompt, until)
                if said.outcome is not PromptOutcome.ANSWERED:
                    why = said.sentence
                    break
                answers[review_prompt.id] = said.answer
                self._keep(self._kept.replace(answers=dict(answers)))
            if why:
                return could_not_run(self._gate.name, why)

    def _asked(self, review_prompt: ReviewPrompt, until: float) -> PromptResult:
        about = ReviewPromptInput(
            change=ChangeId(self._work.branch),
            gate=self._gate.name,
            block=self._gate.block,
            candidate=self._work.head,
            round=review_prompt.round,
        )
        effect = AskModel(
            prompt=review_prompt.id,
            role=ModelRole.REVIEW,
            models=self._reader.models,
            about=about,
            asked_at=datetime.now(UTC),
        )
        prompt = prompt_of(about, review_prompt, advice_templates())
        late = f"it did not end within {self._gate.deadline_seconds} seconds."
        said = PromptResult(outcome=PromptOutcome.FAILED, calls=(), sentence=late)
        for tries in range(ROUNDS_MAX):
            left = until - self._reader.clock()
            if left <= 0:
                return said.replace(outcome=PromptOutcome.FAILED, sentence=late)
            fallback = ModelFallback(self._reader.model, effect, dict(self._reader.prices))
            said = fallback.ask(prompt, tries)
            for call in said.calls:
                self.use = with_call(self.use, call)
            if said.outcome is not PromptOutcome.BUSY:
                break
            wait = min(said.after_seconds, left)
            self._reader.say(f"{said.sentence} Headgate asks again in {wait:.0f} seconds.")
            self._reader.pause(wait)
        return said

    def _passed(self) -> GateResult | None:
        """What passed this very diff."""
        is_same = self._kept.passed_of == self._name_of_diff()
        return self._kept.passed if is_same else None

    def _name_of_diff(self) -> str | None:
        """None: it cannot be shown."""
        chunks = chunks_of(self._subject.files)
        if isinstance(chunks, TooMuch):
            return None
        texts = [chunk.text for chunk in chunks]
        return digest("\n".join((self._gate.block, *self._reader.models, *texts)))

    def _keep(self, kept: _Kept) -> None:
        self._kept = kept
        beside = self._file.with_suffix(f".{os.getpid()}")
        # Where the git folder cannot be written, each review is the first one.
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside.write_text(kept.model_dump_json(), encoding="utf-8")
            beside.replace(self._file)


def _read(file: Path) -> _Kept:
    try:
        return _Kept.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return _Kept()


def at_most(dollars: float | None) -> str:
    return "an unknown amount" if dollars is None else f"at most {rounded_up(dollars)}"


def _told(review_prompt: ReviewPrompt, at: int, of: int) -> str:
    number = f" ({at} of {of})" if of > 1 else ""
    if review_prompt.chunk is None:
        return f"the model is asked whether earlier findings are closed{number}."
    first, *others = review_prompt.chunk.paths
    more = f" and {counted(len(others), 'more file')}" if others else ""
    return f"the model reads {plain_text(first)}{more}{number}."
