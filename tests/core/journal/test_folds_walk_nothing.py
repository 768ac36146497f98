"""No fold of one event walks the runs, the orders or any other map of the state.

Each event is folded into a state with few other things and into one with many, and the instructions
that this takes are counted: they must be as many. Copying a map (`{**map, key: value}`, `without`) is one
instruction. The events are those of the stories of `tests.core`, where they move the state.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module

import pytest
from pydantic import BaseModel

from bot.core.journal import events as ev
from bot.core.journal.events import Event
from bot.core.journal.evolve import evolve, fold, is_news
from bot.core.journal.evolve_effects import REFUSED_MAX
from bot.core.journal.evolve_evidence import EVIDENCE_KEPT
from bot.core.journal.evolve_main import LINES_KEPT
from bot.core.journal.evolve_pull_queue import LEFT_AT_ONCE, LEFT_KEPT
from bot.core.journal.model_advice_state import ModelAdvice, Said
from bot.core.journal.state import RepositoryState, SpecIssue, SpecRunState
from bot.core.prompts.summary_prompt import SummaryFacts, SummaryPromptInput
from bot.core.values.ids import CommentId, IssueNumber, PullNumber
from bot.core.values.lifecycle import AfterRecall, EntryState
from bot.core.values.replacement import replace
from tests.core.journal.crowd import NARROW, OF_LISTS, OF_MAPS, Watched, crowded, instructions
from tests.core.kit import approved, proposed
from tests.core.repository import watched_by
from tests.core.strategies import EVENT_TYPES
from tests.core.values import START, beside, sha
from tests.shape.state_page import BOUNDS

Moment = tuple[RepositoryState, Event]

FEW, MANY = 10, 40

# One instruction for each thing that was added, and it is a walk.
FLAT = MANY - FEW

# Moments of each kind that are looked at, and in how many stories at most.
_MOMENTS = 3

_PERSON = "a person's word"
_RUN = ("changes", "orders", "run_of_issue", "evidence", "lost_orders", "open_pulls")

# Folds that may walk, which maps or lists, and why that is no burden.
MAY_WALK: Mapping[type[BaseModel], tuple[tuple[str, ...], str]] = {
    ev.AccessRegained: (("open_orders",), "rare; each of them begins to wait anew"),
    ev.ChangeReopened: (("refused",), f"{_PERSON}; at most {REFUSED_MAX:,}"),
    ev.GateFlaked: (("flaky",), "at most 200"),
    ev.GatesAskedAgain: (("evidence",), f"{_PERSON}; at most {EVIDENCE_KEPT}"),
    ev.IssuesRetired: (("published", "refused"), "once in the life of an issue"),
    ev.LandAborted: (("refused",), f"rare; at most {REFUSED_MAX:,}"),
    ev.LandingRecalled: (("open_effects",), "a person's word, or a freeze; what is open"),
    ev.PausesEnded: (("delays",), f"{_PERSON}; what is open"),
    ev.SpecPullDigested: (("pull_digests",), "where claims of deltas are others; open pulls"),
    ev.SpecPullForgotten: (("pull_digests",), "once in the life of a pull with deltas; open pulls"),
    ev.SpecRunRetired: (
        (*_RUN, "change_of_number", "published", "open_checks", "refused"),
        "once in the life of a spec run",
    ),
    ev.SpecsNoted: (("spec_runs",), "where a spec has left main"),
    ev.TestsWaived: (("waivers",), _PERSON),
}

STORIES = (
    "test_stories_of_replanning_by_a_model::TestMissingRequirements::test_only_missing_requirements_are_planned_and_the_run_continues",
    "test_stories_of_awaited_checks::test_a_late_check_does_not_block_others_and_the_change_can_be_stopped",
    "test_stories_of_threads::test_a_thread_reopened_by_a_person_is_sent_to_the_next_agent",
    "test_stories_of_waiting_reasons::TestTakenOverWork::test_a_red_gate_of_an_agent_is_not_shown_for_a_persons_work",
    "test_stories_of_dialogues::test_a_removal_keeps_the_pull_of_a_proposed_spec",
    "test_stories_of_guarded_edits::TestJudgement::test_a_new_gate_that_fails_on_main_does_not_land",
    "test_stories_of_incidents::test_smoke_gates_of_a_branch_without_a_queue_by_now_freeze_no_other",
    "test_stories_of_questions::test_after_an_edit_of_the_spec_old_answers_are_dropped",
    "test_stories_of_red_mains::TestWaivers::test_a_waiver_ends_with_its_date",
    "test_stories_of_buttons::TestReRun::test_pressing_re_run_twice_orders_the_gates_once",
    "test_stories_of_flakes::TestOftenFlaky::test_an_agent_that_finds_no_fault_restores_one_second_run",
    "test_stories_of_githubs_queue::TestAGroup::test_a_withheld_verdict_is_closed_when_github_drops_the_group",
    "test_spec_talk::TestPulls::test_an_answer_updates_the_check_and_is_dropped_with_the_pull",
    "test_stories_of_branches::test_a_pull_that_is_landing_cannot_enter_another_queue",
    "test_stories_of_dialogues::TestEdits::test_only_the_first_edits_are_read_at_once",
    "test_stories_of_dialogues::TestDrafts::test_an_invalid_draft_is_dropped_after_two_tries_and_people_are_asked",
    "test_stories_of_freezes::test_a_pause_orders_no_gates_and_lands_passed_changes",
    "test_stories_of_manual_steps::TestAfterTheWork::test_the_run_and_dependents_wait_for_a_step_after_the_work",
    "test_stories_of_peoples_pushes::TestRefused::test_a_hand_back_continues_without_the_refused_push",
    "test_stories_of_queued_pulls::TestLeavingTheQueue::test_changed_gates_on_main_judge_the_pull_again",
    "test_stories_of_refused_pushes::TestRetry::test_retry_orders_an_agent_with_the_refused_files",
    "test_stories_of_repository_lives::TestNames::test_another_default_branch_without_our_commits_is_judged_first",
    "test_stories_of_reviews_by_models::test_a_passed_review_is_reused_for_the_same_diff_on_a_newer_main",
    "test_stories_of_rewound_journals::test_a_second_journal_loss_keeps_the_earlier_known_time",
    "test_stories_of_adopted_commits::test_a_bypassing_commit_freezes_the_queue_until_a_person_unfreezes_it",
    "test_stories_of_approvals::TestSeveralApprovers::test_two_approvals_by_one_person_count_once",
    "test_stories_of_bad_input::test_an_unknown_gate_is_named_with_its_line",
    "test_stories_of_changes::TestWork::test_a_delta_that_cannot_be_folded_fails_and_lands_without_the_agent_later",
    "test_stories_of_red_candidates::test_later_landings_do_not_cause_another_judgement",
    "test_stories_of_dialogues::TestBeginning::test_an_ended_dialogue_closes_its_pull_once",
    "test_stories_of_dialogues::test_a_call_without_a_price_is_shown_as_unknown",
    "test_stories_of_endings::TestMerges::test_dependents_start_from_the_main_with_the_merge",
    "test_stories_of_endings::TestStops::test_stop_on_the_tracking_issue_stops_all",
    "test_stories_of_entries::test_a_priority_set_before_entering_the_queue_is_kept",
    "test_stories_of_folders::test_an_edit_that_only_removes_landed_requirements_is_reported",
    "test_stories_of_gate_modes::TestPaths::test_all_gates_run_for_a_candidate_with_steering_files",
    "test_stories_of_ids::test_a_spec_that_cannot_be_planned_registers_no_ids",
    "test_stories_of_budgets::TestRun::test_yes_adds_the_requested_amount_to_the_budget",
    "test_stories_of_peoples_pushes::TestTakenOver::test_a_merge_of_main_does_not_take_a_change_over",
    "test_stories_of_queued_pulls::TestLeavingTheQueue::test_a_conflict_removes_the_pull",
    "test_stories_of_replanning_by_a_model::TestMissingRequirements::test_requirements_that_failed_together_are_not_accepted_together_again",
    "test_stories_of_sizes::test_a_label_sets_the_next_orders_budget_and_appears_in_the_plan",
    "test_stories_of_smoke::TestNotRun::test_smoke_gates_that_did_not_run_are_reported_without_a_freeze",
)


def _story(name: str) -> Callable[[], None]:
    module, _, rest = name.partition("::")
    found: object = import_module(f"tests.core.{module}")
    *classes, test = rest.split("::")
    for one in classes:
        found = getattr(found, one)()
    told: Callable[[], None] = getattr(found, test)
    return told


_WORLD = approved(beside(1))
_WORLD.work()


_SUMMARY = SummaryPromptInput(
    spec_run=_WORLD.run.id,
    round=1,
    issue=IssueNumber(1),
    subject="report",
    report="",
    facts=SummaryFacts(title="", figures={}, changes=(), missing=()),
)


def _by_hand() -> Iterator[Moment]:
    """What no story of the core tells, and where a fold takes another way."""
    state, run = _WORLD.state, _WORLD.run
    change = _WORLD.change("R0")
    proposed_ = proposed()
    place = f"summary:{run.id}"
    said = ModelAdvice(answers={"q": Said(about=_SUMMARY, answer="")})
    advised = replace(state, model_advice={place: said, f"digest:{run.id}": said})
    yield (
        proposed_.state,
        ev.PlanningBegan(
            spec_run=proposed_.run.id, version="v", commit=sha("v"), requirements={}, began_at=START
        ),
    )
    yield state, ev.DeltaCompared(change=change.id, base=sha("b"), sentence="No.")
    of_summary = {"place": place, "prompt": "q", "spec_run": run.id}
    yield advised, ev.SummaryRefused.model_validate({**of_summary, "sentence": "No."})
    written = {**of_summary, "paragraph": "All.", "not_covered_note": ""}
    yield advised, ev.SummaryWritten.model_validate(written)
    yield (
        advised,
        ev.RequirementsRead(
            place=f"digest:{run.id}", prompt="q", path="a.md", noticed={"a": ()}, dropped=1
        ),
    )
    entry = replace(state.entry_of(change), state=EntryState.LANDING)
    yield (
        replace(state, entries={**state.entries, entry.id: entry}),
        ev.LandingRecalled(
            entry=entry.id, by="ann", why="", then=AfterRecall.HELD, recalled_at=START
        ),
    )
    ended = replace(run, state=SpecRunState.ENDED)
    yield (
        replace(state, spec_runs={run.id: ended}),
        ev.SpecRunRetired(
            spec_run=run.id,
            path=run.path,
            title="",
            state=ended.state,
            issue=run.issue,
            opened_at=START,
            ended_at=START,
        ),
    )
    issue = IssueNumber(900)
    spec = SpecIssue(path="a.md", pull=PullNumber(901), digest="", round=1, is_withdrawn=True)
    yield replace(state, spec_issues={issue: spec}), ev.IssuesRetired(issues=(issue,))
    digested = ev.SpecPullDigested(
        pull=PullNumber(901), head=sha("h"), round=1, digest="d", claims=("till: Sum",)
    )
    yield state, digested
    yield evolve(state, digested), ev.SpecPullForgotten(pull=PullNumber(901))
    yield replace(state, spec_versions={"b.md": "v"}), ev.SpecsNoted(versions={"b.md": ""})
    yield (
        state,
        ev.CommandAnswered(
            comment=CommentId(5), outcome="done", author="eve", created_at=START, is_strangers=True
        ),
    )
    for subject in (
        "check:rules:20260702T090000",
        "check:onboarding:abc",
        "check:smoke:abc",
        "comment:queue label 5",
        f"check:{change.id}:1:lint",
        "late:o1",
    ):
        yield state, ev.TextPublished(subject=subject, digest="d", published_at=START)


@cache
def moments() -> dict[str, list[Moment]]:
    """By the type of the event, and of its effect: events with the states that they moved."""
    found: dict[str, list[Moment]] = defaultdict(list)

    def keep(state: RepositoryState, event: Event) -> None:
        name: str = event.type
        if isinstance(event, ev.EffectIntended):
            name = f"{name} {event.effect.type}"
        if len(found[name]) < _MOMENTS and is_news(event, state, evolve(state, event)):
            found[name].append((state, event))

    with watched_by(keep):
        for story in STORIES:
            _story(story)()
    for state, event in _by_hand():
        found[f"{event.type} by hand"].append((state, event))
    return found


def _moments(type_: type[BaseModel]) -> Iterator[Moment]:
    for name, known in moments().items():
        if name.split()[0] == type_.__name__:
            yield from known


def _cost(moment: Moment, count: int, but: frozenset[str]) -> int:
    state, event = moment
    crowd = crowded(state, count, but)
    evolve(crowd, event)
    return instructions(lambda: evolve(crowd, event))


def _grows(moment: Moment, but: Iterable[str] = ()) -> bool:
    """Whether the fold costs more where there is more of everything but this."""
    few, many = (_cost(moment, count, frozenset(but)) for count in (FEW, MANY))
    return many - few >= FLAT


@pytest.mark.parametrize("type_", EVENT_TYPES, ids=lambda t: t.__name__)
def test_the_cost_of_a_fold_is_independent_of_the_size_of_the_state(type_: type[BaseModel]) -> None:
    walked, _ = MAY_WALK.get(type_, ((), ""))
    told = list(_moments(type_))
    assert told, "no story in which it moves the state"
    assert [event for state, event in told if _grows((state, event), walked)] == []


@pytest.mark.parametrize("type_", MAY_WALK, ids=lambda t: t.__name__)
def test_every_exception_for_walks_is_needed_and_has_a_reason(type_: type[BaseModel]) -> None:
    walked, why = MAY_WALK[type_]
    told = list(_moments(type_))
    idle = [
        name for name in walked if not any(_grows(moment, {*walked} - {name}) for moment in told)
    ]
    assert (idle, bool(why)) == ([], True)


def test_every_field_of_the_state_can_be_filled_for_the_measurement() -> None:
    assert OF_MAPS.keys() | OF_LISTS.keys() | NARROW.keys() == BOUNDS.keys()


@pytest.mark.parametrize(
    "walk", [sorted, set, list, dict, lambda one: one.keys() - {1}, lambda one: {1} - one.keys()]
)
def test_a_walk_by_a_builtin_is_counted(walk: Callable[[dict[int, int]], object]) -> None:
    few, many = (Watched({n: n for n in range(count)}) for count in (FEW, MANY))
    assert instructions(lambda: walk(many)) - instructions(lambda: walk(few)) >= FLAT


def test_a_copy_is_not_counted_as_a_walk() -> None:
    few, many = (Watched({n: n for n in range(count)}) for count in (FEW, MANY))
    assert {**many, 5: 5} == many
    assert instructions(lambda: {**many, -1: 1}) == instructions(lambda: {**few, -1: 1})


def _how_many_walk(state: RepositoryState, events: Iterable[Event], but: Iterable[str] = ()) -> int:
    found = 0
    for event in events:
        found += _grows((state, event), but)
        state = evolve(state, event)
    return found


def test_lines_of_the_ledger_are_removed_in_batches() -> None:
    lines = [
        ev.CommitAdmitted(sha=sha(str(n)), tree=sha("t"), author="ann", subject="", seen_at=START)
        for n in range(2 * LINES_KEPT)
    ]
    published = ev.LedgerPublished(lines=LINES_KEPT * 2, commit=sha("l"))
    before = fold([published, *lines[:-20]], _WORLD.state)
    assert _how_many_walk(before, lines[-20:], {"ledger"}) <= 1
    assert len(fold(lines[-20:], before).ledger) < 2 * LINES_KEPT


def test_pulls_that_left_the_queue_are_removed_in_batches() -> None:
    numbers = [PullNumber(n) for n in range(1, LEFT_KEPT + 2 * LEFT_AT_ONCE)]
    queued = [
        ev.PullQueued(number=n, head=sha(str(n)), title="", by="ann", queued_at=START)
        for n in numbers
    ]
    left = [ev.PullWithdrawn(number=n, by="ann", sentence="") for n in numbers]
    before = fold([*queued, *left[:LEFT_KEPT]], _WORLD.state)
    assert _how_many_walk(before, left[LEFT_KEPT:], {"left_pulls"}) <= 1
    assert len(fold(left, before).queued_pulls) < LEFT_KEPT + LEFT_AT_ONCE
