"""The state does not grow forever: answers, publications and refusals leave with their subject."""

from datetime import timedelta

import pytest

from action.order import GateOrder
from bot.core.journal import events as ev, evolve_questions
from bot.core.journal.effects import PublishLedger
from bot.core.journal.evolve import fold
from bot.core.journal.evolve_effects import REFUSED_MAX
from bot.core.journal.evolve_forgotten import OPEN, without_old_main, without_orders
from bot.core.journal.evolve_main import EXPIRED_WAIVERS_KEPT
from bot.core.journal.evolve_people import COMMENTS_KEPT
from bot.core.journal.state import (
    Adoption,
    OrderFacts,
    OrderKind,
    OrderState,
    RepositoryState,
    SpecRefusal,
    SpecRun,
)
from bot.core.spec.identity.id_changes import Rematched
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import CommentId, EffectKey, OrderId, Sha, SpecRunId
from bot.core.values.question import Answer, AskedQuestions, Question
from bot.core.values.replacement import replace
from gates.result import Ending
from tests.core.kit import approved, proposed
from tests.core.values import START, beside, sha


def published(*subjects: str, digest: str = "d") -> tuple[ev.TextPublished, ...]:
    return tuple(
        ev.TextPublished(subject=subject, digest=digest, published_at=START) for subject in subjects
    )


def told(*subjects: str, digest: str = "d") -> list[str]:
    return list(fold(published(*subjects, digest=digest)).published)


class TestComments:
    def test_answers_are_forgotten_even_without_an_ended_run(self) -> None:
        world = proposed()
        for day in range(30):
            world.say(world.run.issue or 0, f"/headgate why {day}")
            world.settle()
            world.pass_time(timedelta(days=1).total_seconds())
        assert len(world.wrote("CommandAnswered")) == 30
        assert len(world.state.answered) <= COMMENTS_KEPT.days + 2

    def test_a_comment_that_was_forgotten_is_not_answered_again(self) -> None:
        world = proposed()
        world.say(world.run.issue or 0, "/headgate why")
        world.settle()
        old = world.comments[-1][0]
        for _ in range(COMMENTS_KEPT.days + 2):
            world.pass_time(timedelta(days=1).total_seconds())
            world.say(world.run.issue or 0, "/headgate why")
            world.settle()
        assert old.id not in world.state.answered
        before = len(world.journal)
        world.tick((Hint(kind=HintKind.COMMENT, number=old.id, issue=old.issue),))
        world.settle()
        assert [e.type for e in world.journal[before:] if e.type == "CommandHeard"] == []

    def test_a_recent_answer_is_remembered(self) -> None:
        lately = ev.CommandAnswered(
            comment=CommentId(5), outcome="done", author="ann", created_at=START
        )
        state = fold([lately, ev.CommentsRead(up_to=START + COMMENTS_KEPT)])
        assert CommentId(5) in state.answered
        later = ev.CommentsRead(up_to=START + COMMENTS_KEPT + timedelta(seconds=1))
        assert not fold([later], state).answered

    def test_an_old_one_behind_newer_ones_is_forgotten_with_its_time(self) -> None:
        answered = [
            ev.CommandAnswered(
                comment=CommentId(n),
                outcome="done",
                author="ann",
                created_at=START + timedelta(days=0 if n == 5 else 2),
            )
            for n in (1, 2, 3, 5, 6)
        ]
        read = ev.CommentsRead(up_to=START + COMMENTS_KEPT + timedelta(days=1))
        assert list(fold([*answered, read]).answered) == [1, 2, 3, 6]

    def test_publications_that_are_never_looked_up_are_not_remembered(self) -> None:
        subjects = ("react:5:rocket", "react-review:5:rocket", "comment:reply 5")
        assert told(*subjects, "check:spec-pull:7:r1", "comment:red main") == ["comment:red main"]

    def test_only_the_newest_general_refusals_are_kept(self) -> None:
        events: list[ev.Event] = []
        for first in range(REFUSED_MAX + 5):
            effect = PublishLedger(previous=None, first=first, lines=("{}",), at=START)
            events += [
                ev.EffectIntended(effect=effect),
                ev.EffectRefused(key=effect.key, sentence="No."),
            ]
        state = fold(events)
        assert len(state.refused) == REFUSED_MAX
        assert effect.key in state.refused

    def test_a_refused_reaction_is_not_remembered(self) -> None:
        world = proposed()
        world.refusals["React"] = "Not today."
        for _ in range(3):
            world.say(world.run.issue or 0, "/headgate why")
            world.settle()
        assert world.wrote("EffectRefused")
        assert not world.state.refused
        assert not [e for e in world.state.open_effects.values() if e.type == "React"]


class TestSeries:
    def test_only_the_newest_check_run_of_a_series_is_remembered(self) -> None:
        old, new = "20260702T090000", "20260703T090000"
        for begins in ("check:rules:", "check:rules:release/1:", "check:pauses:"):
            assert told(f"{begins}{old}", f"{begins}{new}") == [f"{begins}{new}"]
            assert told(f"{begins}{new}", f"{begins}{old}") == [f"{begins}{new}"]

    def test_each_branch_has_its_own_series_of_check_runs(self) -> None:
        at = "20260702T090000"
        ours = [f"check:rules:{at}", f"check:rules:dev:{at}", f"check:rules:main:{at}"]
        assert told(*ours) == ours
        assert told(*reversed(ours)) == [*reversed(ours)]

    def test_the_newest_labels_of_pulls_are_remembered(self) -> None:
        acts = [f"comment:queue label {n}" for n in range(1_000)]
        assert told(*acts) == acts[-200:]

    def test_only_the_onboarding_check_of_the_newest_commit_is_remembered(self) -> None:
        heads = [f"check:onboarding:{sha(str(n))}" for n in range(5)]
        assert told(*heads) == heads[-1:]

    def test_a_series_is_as_short_as_its_published_effects(self) -> None:
        state = fold(published(*(f"comment:queue label {n}" for n in range(1_000))))
        assert sum(map(len, state.series.values())) == len(state.published) == 200


class TestDecisions:
    @pytest.fixture(autouse=True)
    def few_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(evolve_questions, "DECISIONS_KEPT", 3)
        monkeypatch.setattr(evolve_questions, "_DECISIONS_AT_ONCE", 2)

    def decided(self, *topics: str, asked: tuple[str, ...] = ()) -> list[str]:
        """Each was asked and answered at a place of its own, which stays for these."""
        state = RepositoryState()
        for topic in topics:
            question = Question(number=1, sentence="How many?", topic=topic)
            answer = Answer(text="two", author="ann")
            put = ev.QuestionsPut(place=topic, questions=(question,), last=1)
            answered = ev.QuestionAnswered(place=topic, number=1, answer=answer)
            state = fold((put, answered), state)
            if topic not in asked:
                state = replace(state, asked={p: a for p, a in state.asked.items() if p != topic})
        return list(state.decisions)

    def test_the_newest_decisions_are_remembered(self) -> None:
        assert self.decided(*"abcd") == [*"abcd"]
        assert self.decided(*"abcde") == [*"cde"]

    def test_a_repeated_decision_counts_as_new(self) -> None:
        assert self.decided(*"abcda") == [*"bcda"]
        assert self.decided(*"abcdae") == [*"dae"]

    def test_a_decision_that_is_asked_at_another_place_is_kept(self) -> None:
        assert self.decided(*"abcde", asked=("a",)) == [*"acde"]


class TestCandidates:
    def test_verdicts_on_candidates_that_were_replaced_are_forgotten(self) -> None:
        world = approved(beside(1))
        world.work(until=lambda w: bool(w.open_orders(GateOrder)))
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.work()
        assert [
            s for s in world.state.published if s.startswith(f"check:{world.change('R0').id}:2")
        ]
        changes = {str(c.id): c for c in world.state.changes.values()}
        for subject in world.state.published:
            kind, _, rest = subject.partition(":")
            id_, _, number = rest.partition(":")
            if kind == "check" and id_ in changes:
                newest = world.state.candidate_of(changes[id_])
                assert newest is not None
                assert number.partition(":")[0] == str(newest.number)

    def test_an_open_verdict_is_remembered_until_it_is_concluded(self) -> None:
        world = approved(beside(1))
        world.work(until=lambda w: bool(w.open_orders(GateOrder)))
        change = world.change("R0")
        candidate = world.state.candidate_of(change)
        assert candidate is not None
        newer = replace(candidate, number=candidate.number + 1)
        state = replace(world.state, candidates={**world.state.candidates, candidate.id: newer})
        subject = f"check:{change.id}:{candidate.number}"
        stands = fold(published(subject, digest=f"{OPEN}{candidate.sha}:d"), state)
        assert subject in stands.published
        assert subject not in fold(published(subject), stands).published


def order(id_: str, commit: Sha) -> OrderFacts:
    return OrderFacts(
        id=OrderId(id_),
        kind=OrderKind.GATE,
        state=OrderState.LOST,
        change=None,
        commit=commit,
        placed_at=START,
    )


class TestMain:
    def test_publications_about_removed_commits_leave_with_their_orders(self) -> None:
        here, gone = sha("a"), sha("b")
        orders = [
            order("o1", gone),
            order("o2", here),
            replace(order("o3", gone), state=OrderState.PLACED),
            replace(order("o4", gone), is_smoke=True),
            replace(order("o5", gone), branch_of_queue="dev"),
        ]
        state = RepositoryState(
            adoptions={here: Adoption(sha=here)},
            orders={one.id: one for one in orders},
            lost_orders=(OrderId("o1"), OrderId("o2")),
            published={
                f"check:main:{gone}": "d",
                f"check:main:{here}": "d",
                f"check:main:dev:{gone}": "d",
                "revoke:o1": "revoked",
                "revoke:o2": "revoked",
            },
            refused={EffectKey("dispatch:o1"): "No.", EffectKey("dispatch:o2"): "No."},
        )
        after = without_old_main(state)
        assert list(after.orders) == ["o2", "o3", "o4", "o5"]
        assert after.lost_orders == ("o2",)
        assert list(after.published) == [
            f"check:main:{here}",
            f"check:main:dev:{gone}",
            "revoke:o2",
        ]
        assert list(after.refused) == ["dispatch:o2"]

    def test_a_withheld_verdict_is_remembered(self) -> None:
        subject = f"check:main:{sha('b')}"
        state = RepositoryState(published={subject: f"{OPEN}{sha('b')}:d"})
        assert without_old_main(state) == state

    def test_the_state_is_not_copied_if_no_order_leaves(self) -> None:
        state = RepositoryState(published={"revoke:o1": "revoked"})
        assert without_orders(state, set()) is state


class TestSpecs:
    def test_a_refusal_leaves_with_its_publications(self) -> None:
        path = "specs/a.md"
        first = ev.SpecRefused(path=path, version="1" * 40, commit=sha("a"), findings=())
        state = fold(
            [
                first,
                *published(f"check:refused:{path}@{'1' * 12}", f"commit-comment:{path}@{'1' * 12}"),
            ]
        )
        assert len(fold([first], state).published) == 2
        second = ev.SpecRefused(path=path, version="2" * 40, commit=sha("b"), findings=())
        assert not fold([second], state).published
        assert fold([second], state).refusals[path].version == "2" * 40

    def test_a_readable_policy_ends_its_refusal(self) -> None:
        refused = ev.PolicyRefused(version="1" * 40, commit=sha("a"), findings=())
        said = published(f"commit-comment:{POLICY_PATH}@{'1' * 12}")
        read = ev.PolicyRead(version="2" * 40, commit=sha("b"))
        state = fold([refused, *said, read])
        assert (state.refusals, state.published) == ({}, {})

    def test_a_removed_spec_leaves_with_all_its_entries(self) -> None:
        path, other = "specs/a.md", "specs/b.md"
        refusal = SpecRefusal(version="1" * 40, commit=sha("a"), findings=())
        state = RepositoryState(
            spec_versions={path: "1", other: "2"},
            spec_keys={path: "specs.a", other: "specs.b"},
            asked=dict.fromkeys((path, other), AskedQuestions()),
            rematched=dict.fromkeys(("specs.a", "specs.b"), Rematched()),
            refusals={path: refusal},
        )
        after = fold([ev.SpecsNoted(versions={path: ""})], state)
        assert after == RepositoryState(
            spec_versions={other: "2"},
            spec_keys={other: "specs.b"},
            asked={other: AskedQuestions()},
            rematched={"specs.b": Rematched()},
            events=1,
        )

    def test_questions_of_a_spec_stay_during_its_run(self) -> None:
        path, id_ = "specs/a.md", SpecRunId("specs.a@1")
        run = SpecRun(id=id_, path=path, key="specs.a", title="A", opened_at=START)
        state = RepositoryState(
            spec_versions={path: "1"},
            spec_keys={path: "specs.a"},
            asked={path: AskedQuestions()},
            spec_runs={id_: run},
        )
        after = fold([ev.SpecsNoted(versions={path: ""})], state)
        assert (after.spec_versions, list(after.asked)) == ({}, [path])
        ended = fold([ev.SpecRunStopped(spec_run=id_, stopped_by="ann")], after)
        gone = ev.SpecRunRetired(
            spec_run=id_,
            path=path,
            title="A",
            state=ended.spec_runs[id_].state,
            issue=None,
            opened_at=START,
            ended_at=None,
        )
        assert fold([gone], ended).asked == {}

    def test_a_decision_about_a_text_outlives_the_spec(self) -> None:
        answer = Answer(text="two", author="ann")
        state = RepositoryState(spec_versions={"specs/a.md": "1"}, decisions={"topic": answer})
        assert fold([ev.SpecsNoted(versions={"specs/a.md": ""})], state).decisions


class TestWaivers:
    @pytest.mark.parametrize(("days", "stays"), [(29, True), (31, False)])
    def test_long_expired_waivers_are_forgotten_at_the_next_one(
        self, days: int, stays: bool
    ) -> None:
        assert timedelta(days=30) == EXPIRED_WAIVERS_KEPT
        state = fold(
            [
                ev.TestsWaived(tests=("a",), until=START.date(), waived_by="ann"),
                ev.TestsWaived(tests=("b",), until=None, waived_by="ann"),
                ev.CommentsRead(up_to=START + timedelta(days=days)),
                ev.TestsWaived(tests=("c",), until=None, waived_by="ann"),
            ]
        )
        assert ("a" in state.waivers) is stays
        assert {"b", "c"} <= state.waivers.keys()
