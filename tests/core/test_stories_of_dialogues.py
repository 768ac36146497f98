"""Issues that ask for work: who is asked what, how often, and what ends the dialogue."""

import json
from collections.abc import Callable

import pytest

from bot.core.journal import effects as ef, events as ev
from bot.core.journal.effects import AskModel
from bot.core.journal.state import Dialogue, DialoguePhase
from bot.core.state.access import REMOVAL_GRACE
from bot.core.state.observed import Hint, HintKind, SpecIssueSnapshot, WorkIssueSnapshot
from bot.core.talk.dialogue_text import dialogue_comment
from bot.core.values.ids import IssueNumber
from bot.core.values.issue_input import EDITS_MAX, ROUNDS_MAX, IssuePromptInput, Remark
from bot.core.values.model_roles import ModelRole
from bot.core.values.prompt import CallOutcome, ModelCall
from bot.core.values.repository import AwayReason, Role, Standing
from bot.shell.prompt_texts import is_wanted
from tests.core.kit import World
from tests.core.prompts.issue.test_written import requirement, spec
from tests.core.values import FACTS

NUMBER = IssueNumber(41)
PLAIN = "It would be nice if the till could take coins."
READY = (
    "### REQ-TILL-01: Coins\nThe till SHALL take coins.\n\n#### Scenario: One\n"
    "- **WHEN** a coin falls in\n- **THEN** 2.00 is shown\n"
)


def snapshot(body: str = PLAIN, **update: object) -> WorkIssueSnapshot:
    """The issue after a person with write permission has labelled it."""
    seen = WorkIssueSnapshot(
        number=NUMBER,
        title="A till",
        body=body,
        author="eve",
        author_id=8,
        is_open=True,
        is_labelled=True,
        labelling=1,
        labelled_by="ann",
        role=Role.WRITE,
    )
    return seen.model_copy(update=update)


def seen(world: World, what: WorkIssueSnapshot | None) -> None:
    """Observe the issue."""
    world.work_issues[NUMBER] = what
    world.settle()


def said(world: World, text: str, role: Role = Role.WRITE) -> None:
    """Comment on the issue."""
    world.say(NUMBER, text, role=role)
    world.settle()
    world.pass_time(1)


def removed_for_an_hour(world: World) -> None:
    """Headgate is removed from the repository, and an hour later it is back."""
    repository = (Hint(kind=HintKind.REPOSITORY),)
    world.standing = Standing(away=AwayReason.REMOVED)
    world.tick(repository)
    world.pass_time(REMOVAL_GRACE.total_seconds())
    world.tick(())
    world.standing = Standing(facts=FACTS)
    world.tick(repository)
    world.settle()


def test_a_removed_installation_ends_a_dialogue_until_the_label_is_set_again() -> None:
    world = World()
    seen(world, snapshot())
    assert the(world).phase is DialoguePhase.ASKING
    removed_for_an_hour(world)
    assert the(world).ending is ev.DialogueEnding.REMOVED
    assert "Headgate was removed from this repository" in world.posted[-1][1]
    said(world, "/headgate answer 1 Coins.")
    assert the(world).phase is DialoguePhase.ENDED
    seen(world, snapshot(labelling=2))
    assert the(world).phase is DialoguePhase.ASKING


def test_a_removal_keeps_the_pull_of_a_proposed_spec() -> None:
    world = World()
    seen(world, snapshot(READY))
    assert the(world).phase is DialoguePhase.PROPOSED
    other = IssueNumber(NUMBER + 1)
    world.work_issues[other] = snapshot(number=other)
    world.settle()
    removed_for_an_hour(world)
    assert world.state.dialogues[other].ending is ev.DialogueEnding.REMOVED
    assert the(world).phase is DialoguePhase.PROPOSED
    assert not [e for e in world.intended if isinstance(e, ef.WithdrawSpec)]


def the(world: World) -> Dialogue:
    """The dialogue."""
    return world.state.dialogues[NUMBER]


def proposed(world: World) -> list[ef.ProposeSpec]:
    """All intended proposals."""
    return [e for e in world.intended if isinstance(e, ef.ProposeSpec)]


def asked(world: World) -> list[IssuePromptInput]:
    """All prompts to the model."""
    asks = [e.about for e in world.intended if isinstance(e, AskModel)]
    return [about for about in asks if isinstance(about, IssuePromptInput)]


def questions(*sentences: str) -> str:
    """A model's reply with questions."""
    put = [{"question": s, "why": "", "choices": []} for s in sentences]
    return json.dumps({"questions": put, "spec": None})


def a_spec(says: str = "The till SHALL take coins.") -> str:
    """A model's reply with a spec."""
    parts = spec(requirement(says)).model_dump()
    return json.dumps({"questions": [], "spec": parts})


def with_model(answer: Callable[[IssuePromptInput], str | None]) -> World:
    """A world whose model replies to prompts about issues with these texts."""
    world = World()

    def model(effect: AskModel) -> str | None:
        return answer(effect.about) if isinstance(effect.about, IssuePromptInput) else None

    world.model = model
    return world


def endlessly(about: IssuePromptInput) -> str:
    """A model that asks as often as it may, each time something else."""
    if about.is_last:
        return json.dumps({"spec": spec(requirement()).model_dump()})
    return questions(f"Round {about.round} of {about.digest}?", "And?")


class TestBeginning:
    """Which labels count, and when a label counts again."""

    def test_a_label_without_write_permission_starts_no_dialogue(self) -> None:
        for role in Role:
            world = with_model(endlessly)
            seen(world, snapshot(role=role))
            assert bool(asked(world)) is role.covers(Role.WRITE)
            assert bool(world.state.dialogues) is role.covers(Role.WRITE)

    def test_a_label_without_permission_is_refused_once(self) -> None:
        world = World()
        for _ in range(2):
            seen(world, snapshot(role=Role.TRIAGE))
        assert [t for n, t in world.posted if n == NUMBER and "@ann has the role triage" in t] == [
            world.posted[-1][1]
        ]

    @pytest.mark.parametrize(
        "gone",
        [
            None,
            snapshot(is_labelled=False),
            snapshot(is_open=False),
            snapshot(role=Role.READ),
            snapshot(is_spec=True),
        ],
    )
    def test_a_withdrawn_request_ends_the_dialogue(self, gone: WorkIssueSnapshot | None) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        seen(world, gone)
        assert the(world).ending is not None
        seen(world, snapshot())
        assert the(world).ending is not None, "the same labelling counts once"
        seen(world, snapshot(labelling=2))
        assert (the(world).ending, the(world).begun) == (None, 2)

    def test_an_ended_dialogue_closes_its_pull_once(self) -> None:
        world = World()
        seen(world, snapshot(READY))
        for _ in range(2):
            seen(world, snapshot(READY, is_labelled=False))
        assert len([e for e in world.intended if isinstance(e, ef.WithdrawSpec)]) == 1
        assert f"#{the(world).pull} is closed" in world.replies()

    def test_a_proposal_in_progress_is_withdrawn_after_a_stop(self) -> None:
        world = World()
        world.work_issues[NUMBER] = snapshot(READY)
        world.decide()
        assert proposed(world)
        world.say(NUMBER, "/headgate stop")
        world.decide()
        world.settle()
        withdrawn = [e.pull for e in world.intended if isinstance(e, ef.WithdrawSpec)]
        assert withdrawn == [the(world).pull]
        assert f"@ann stopped this. #{the(world).pull} is closed." in world.replies()

    def test_a_dialogues_spec_is_not_handled_as_a_spec_issue(self) -> None:
        world = World()
        world.spec_issues[NUMBER] = SpecIssueSnapshot(
            number=NUMBER,
            title="A till",
            body=READY,
            author="eve",
            author_id=8,
            is_open=True,
            is_labelled=False,
        )
        seen(world, snapshot(READY))
        assert len(proposed(world)) == 1
        assert "This issue is a spec" not in world.replies()
        assert not [e for e in world.intended if isinstance(e, ef.WithdrawSpec)]


class TestRounds:
    """Questions keep their numbers, and there are three rounds."""

    def test_after_three_rounds_the_model_must_write_the_spec(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        for _ in range(ROUNDS_MAX):
            assert not proposed(world)
            said(world, "/headgate answer skip")
        assert [about.round for about in asked(world)] == [1, 2, 3, 4]
        assert [q.number for q in the(world).asked.questions] == [1, 2, 3, 4, 5, 6]
        assert len(proposed(world)) == 1
        assert "## Open questions" in proposed(world)[0].text

    def test_a_round_ends_when_every_question_is_answered(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        said(world, "/headgate answer 1 one")
        assert the(world).closed == 0
        said(world, "/headgate answer 2 two")
        assert the(world).closed == 1
        told = asked(world)[-1].exchanges
        assert [(e.number, e.answer, e.author) for e in told] == [
            (1, "one", "ann"),
            (2, "two", "ann"),
        ]

    def test_a_newer_answer_replaces_only_the_same_question(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        said(world, "/headgate answer 1 one")
        said(world, "/headgate answer 1 another one")
        assert {n: a.text for n, a in the(world).asked.answers.items()} == {1: "another one"}

    def test_an_unknown_number_is_refused_with_the_valid_numbers(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        said(world, "/headgate answer\n\n1. one\n3. three")
        assert "There is no question 3 here. Questions here: 1, 2." in world.replies()
        assert set(the(world).asked.answers) == {1}

    def test_an_answer_without_write_permission_does_not_count(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        said(world, "/headgate answer 1 all of them", Role.TRIAGE)
        said(world, "/headgate answer skip", Role.TRIAGE)
        said(world, "/headgate stop", Role.TRIAGE)
        assert the(world).asked.answers == {}
        assert (the(world).closed, the(world).ending) == (0, None)

    def test_later_comments_are_given_to_the_next_round(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        world.work_issues[NUMBER] = snapshot(remarks=(Remark(author="ann", text="Only coins."),))
        said(world, "/headgate answer skip")
        assert [r.text for r in asked(world)[-1].remarks] == ["Only coins."]


class TestEdits:
    """The issue's text may change during the dialogue."""

    def test_a_changed_text_is_read_again_in_the_same_round_and_answers_stay(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        said(world, "/headgate answer 1 one")
        seen(world, snapshot(f"{PLAIN} Euros."))
        assert [about.round for about in asked(world)] == [1, 1]
        assert [q.number for q in the(world).asked.questions] == [1, 3, 4]
        assert {n: a.text for n, a in the(world).asked.answers.items()} == {1: "one"}

    def test_layout_and_hidden_text_do_not_count_as_an_edit(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        seen(world, snapshot(f"\n{PLAIN.replace(' ', '  ')}<!-- hidden -->\u200b"))
        assert len(asked(world)) == 1

    def test_only_the_first_edits_are_read_at_once(self) -> None:
        world = with_model(endlessly)
        for n in range(EDITS_MAX + 3):
            seen(world, snapshot(f"{PLAIN} {n}"))
        assert len(asked(world)) == 1 + EDITS_MAX
        assert "Headgate reads its text again before the next round" in world.replies()
        said(world, "/headgate answer skip")
        assert asked(world)[-1].body.endswith(f" {EDITS_MAX + 2}")

    def test_an_edit_does_not_change_the_fixed_list(self) -> None:
        world = World()
        seen(world, snapshot())
        said(world, "/headgate answer 2 Eve pays")
        seen(world, snapshot(f"{PLAIN} Euros."))
        assert [q.number for q in the(world).asked.questions] == [1, 2, 3, 4]
        assert set(the(world).asked.answers) == {2}

    def test_an_issue_edited_into_a_spec_is_proposed_unchanged(self) -> None:
        world = with_model(endlessly)
        seen(world, snapshot())
        seen(world, snapshot(READY))
        assert [e.text for e in proposed(world)] == [f"# A till\n\n{READY}"]


class TestDrafts:
    """A model's spec is checked before people see it."""

    def test_an_incomplete_draft_is_returned_once_and_then_left_to_people(self) -> None:
        world = with_model(lambda _: a_spec("The till SHALL take TBD coins."))
        seen(world, snapshot())
        assert [len(about.rejections) for about in asked(world)] == [0, 1]
        assert "This is left open" in asked(world)[1].rejections[0].reasons[0]
        assert len(proposed(world)) == 1

    def test_an_invalid_draft_is_dropped_after_two_tries_and_people_are_asked(self) -> None:
        world = with_model(lambda _: a_spec("REQ-TILL-07: The till SHALL sing."))
        seen(world, snapshot())
        assert len(asked(world)) == 2
        assert not proposed(world)
        assert "The model twice wrote a text that is not a spec." in world.replies()
        assert len(the(world).asked.unanswered) == 4

    def test_if_the_model_fails_after_three_rounds_peoples_words_are_used(self) -> None:
        world = with_model(lambda about: None if about.is_last else endlessly(about))
        seen(world, snapshot())
        said(world, "/headgate answer 1 Only euros")
        for _ in range(ROUNDS_MAX):
            said(world, "/headgate answer skip")
        (one,) = proposed(world)
        assert "Only euros" in one.text
        assert len(the(world).asked.rounds) == ROUNDS_MAX

    def test_a_reply_to_an_outdated_prompt_is_not_used(self) -> None:
        world = with_model(endlessly)
        world.work_issues[NUMBER] = snapshot()
        world.decide()
        (old,) = asked(world)
        world.work_issues[NUMBER] = snapshot(f"{PLAIN} Euros.")
        world.decide()
        new = asked(world)[-1]
        assert (is_wanted(world.state, old), is_wanted(world.state, new)) == (False, True)
        stopped = ev.DialogueEnded(issue=NUMBER, ending=ev.DialogueEnding.STOPPED, by="ann")
        world.write((stopped,))
        assert not is_wanted(world.state, new)


def test_a_call_without_a_price_is_shown_as_unknown() -> None:
    world = with_model(endlessly)
    seen(world, snapshot())
    for dollars, shown in ((0.25, "1 call, 0 tokens, $0.25"), (None, "cost *unknown*")):
        call = ModelCall(
            role=ModelRole.QUESTION,
            model="m",
            outcome=CallOutcome.ANSWERED,
            dollars=dollars,
            seconds=1,
        )
        world.write((ev.ModelAsked(place=f"issue:{NUMBER}", prompt="q", call=call),))
        assert shown in dialogue_comment(the(world), "", "")
