"""What people leave behind in a repository, in any number: what has ended must cost nothing.

Events are written as they would be; issues leave the state by the rule itself (`retire_issues`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.core.decide.decision import Decision
from bot.core.decide.people import retire_issues
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.spec.policy import no_policy
from bot.core.state.observed import Observed
from bot.core.values.ids import CommentId, IssueNumber, PullNumber, Sha
from bot.core.values.question import Answer, Question
from tests.bench.grown_journal import Recorded

# Beyond all numbers of the change that was played.
_FIRST = 1_000_000
# One after another, until now.
_APART = timedelta(minutes=7)
# So many come between two rounds of decisions.
_A_ROUND = 20
_WORDS = "The till takes coins and notes, and shows what is given back. " * 5


def _said(effect: ef.PostComment | ef.React, at: datetime) -> tuple[ev.Event, ...]:
    return (
        ev.EffectIntended(effect=effect),
        ev.TextPublished(subject=effect.key, digest="0123456789ab", published_at=at),
        ev.EffectDone(key=effect.key),
    )


def _dialogue(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """An issue asks for work, five questions are answered, and a person stops it."""
    issue = IssueNumber(number)
    asked = tuple(Question(number=n, sentence=_WORDS, why=_WORDS) for n in range(1, 6))
    answers = (
        ev.QuestionAnswered(
            place=f"issue:{issue}",
            number=one.number,
            answer=Answer(text=_WORDS, author="ann", given_at=at),
        )
        for one in asked
    )
    return (
        ev.WorkAsked(issue=issue, labelling=number, asked_by="ann", title=_WORDS[:60], digest="d"),
        ev.QuestionsPut(place=f"issue:{issue}", questions=asked, last=5, round=1, by_rules=True),
        *_said(ef.PostComment(issue=issue, subject=f"dialogue {issue} 1", text=_WORDS), at),
        *answers,
        ev.DialogueEnded(issue=issue, ending=ev.DialogueEnding.STOPPED, by="ann"),
        *_said(ef.PostComment(issue=issue, subject=f"dialogue {issue} 1", text=_WORDS), at),
    )


def _spec_issue(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """A spec that is an issue is offered, and merged."""
    issue, pull = IssueNumber(number), PullNumber(_FIRST + number)
    offered = f"spec issue {issue} offered {pull}"
    return (
        ev.SpecProposed(issue=issue, pull=pull, path=f"specs/a{number}.md", digest="d", round=1),
        *_said(ef.PostComment(issue=issue, subject=offered, text=_WORDS), at),
        ev.SpecWithdrawn(issue=issue),
    )


def _comment(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """A command is answered in words, and by a reaction."""
    comment, issue = CommentId(number), IssueNumber(1)
    return (
        ev.CommandHeard(comment=comment, issue=issue),
        ev.CommandAnswered(comment=comment, outcome="done", author="ann", created_at=at),
        *_said(ef.React(comment=comment, content="rocket"), at),
        *_said(ef.PostComment(issue=issue, subject=f"reply {comment}", text=_WORDS), at),
        ev.CommentsRead(up_to=at),
    )


def _refused_spec(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """A spec that cannot be read comes to main, is told of, and goes."""
    path, version = f"specs/a{number}.md", f"{number:040}"
    comment = ef.PostComment(issue=IssueNumber(1), subject=f"{path}@{version[:12]}", text="")
    told = f"commit-{comment.key}"
    return (
        ev.SpecsNoted(versions={path: version}),
        ev.SpecRefused(path=path, version=version, commit=_sha(number), findings=()),
        ev.TextPublished(subject=told, digest="posted", published_at=at),
        ev.SpecsNoted(versions={path: ""}),
    )


def _label(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """The label of the queue is put on a pull that may not enter."""
    said = ef.PostComment(issue=IssueNumber(number), subject=f"queue label {number}", text=_WORDS)
    return _said(said, at)


def _waiver(number: int, at: datetime) -> tuple[ev.Event, ...]:
    """A failing test is accepted for a day."""
    return (
        ev.TestsWaived(tests=(f"tests/t.py::t{number}",), until=at.date(), waived_by="ann"),
        ev.CommentsRead(up_to=at),
    )


def _sha(number: int) -> Sha:
    return Sha(f"{number:040x}")


KINDS: Mapping[str, Callable[[int, datetime], tuple[ev.Event, ...]]] = {
    "ended dialogues": _dialogue,
    "spec issues": _spec_issue,
    "answered comments": _comment,
    "refused specs": _refused_spec,
    "labelled pulls": _label,
    "expired waivers": _waiver,
}


@dataclass(frozen=True)
class Crowd:
    """The change that was played, and after it so many of one kind."""

    recorded: Recorded
    kind: str
    now: datetime

    @property
    def change(self) -> tuple[ev.Event, ...]:
        """The events of the change that was played."""
        return self.recorded.change

    def rows(self, copies: int) -> Iterator[tuple[str, str]]:
        """Type and body of each event."""
        yield from self.recorded.rows(0)
        for event in self._events(copies):
            yield event.type, event.model_dump_json()

    def _events(self, copies: int) -> Iterator[ev.Event]:
        state = fold((*self.recorded.before, *self.recorded.change))
        for number in range(copies):
            at = self.now - _APART * (copies - number)
            written = KINDS[self.kind](_FIRST + number, at)
            state = fold(written, state)
            yield from written
            if number % _A_ROUND == _A_ROUND - 1:
                decided = _retired(state, at)
                state = fold(decided, state)
                yield from decided


def _retired(state: RepositoryState, now: datetime) -> tuple[ev.Event, ...]:
    observed = Observed(policy=no_policy(), last_good_policy=no_policy())
    decision = Decision(state, observed, now)
    retire_issues.next_steps(decision)
    return decision.events
