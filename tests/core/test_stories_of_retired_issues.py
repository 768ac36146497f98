"""Ended work requests and withdrawn spec issues leave the state."""

import pytest

from bot.core.decide.people import retire_issues
from bot.core.journal import effects as ef, events as ev, retired_issues
from bot.core.journal.evolve import fold
from bot.core.journal.retired_issues import RetiredIssue, RetiredIssues
from bot.core.journal.state import (
    Dialogue,
    DialoguePhase,
    RepositoryState,
    SpecIssue,
    snapshot_of,
    state_of,
)
from bot.core.state.observed import Hint, HintKind, SpecIssueSnapshot, WorkIssueSnapshot, looks
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.replacement import replace
from bot.core.values.repository import Role
from tests.core.kit import World

KEPT = 2
READY = (
    "### REQ-TILL-01: Coins\nThe till SHALL take coins.\n\n#### Scenario: One\n"
    "- **WHEN** a coin falls in\n- **THEN** 2.00 is shown\n"
)
OLD = IssueNumber(41)


@pytest.fixture(autouse=True)
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retire_issues, "ENDED_ISSUES_KEPT", KEPT)


def wish(number: int, **update: object) -> WorkIssueSnapshot:
    """An issue that a person with write permission labelled for work."""
    seen = WorkIssueSnapshot(
        number=IssueNumber(number),
        title=f"A till {number}",
        body="Coins.",
        author="eve",
        author_id=8,
        is_open=True,
        is_labelled=True,
        labelling=number,
        labelled_by="ann",
        role=Role.WRITE,
    )
    return seen.model_copy(update=update)


def spec_of(number: int, **update: object) -> SpecIssueSnapshot:
    """An issue that a person with write permission labelled as a spec."""
    seen = SpecIssueSnapshot(
        number=IssueNumber(number),
        title="A till",
        body="It works.",
        author="eve",
        author_id=8,
        is_open=True,
        is_labelled=True,
        labelled_by="ann",
        role=Role.WRITE,
    )
    return seen.model_copy(update=update)


def seen(world: World, snapshot: WorkIssueSnapshot) -> None:
    world.work_issues[snapshot.number] = snapshot
    world.settle()
    world.pass_time(1)


def seen_spec(world: World, snapshot: SpecIssueSnapshot) -> None:
    world.spec_issues[snapshot.number] = snapshot
    world.settle()
    world.pass_time(1)


def stopped(world: World, number: int, **update: object) -> None:
    """An issue asks for work; a person stops that, and leaves the label on."""
    seen(world, wish(number, **update))
    said(world, number, "/headgate stop")


def said(world: World, number: int, text: str) -> None:
    world.say(number, text)
    world.settle()
    world.pass_time(1)


def after(dialogues: int, **update: object) -> World:
    """So many dialogues that were stopped."""
    world = World()
    for number in range(OLD, OLD + dialogues):
        stopped(world, number, **update)
    return world


def told_in(world: World, number: int) -> list[str]:
    return [text for issue, text in world.posted if issue == number]


class TestTheState:
    def test_the_newest_dialogues_stay_and_older_ones_leave(self) -> None:
        world = after(5)
        assert list(world.state.dialogues) == [OLD + 3, OLD + 4]
        assert not [key for key in world.state.published if f"dialogue {OLD} " in key]

    def test_the_state_hardly_grows_with_ended_dialogues(self) -> None:
        world = after(4)
        before = len(snapshot_of(world.state))
        for number in range(OLD + 4, OLD + 10):
            stopped(world, number)
        world.pass_time(1)
        grown = len(snapshot_of(world.state)) - before
        # A line for each issue, and what was answered in the last days.
        assert grown / 6 < 400

    def test_an_open_dialogue_stays_after_many_later_ones(self) -> None:
        world = World()
        seen(world, wish(OLD))
        for number in range(OLD + 1, OLD + 5):
            stopped(world, number)
        assert world.state.dialogues[OLD].phase is DialoguePhase.ASKING

    def test_a_dialogue_with_an_open_comment_effect_stays(self) -> None:
        world = after(1)
        world.unreachable.add("EditComment")
        stopped(world, OLD + 1)
        for number in range(OLD + 2, OLD + 6):
            stopped(world, number)
        assert OLD + 1 in world.state.dialogues
        assert OLD not in world.state.dialogues

    def test_withdrawn_spec_issues_leave_the_state(self) -> None:
        world = World()
        for number in range(OLD, OLD + 5):
            seen_spec(world, spec_of(number))
            seen_spec(world, spec_of(number, is_labelled=False))
        assert list(world.state.spec_issues) == [OLD + 3, OLD + 4]
        assert not [key for key in world.state.published if f"spec issue {OLD} " in key]

    def test_an_offered_spec_issue_stays(self) -> None:
        world = World()
        seen_spec(world, spec_of(OLD))
        for number in range(OLD + 1, OLD + 5):
            seen_spec(world, spec_of(number))
            seen_spec(world, spec_of(number, is_labelled=False))
        assert world.state.spec_issues[OLD].round == 1

    def test_retired_issues_survive_a_snapshot(self) -> None:
        world = after(5)
        assert state_of(snapshot_of(world.state)) == world.state

    @pytest.mark.parametrize(
        ("phase", "is_told", "is_over"),
        [
            (DialoguePhase.ENDED, True, True),
            (DialoguePhase.ENDED, False, False),
            (DialoguePhase.PROPOSED, True, False),
        ],
    )
    def test_a_dialogue_leaves_after_its_end_was_published(
        self, phase: DialoguePhase, is_told: bool, is_over: bool
    ) -> None:
        one = Dialogue(
            issue=OLD,
            begun=1,
            labelling=1,
            asked_by="ann",
            title="t",
            digest="d",
            phase=phase,
            is_told=is_told,
        )
        state = fold([ev.IssuesRetired(issues=(OLD,))], RepositoryState(dialogues={OLD: one}))
        assert (OLD in state.dialogues) is not is_over
        assert (state.retired_issues.get(OLD) is not None) is is_over

    def test_a_spec_issue_leaves_even_if_github_refuses_to_close_its_pull(self) -> None:
        world = World()
        world.refusals["WithdrawSpec"] = "Not today."
        for number in range(OLD, OLD + 4):
            seen_spec(world, spec_of(number))
            seen_spec(world, spec_of(number, is_labelled=False))
        assert list(world.state.spec_issues) == [OLD + 2, OLD + 3]
        assert not [key for key in world.state.refused if key.startswith(f"withdraw:{OLD}:")]


class TestLateCommands:
    def test_the_same_label_does_not_restart_a_retired_dialogue(self) -> None:
        world = after(5)
        before = len(world.wrote("WorkAsked"))
        world.settle()
        assert OLD not in world.state.dialogues
        assert len(world.wrote("WorkAsked")) == before

    def test_a_new_label_starts_the_next_dialogue_with_its_own_comment(self) -> None:
        world = after(5)
        seen(world, wish(OLD, labelling=1_000))
        assert world.state.dialogues[OLD].begun == 2
        assert f"comment:dialogue {OLD} 2" in world.state.published
        said(world, OLD, "/headgate stop")
        for number in range(OLD + 5, OLD + 9):
            stopped(world, number)
        kept = world.state.retired_issues.get(OLD)
        assert kept is not None
        assert (kept.begun, kept.labelling) == (2, 1_000)

    def test_late_commands_on_a_retired_issue_are_answered_as_before(self) -> None:
        world = after(5)
        texts = []
        for number in (OLD + 4, OLD):
            said(world, number, "/headgate answer 1 Coins.")
            said(world, number, "/headgate answer skip")
            said(world, number, "/headgate stop")
            texts.append(told_in(world, number)[-3:])
        assert texts[0] == texts[1]

    def test_a_relabelled_spec_is_proposed_in_the_next_round_at_its_path(self) -> None:
        world = World()
        for number in range(OLD, OLD + 5):
            seen_spec(world, spec_of(number))
            seen_spec(world, spec_of(number, is_labelled=False))
        assert OLD not in world.state.spec_issues
        seen_spec(world, spec_of(OLD, title="Another title"))
        proposed = [e for e in world.intended if isinstance(e, ef.ProposeSpec) and e.issue == OLD]
        assert [(e.round, e.path) for e in proposed] == [
            (1, "specs/a-till.md"),
            (2, "specs/a-till.md"),
        ]

    def test_the_path_of_a_spec_that_left_is_not_given_to_another(self) -> None:
        world = World()
        for number in range(OLD, OLD + 6):
            seen_spec(world, spec_of(number))
            seen_spec(world, spec_of(number, is_labelled=False))
        paths = [e.path for e in world.intended if isinstance(e, ef.ProposeSpec)]
        assert len(set(paths)) == len(paths)

    def test_a_dialogue_about_a_spec_that_left_offers_the_next_round(self) -> None:
        world = after(5, body=READY)
        assert world.state.retired_issues.get(OLD)
        seen(world, wish(OLD, labelling=1_000, body=READY))
        proposed = [e for e in world.intended if isinstance(e, ef.ProposeSpec) and e.issue == OLD]
        assert [e.round for e in proposed] == [1, 2]


class TestLabelsOfOthers:
    def test_the_reply_about_a_label_is_forgotten_when_the_label_is_removed(self) -> None:
        world = World()
        world.spec_issues[OLD] = spec_of(OLD, is_labelled=False)
        seen(world, wish(OLD, role=Role.READ))
        world.settle()
        assert [k for k in world.state.published if f"work issue {OLD} " in k]
        assert len(told_in(world, OLD)) == 1
        seen(world, wish(OLD, is_open=False))
        assert not [k for k in world.state.published if f"work issue {OLD} " in k]
        seen(world, wish(OLD, is_open=False))
        assert len(world.wrote("IssuesRetired")) == 1

    def test_a_full_look_reads_issues_whose_label_may_be_removed(self) -> None:
        world = World()
        seen(world, wish(OLD, role=Role.READ))
        asked = looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now)
        assert (OLD in asked.spec_issues, OLD in asked.work_issues) == (True, True)
        seen(world, wish(OLD, role=Role.WRITE))
        asked = looks(world.state, (Hint(kind=HintKind.EVERYTHING),), world.now)
        assert OLD not in asked.spec_issues


class TestWhatIsForgotten:
    """Of issues that led to no spec the newest have a line."""

    @pytest.fixture(autouse=True)
    def two_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retired_issues, "WITHOUT_SPEC_KEPT", 2)

    def test_the_oldest_issue_loses_its_line_and_its_label_starts_no_work(self) -> None:
        world = after(KEPT + 5)
        retired = world.state.retired_issues
        assert [retired.get(IssueNumber(OLD + n)) is not None for n in range(5)] == [
            *[False] * 3,
            *[True] * 2,
        ]
        before = len(world.wrote("WorkAsked"))
        world.settle()
        assert len(world.wrote("WorkAsked")) == before
        seen(world, wish(OLD, labelling=1_000))
        assert world.state.dialogues[OLD].labelling == 1_000

    def test_a_person_without_permission_gets_one_reply_for_each_new_label(self) -> None:
        world = after(KEPT + 5)
        told = len(told_in(world, OLD))
        seen(world, wish(OLD, role=Role.READ))
        assert len(told_in(world, OLD)) == told
        seen(world, wish(OLD, role=Role.READ, labelling=1_000))
        assert len(told_in(world, OLD)) == told + 1

    def test_an_issue_that_no_person_labelled_is_never_old(self) -> None:
        retired = RetiredIssues(forgotten_up_to=7)
        assert [retired.is_old(act) for act in (0, 1, 7, 8)] == [False, True, True, False]

    def test_an_issue_that_led_to_a_spec_keeps_its_line(self) -> None:
        retired = RetiredIssues()
        for number in range(1, 6):
            one = RetiredIssue(
                issue=IssueNumber(number), pull=PullNumber(9), round=1, path=f"specs/{number}.md"
            )
            retired = retired.having(one)
        assert len(retired.paths()) == 5

    def test_the_newest_label_of_issues_without_a_line_is_remembered(self) -> None:
        retired = RetiredIssues()
        for labelling in (5, 9, 7, 8, 6):
            one = RetiredIssue(issue=IssueNumber(labelling), labelling=labelling, begun=1)
            retired = retired.having(one)
        assert (retired.forgotten_up_to, retired.bare.count("\n")) == (9, 3)

    def test_a_line_moves_when_its_issue_leads_to_a_spec(self) -> None:
        bare = RetiredIssue(issue=OLD, labelling=1, begun=1)
        offered = RetiredIssue(issue=OLD, pull=PullNumber(7), round=1, path="specs/a.md")
        retired = RetiredIssues().having(bare).having(offered)
        assert (retired.get(OLD), retired.bare) == (offered, "\n")


class TestRetiredRecord:
    def test_a_retired_issue_has_one_record_and_the_newest_counts(self) -> None:
        lines = RetiredIssues()
        for number in (1, 11, 111):
            lines = lines.having(RetiredIssue(issue=IssueNumber(number), labelling=1, begun=1))
        newer = RetiredIssue(
            issue=IssueNumber(11),
            labelling=5,
            begun=2,
            pull=PullNumber(7),
            round=3,
            path="my specs/a\nb.md",
        )
        lines = lines.having(replace(newer, labelling=4)).having(newer)
        assert lines.get(IssueNumber(11)) == newer
        assert lines.lines.count("\n11 ") == 1
        assert lines.get(IssueNumber(1)) == RetiredIssue(issue=IssueNumber(1), labelling=1, begun=1)
        assert lines.get(IssueNumber(2)) is None
        assert lines.paths() == {"my specs/a\nb.md"}

    def test_a_retired_issue_gains_no_dialogue_or_spec(self) -> None:
        bare = RetiredIssue(issue=OLD, labelling=1, begun=1)
        offered = RetiredIssue(issue=OLD, pull=PullNumber(7), round=1, path="specs/a.md")
        assert bare.spec is None
        assert offered.dialogue is None
        assert offered.spec == SpecIssue(
            path="specs/a.md", pull=PullNumber(7), digest="", round=1, is_withdrawn=True
        )
