"""A model plans parts of an open run again: only what is affected, and within bounds."""

from bot.core.journal import events as ev
from bot.core.journal.effects import AskModel
from bot.core.journal.state import SpecRunState
from bot.core.prompts.plan_forms import AnsweredChange, PlanAnswer
from bot.core.talk.issues import plan_text, progress_text
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_input import PlanPromptInput
from bot.core.values.plan_model import ChangeType, Planner
from bot.core.values.spec_model import Spec
from tests.core.kit import World, approved
from tests.core.test_stories_of_replans import ONCE, cut, live, mention, pair
from tests.core.values import policy, requirement, spec


def answered(*changes: tuple[str, ...]) -> str:
    """A model's plan, from the short names of each change's requirements."""
    return PlanAnswer(
        changes=tuple(
            AnsweredChange(
                slug=f"do-{'-'.join(names).lower()}",
                title=f"Do {' and '.join(names)}",
                type=ChangeType.FEATURE,
                scope="",
                left_out="",
                requirements=tuple(f"shop#{name}" for name in names),
                files=(),
                depends_on=(),
                gates=(),
                done=(),
            )
            for names in changes
        ),
        risks=(),
        left_out=(),
    ).model_dump_json()


def with_answers(world: World, *answers: str | None) -> World:
    """From now on a model replies with these, the last one repeatedly; None: it does not reply."""
    left = list(answers)
    world.model = lambda _: left.pop(0) if len(left) > 1 else left[0]
    return world


def asked(world: World) -> list[PlanPromptInput]:
    abouts = (e.about for e in world.intended if isinstance(e, AskModel))
    return [about for about in abouts if isinstance(about, PlanPromptInput)]


def cycle(world: World) -> ev.UncoveredReplanned:
    (told,) = world.wrote("UncoveredReplanned")
    assert isinstance(told, ev.UncoveredReplanned)
    return told


def is_asking(world: World) -> bool:
    return any(isinstance(e, AskModel) for e in world.state.open_effects.values())


def until_asked(world: World, *broken: str) -> None:
    """Work until the run waits for the model's reply."""
    world.model_thinks = True
    live(world, *broken, until=is_asking)


class TestMissingRequirements:
    """A model that knows the failures splits the failed requirements in another way."""

    def test_only_missing_requirements_are_planned_and_the_run_continues(self) -> None:
        world = with_answers(approved(pair(), ONCE), answered(("A",), ("A2", "B")))
        live(world, "A")
        (question,) = asked(world)
        assert set(question.requirements) == {"shop#A", "shop#A2", "shop#B"}
        assert cycle(world).planner is Planner.MODEL
        assert cut(world) == [
            "A A2: failed",
            "B: waiting",
            "C: landed",
            "A: failed",
            "A2 B: landed",
        ]
        assert "Planned again, cycle 1 by a model: `A`, `A2`, `B`" in world.replies()

    def test_the_model_gets_joint_failures_and_landed_requirements(self) -> None:
        world = with_answers(approved(pair(), ONCE), answered(("A",), ("A2", "B")))
        live(world, "A")
        (begun,) = world.wrote("ReplanningBegan")
        assert isinstance(begun, ev.ReplanningBegan)
        known = "\n".join(begun.replanning.known)
        assert "Failed together: shop#A, shop#A2. After 1 attempts:" in known
        assert "On main: Title of C (shop#C)" in known

    def test_requirements_that_failed_together_are_not_accepted_together_again(self) -> None:
        again, other = answered(("A", "A2"), ("B",)), answered(("A",), ("A2", "B"))
        world = with_answers(approved(pair(), ONCE), again, other)
        live(world, "A")
        (rejected,) = world.wrote("AnswerRejected")
        assert isinstance(rejected, ev.AnswerRejected)
        assert "which one change has failed to do" in rejected.reasons[0]
        assert cycle(world).planner is Planner.MODEL

    def test_repeated_invalid_plans_end_in_the_plan_by_rules(self) -> None:
        world = with_answers(approved(pair(), ONCE), answered(("A", "A2"), ("B",)))
        live(world, "A")
        assert len(asked(world)) == 3
        told = cycle(world)
        assert told.planner is Planner.DETERMINISTIC
        assert "failed to do" in told.beside[0]
        assert cut(world)[-3:] == ["A: failed", "A2: landed", "B: landed"]
        assert "A model's plan could not be used" in world.replies()

    def test_an_unavailable_model_does_not_delay_the_replan(self) -> None:
        world = with_answers(approved(pair(), ONCE), None)
        live(world, "A")
        assert cycle(world).beside == ("no key",)
        text = progress_text(world.state, world.run)
        assert "Cycle 1: A model's plan could not be used: no key" in text

    def test_the_issue_shows_that_a_model_is_planning_again(self) -> None:
        world = with_answers(approved(pair(), ONCE), answered(("A",), ("A2", "B")))
        until_asked(world, "A")
        text = progress_text(world.state, world.run)
        assert "**A model is planning 3 requirements again**" in text
        assert "1 prompt, about" in text
        assert world.run.state is SpecRunState.RUNNING

    def test_a_retry_by_a_person_does_not_disturb_the_replan(self) -> None:
        world = with_answers(approved(pair(), ONCE), answered(("A",), ("A2", "B")))
        until_asked(world, "A")
        world.say(world.change("A").issue or 0, "/headgate retry")
        live(world)
        assert cut(world) == ["A A2: landed", "B: landed", "C: landed"]
        assert world.wrote("UncoveredReplanned") == []

    def test_a_missing_test_is_not_sent_to_a_model(self) -> None:
        world = with_answers(approved(pair(), f"{ONCE}covered_when: named\n"), answered(("C",)))
        world.tests = [mention("A"), mention("A2"), mention("B")]
        world.when_landed = {"C": mention("C")}
        live(world)
        assert asked(world) == []
        assert cycle(world).missing == {"shop#C": "implemented: no test names it"}

    def test_missing_tests_are_added_to_the_models_plan(self) -> None:
        world = approved(pair(), f"{ONCE}covered_when: named\n")
        with_answers(world, answered(("A",), ("A2",), ("B",)))
        world.tests = [mention("A"), mention("A2"), mention("B")]
        world.when_landed = {"C": mention("C")}
        live(world, "A")
        told = cycle(world)
        assert told.planner is Planner.MODEL
        assert [c.title for c in told.plan.changes[-4:]] == [
            "Do A",
            "Do A2",
            "Do B",
            "Tests for Title of C",
        ]

    def test_a_policy_without_models_calls_no_model(self) -> None:
        world = approved(pair(), f"{ONCE}planner: deterministic\n")
        live(with_answers(world, answered(("A",))), "A")
        assert asked(world) == []
        assert cycle(world).planner is Planner.DETERMINISTIC


def edited() -> Spec:
    """The pair with another text of A, and with D."""
    requirements = [
        r.model_copy(update={"text_hash": "other"}) if r.id == "shop#A" else r
        for r in pair().requirements
    ]
    return spec(*requirements, requirement("D", "desk"))


def under_way(*answers: str | None) -> World:
    """An approved run whose spec is edited while a model is available."""
    world = with_answers(approved(pair()), *answers)
    world.push_spec(edited(), "v2")
    return world


class TestEdits:
    """An edit during a run: the model plans what it affects, and a person approves the revision."""

    def test_only_requirements_in_the_edit_are_planned_as_a_revision(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.settle()
        (question,) = asked(world)
        assert set(question.requirements) == {"shop#A", "shop#A2", "shop#D"}
        proposed_edit = world.run.proposed_edit
        assert proposed_edit is not None
        assert proposed_edit.plan.revision == 2
        assert "`do-a-d`" in plan_text(world.run, policy())
        assert [c.title for c in proposed_edit.plan.changes if "shop#C" in c.requirements]
        world.pass_time(2)
        world.say(world.run.issue or 0, "/headgate approve r2")
        world.settle()
        world.work()
        assert world.run.state is SpecRunState.ENDED
        assert "5 of 5 requirements landed" in world.replies()

    def test_dependents_wait_for_all_changes_that_replace_a_touched_one(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.settle()
        proposed_edit = world.run.proposed_edit
        assert proposed_edit is not None
        (till,) = [c for c in proposed_edit.plan.changes if c.requirements == ("shop#B",)]
        assert [d.on for d in till.depends_on] == ["do-a-d", "do-a2"]

    def test_other_changes_continue_before_the_revision_can_be_approved(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.model_thinks = True
        world.settle()
        assert world.change("A").state is ChangeState.STOPPED
        assert world.change("C").state is ChangeState.ORDERED
        text = plan_text(world.run, policy())
        assert "**A model is planning 3 requirements again**, because the spec was edited" in text
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert "The spec is being planned" in world.replies()
        world.work()
        assert world.change("C").landed is not None
        assert world.run.state is SpecRunState.RUNNING
        world.model_thinks = False
        world.settle()
        assert world.run.proposed_edit is not None

    def test_an_edit_reverted_during_planning_continues_as_approved(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.model_thinks = True
        world.settle()
        world.push_spec(pair(), "v1")
        world.settle()
        assert world.run.replanning is None
        assert world.change("A").state is ChangeState.ORDERED
        world.model_thinks = False
        world.work()
        assert world.run.proposed_edit is None
        assert "4 of 4 requirements landed" in world.replies()

    def test_a_second_edit_replaces_the_first(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.settle()
        again = [*edited().requirements, requirement("E", "desk")]
        with_answers(world, answered(("A",), ("D", "E"), ("A2",)))
        world.push_spec(spec(*again), "v3")
        world.settle()
        proposed_edit = world.run.proposed_edit
        assert proposed_edit is not None
        assert {*proposed_edit.added} == {"shop#D", "shop#E"}
        assert world.change("A").id in proposed_edit.paused

    def test_a_failed_model_leaves_the_plan_by_rules_with_the_reason(self) -> None:
        world = under_way(None)
        world.settle()
        proposed_edit = world.run.proposed_edit
        assert proposed_edit is not None
        assert proposed_edit.beside == ("no key",)
        assert "A model's plan could not be used: no key" in plan_text(world.run, policy())

    def test_an_edit_that_only_removes_needs_no_model(self) -> None:
        world = with_answers(approved(pair()), None)
        kept = [r for r in pair().requirements if r.id != "shop#C"]
        world.push_spec(spec(*kept), "v2")
        world.settle()
        assert asked(world) == []
        assert world.run.proposed_edit is not None

    def test_a_run_stopped_during_planning_does_not_wait_for_the_reply(self) -> None:
        world = under_way(answered(("A", "D"), ("A2",)))
        world.model_thinks = True
        world.settle()
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        world.model_thinks = False
        world.settle()
        assert world.run.state is SpecRunState.STOPPED
        assert world.run.replanning is None
        assert world.wrote("SpecAmended") == []
