"""Specs on main: planned, planned again, approved, refused, edited, deleted, requested."""

from dataclasses import replace
from datetime import timedelta

import pytest

from action.order import AgentOrder
from bot.core.decide.decide import decide, wake_at
from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal import effects as ef
from bot.core.journal.state import SpecRunState
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from bot.core.values.spec_model import Finding, Severity, Spec
from tests.core.kit import World, approved, proposed, with_issues
from tests.core.values import GATES, PATH, START, beside, chain, requirement, sha, spec

_BLOCK = Finding(
    code="x", severity=Severity.BLOCK, line=3, quote="maybe", question="Which one?", path=PATH
)


def _with(spec_: Spec, **update: object) -> Spec:
    document = spec_.documents[0].model_copy(update=update)
    return spec_.model_copy(update={"documents": (document,)})


def _dispatched(world: World) -> bool:
    return any(isinstance(e, ef.DispatchOrder) for e in world.intended)


def test_a_spec_is_planned_and_waits_for_approval() -> None:
    world = proposed()
    assert world.run.state is SpecRunState.PROPOSED
    assert "comment `/headgate approve`" in world.issues[world.run.issue or 0]
    assert not _dispatched(world)


class TestApproval:
    """An approval is for the revision that was visible when the comment was written."""

    def test_approving_twice_counts_once(self) -> None:
        world = approved()
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert "@ann has already approved the plan" in world.replies()
        assert len(world.wrote("PlanApproved")) == 1

    def test_an_edit_before_approval_is_revision_2_and_refuses_old_approvals(
        self,
    ) -> None:
        world = proposed()
        world.say(world.run.issue or 0, "/headgate approve")
        world.pass_time(5)
        world.push_spec(beside(2), "v2")
        # The approval was written before revision 2 was shown; it is read after.
        world.tick((Hint(kind=HintKind.MAIN),))
        world.tick(())
        world.pass_time(5)
        world.settle()
        assert world.run.plan is not None
        assert world.run.plan.revision == 2
        assert not _dispatched(world)
        assert "this issue showed revision 1. The plan is now at revision 2." in world.replies()
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert world.run.state is SpecRunState.RUNNING
        assert world.run.version == sha(f"{PATH} v2")

    def test_an_approval_in_the_same_second_counts_for_the_older_revision(
        self,
    ) -> None:
        world = proposed()
        world.push_spec(beside(2), "v2")
        world.settle()
        shown = world.run.revisions_shown[2]
        world.now = shown.replace(microsecond=999_000)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert not world.wrote("PlanApproved")
        world.pass_time(1)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert len(world.wrote("PlanApproved")) == 1

    @pytest.mark.parametrize(
        ("said", "runs"), [("r1", True), ("1", True), ("R1", True), ("r2", False), ("now", False)]
    )
    def test_a_revision_may_be_named(self, said: str, runs: bool) -> None:
        world = proposed()
        world.say(world.run.issue or 0, f"/headgate approve {said}")
        world.settle()
        assert (world.run.state is SpecRunState.RUNNING) is runs

    @pytest.mark.parametrize(
        ("role", "runs"), [(r, r in {Role.MAINTAIN, Role.ADMIN}) for r in Role]
    )
    def test_the_policy_sets_the_role_that_may_approve(self, role: Role, runs: bool) -> None:
        world = proposed(policy_text=GATES + "approver: maintain\n")
        world.say(world.run.issue or 0, "/headgate approve", role=role)
        world.settle()
        assert (world.run.state is SpecRunState.RUNNING) is runs

    def test_an_app_cannot_approve(self) -> None:
        world = proposed()
        world.say(world.run.issue or 0, "/headgate approve", role=Role.ADMIN, is_person=False)
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED

    def test_changes_that_a_revision_drops_have_their_issues_closed_once(self) -> None:
        """A journal of an older release: issues were opened with the plan."""
        world = with_issues(proposed())
        dropped = world.change("B").issue
        world.push_spec(spec(requirement("A", "cart"), requirement("C", "books")), "v2")
        world.settle()
        assert world.run.dropped_issues == ()
        closed = [e for e in world.intended if isinstance(e, ef.CloseIssue)]
        assert [e.issue for e in closed] == [dropped]
        assert not world.run.issue_closed

    def test_an_approval_from_before_the_plan_was_shown_is_refused(self) -> None:
        world = World()
        world.push_spec(chain())
        world.settle()
        world.now = START - timedelta(minutes=1)
        world.say(world.run.issue or 0, "/headgate approve")
        world.now = START + timedelta(minutes=1)
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED
        assert "showed no revision yet" in world.replies()


_DESK = requirement("NEW", "desk")


class TestEdits:
    """An edit stops only the changes that it affects; its revision waits for approval."""

    def test_an_edit_during_a_run_waits_for_approval_and_other_work_continues(self) -> None:
        world = approved()
        before = {c.id: c.state for c in world.state.changes.values()}
        world.push_spec(_with(chain(), requirements=(*chain().requirements, _DESK)), "v2")
        world.settle()
        world.settle()
        told = [t for _, t in world.posted if "was edited on the default branch" in t]
        assert len(told) == 1
        assert "Added: `NEW`" in told[0]
        assert {c.id: c.state for c in world.state.changes.values()} == before
        world.work()
        assert world.run.is_open
        world.pass_time(2)
        world.say(world.run.issue or 0, "/headgate approve r2")
        world.settle()
        world.work()
        assert world.run.state is SpecRunState.ENDED
        assert world.change("NEW").landed is not None
        assert len(world.state.spec_runs) == 1

    def test_a_changed_requirement_stops_only_its_change_until_the_edit_is_reverted(
        self,
    ) -> None:
        world = approved(beside(3))
        altered = beside(3).requirements[0].model_copy(update={"text_hash": "other"})
        world.push_spec(_with(beside(3), requirements=(altered, *beside(3).requirements[1:])), "v2")
        world.settle()
        assert world.change("R0").state is ChangeState.STOPPED
        assert world.change("R1").state is ChangeState.ORDERED
        told = [n for n, t in world.posted if "so this change is stopped" in t]
        assert told == [world.change("R0").issue]
        world.push_spec(beside(3), "v1")
        world.settle()
        assert world.run.proposed_edit is None
        assert world.change("R0").state is ChangeState.ORDERED
        world.work()
        assert world.run.state is SpecRunState.ENDED
        assert not [c for c in world.state.changes.values() if c.landed is None]

    def test_an_approved_edit_orders_the_change_again_with_the_new_text(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        altered = (
            beside(1)
            .requirements[0]
            .model_copy(update={"text_hash": "other", "statement": "It SHALL be other."})
        )
        world.push_spec(_with(beside(1), requirements=(altered,)), "v2")
        world.settle()
        world.pass_time(2)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        order = world.agent_order()
        assert order.attempt == 2
        assert order.requirements[0].statement == "It SHALL be other."
        assert order.retry is not None
        assert "was edited since" in order.retry.sentence

    def test_no_order_uses_the_old_text_after_an_approved_edit(self) -> None:
        world = approved(beside(1))
        altered = (
            beside(1)
            .requirements[0]
            .model_copy(update={"text_hash": "other", "statement": "It SHALL be other."})
        )
        world.push_spec(_with(beside(1), requirements=(altered,)), "v2")
        world.settle()
        world.pass_time(2)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        newest = world.agent_order(list(world.orders)[-1])
        assert newest.requirements[0].statement == "It SHALL be other."

    def test_a_revision_that_was_not_shown_cannot_be_approved(self) -> None:
        world = approved()
        world.say(world.run.issue or 0, "/headgate approve r2")
        world.push_spec(_with(chain(), requirements=(*chain().requirements, _DESK)), "v2")
        world.settle()
        assert "AmendmentApproved" not in {e.type for e in world.journal}

    def test_an_edit_that_cannot_be_planned_is_planned_after_the_run(
        self,
    ) -> None:
        world = approved()
        more = _with(chain(), requirements=(*chain().requirements, _DESK))
        world.push_spec(_with(more, status="draft"), "v2")
        world.settle()
        world.settle()
        told = [t for _, t in world.posted if "continues with the text that was approved" in t]
        assert len(told) == 1
        assert len(world.wrote("PlanMade")) == 1
        world.push_spec(more, "v3")
        world.settle()
        assert world.run.proposed_edit is not None

    def test_the_run_command_does_not_replan_an_open_run(self) -> None:
        world = approved()
        world.push_spec(beside(2), "v2")
        world.say(world.run.issue or 0, f"/headgate run {PATH}")
        world.settle()
        assert len(world.wrote("PlanMade")) == 1
        assert world.run.version == sha(f"{PATH} v1")
        assert [t for _, t in world.posted if "is under way in #" in t]

    def test_a_requirement_landed_with_its_current_text_is_not_planned_again(self) -> None:
        world = approved()
        world.work()
        world.push_spec(chain(), "v2 with another comma")
        world.settle()
        assert len(world.state.spec_runs) == 1

    def test_a_requirement_whose_text_changed_is_planned_again(self) -> None:
        world = approved()
        world.work()
        changed = [
            r.model_copy(update={"text_hash": "other"}) if r.id == "shop#B" else r
            for r in chain().requirements
        ]
        world.push_spec(_with(chain(), requirements=tuple(changed)), "v2")
        world.settle()
        assert set(world.run.requirements) == {"shop#B"}

    def test_a_burst_of_pushes_is_planned_once(self) -> None:
        world = World(GATES.replace("quiet_seconds: 0", "quiet_seconds: 5"))
        for n in range(4):
            world.push_spec(beside(n + 1), f"v{n}")
            world.settle()
            world.pass_time(2)
        assert not world.state.spec_runs
        order_store = tuple(world.order_store.values())
        policy = world.observe().last_good_policy
        assert wake_at(world.state, policy, order_store, world.now) == world.now + timedelta(
            seconds=3
        )
        world.pass_time(3)
        world.settle()
        assert len(world.wrote("PlanMade")) == 1
        assert len(world.run.requirements) == 4

    def test_a_deleted_spec_is_noted_once(self) -> None:
        world = proposed()
        del world.specs[PATH]
        world.push(sha("deleted"), PATH)
        world.settle()
        assert PATH not in world.state.spec_versions
        before = len(world.journal)
        world.settle()
        assert len(world.journal) == before

    def test_a_spec_from_before_the_installation_starts_only_on_request(
        self,
    ) -> None:
        world = World()
        blob = sha(f"{PATH} v1")
        world.state = replace(world.state, spec_versions={PATH: blob})
        world.specs[PATH] = (chain(), blob)
        world.all_specs[PATH, blob] = chain()
        world.settle()
        assert not world.state.spec_runs
        world.say(40, f"/headgate run `{PATH}`")
        world.settle()
        assert not world.state.spec_runs
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED
        assert "opens its tracking issue" in world.replies()


class TestRefused:
    """A spec that cannot be planned shows why, at its lines, and starts nothing."""

    @pytest.mark.parametrize(
        "bad",
        [
            _with(chain(), findings=(_BLOCK,)),
            _with(chain(), requirements=()),
            _with(chain(), requirements=(), findings=(_BLOCK,)),
        ],
    )
    def test_a_refused_spec_gets_one_check_run_and_one_comment(self, bad: Spec) -> None:
        world = World()
        world.push_spec(bad)
        world.settle()
        world.settle()
        assert not world.state.spec_runs
        checks = [e for e in world.intended if isinstance(e, ef.PublishCheckRun)]
        assert [(c.sha, c.text.name, c.text.conclusion) for c in checks] == [
            (world.main[-1].sha, "headgate/spec", "failure")
        ]
        comments = [e for e in world.intended if isinstance(e, ef.PostCommitComment)]
        assert [c.sha for c in comments] == [world.main[-1].sha]
        assert not _dispatched(world)

    def test_a_corrected_spec_is_planned_after_a_refusal(self) -> None:
        world = World()
        world.push_spec(_with(chain(), findings=(_BLOCK,)))
        world.settle()
        world.push_spec(chain(), "v2")
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED
        assert PATH not in world.state.refusals

    def test_an_unreadable_policy_is_reported_once_and_the_last_good_one_stays(self) -> None:
        world = approved(beside(1))
        world.policy_text = "gates: [\n"
        bad = world.push(sha("bad policy"), ".github/headgate.yml")
        world.settle()
        world.settle()
        checks = [
            e
            for e in world.intended
            if isinstance(e, ef.PublishCheckRun) and e.text.name == "headgate/policy"
        ]
        assert [c.sha for c in checks] == [bad.sha]
        world.work()
        assert world.run.state is SpecRunState.ENDED


class TestDrafts:
    """A spec with `status: draft` starts nothing."""

    @pytest.mark.parametrize("status", ["draft", "Draft", " DRAFT "])
    def test_a_draft_is_noted_and_not_planned(self, status: str) -> None:
        world = World()
        world.push_spec(_with(chain(), status=status))
        world.settle()
        assert not world.state.spec_runs
        assert PATH in world.state.spec_versions
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert "says `status: draft`" in world.replies()
        assert not world.state.spec_runs

    def test_a_draft_is_planned_when_its_status_is_removed(self) -> None:
        world = World()
        world.push_spec(_with(chain(), status="draft"))
        world.settle()
        world.push_spec(_with(chain(), status="final"), "v2")
        world.settle()
        assert world.run.state is SpecRunState.PROPOSED


class TestRunCommand:
    """`/headgate run PATH`."""

    def test_a_run_command_links_to_the_open_run(self) -> None:
        world = proposed()
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert f"is already planned, in #{world.run.issue}" in world.replies()
        assert len(world.state.spec_runs) == 1

    def test_a_run_command_without_a_spec_at_the_path_is_refused(self) -> None:
        world = World()
        world.say(40, "/headgate run specs/nothing.md")
        world.settle()
        assert "There is no spec at `specs/nothing.md`" in world.replies()

    def test_a_run_command_without_a_path_is_refused(self) -> None:
        world = World()
        world.say(40, "/headgate run")
        world.settle()
        assert "needs the path of a spec" in world.replies()

    def test_a_run_command_for_a_covered_spec_is_answered(self) -> None:
        world = approved()
        world.work()
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert "has already landed with its current text" in world.replies()

    def test_a_refused_spec_says_where_and_why(self) -> None:
        world = World()
        world.push_spec(_with(chain(), findings=(_BLOCK,)))
        world.settle()
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert f"`{PATH}:3` Which one?" in world.replies()

    def test_a_stopped_run_is_planned_again_with_a_new_id(self) -> None:
        world = proposed()
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        first = world.run.id
        world.say(40, f"/headgate run {PATH}")
        world.settle()
        assert world.run.id != first
        assert world.run.state is SpecRunState.PROPOSED


@pytest.mark.parametrize(
    ("blobs", "version"),
    [
        ({"specs/a.md": "b1"}, "b1"),
        ({"a/x": "1", "a/y": "2"}, version_of({"a/y": "2", "a/x": "1"})),
    ],
)
def test_the_version_of_a_spec_depends_on_its_files(blobs: dict[str, str], version: str) -> None:
    assert version_of(blobs) == version


def test_versions_of_folders_differ_by_name_and_content() -> None:
    versions = {
        version_of(b)
        for b in (
            {"a/x": "1", "a/y": "2"},
            {"a/x": "1", "a/z": "2"},
            {"a/x": "1", "a/y": "3"},
            {"a/x": "2", "a/y": "1"},
        )
    }
    assert len(versions) == 4
    assert {len(v) for v in versions} == {40}


def test_no_decision_is_made_before_the_installation() -> None:
    world = World()
    empty = replace(world.state, facts=None)
    assert decide(empty, world.observe(), world.now) == ()


def test_an_agent_gets_the_approved_text_and_the_protected_paths() -> None:
    world = approved(beside(1))
    sent = world.agent_order()
    assert [r.id for r in sent.requirements] == ["shop#R0"]
    assert sent.start_sha == sent.base_sha == Sha(world.state.main or "")
    assert {"/.github/", "/.headgate/", "/specs/", "/openspec/"} <= set(sent.protected)
    assert sent.retry is None
