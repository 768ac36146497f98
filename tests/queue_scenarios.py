"""Races and bad days that merge queues have met, each with the tests that show what becomes of it here.

The numbers are those of the list from which the scenarios were taken; what needs batches or windows is not
here. `tests.shape.test_queue_scenarios` holds each name against the code.
"""

from typing import NamedTuple


class Scenario(NamedTuple):
    number: int
    what: str
    tests: tuple[str, ...]


def _of(number: int, what: str, *tests: str) -> Scenario:
    return Scenario(number, what, tests)


_MOVING = "scenarios/test_moving_main.py::"
_PULLS = "core/test_stories_of_queued_pulls.py::"
_ORDER = "core/test_stories_of_the_queues_order.py::TestTheOrder::"
_CHANGES = "core/test_stories_of_changes.py::"
_MAIN = "core/test_stories_of_main.py::"
_CHECKS = "core/test_stories_of_awaited_checks.py::"
_BARRIERS = "core/test_stories_of_guarded_edits.py::"
_FREEZES = "core/test_stories_of_freezes.py::"
_OUT = _PULLS + "TestLeavingTheQueue::"
_PUSHES = "scenarios/test_people_push_to_main.py::"
_COMMANDS = "scenarios/test_commands.py::"
_HOOKS = "scenarios/test_webhooks.py::"
_DEAD = "scenarios/test_dead_runners.py::"
_REVIEWS = "scenarios/test_reviews_of_queued_pulls.py::"
_LANDINGS = "scenarios/test_landings_during_actions_of_people.py::"
_MEDDLED = "core/test_stories_of_queue_interference.py::"
_ANY_DAY = "core/test_any_day.py::test_any_day_of_the_queue_keeps_the_laws"

SCENARIOS: tuple[Scenario, ...] = (
    _of(
        1,
        "main moved: nothing is forced, and it is built again by itself",
        _MOVING + "test_a_moved_main_is_never_overwritten",
        _LANDINGS + "test_a_manual_merge_in_the_same_second_is_not_repeated",
        _CHANGES + "TestQueue::test_a_landing_on_a_moved_main_returns_to_the_front_of_the_queue",
    ),
    _of(
        4,
        "GitHub refuses the landing by a rule: its words are shown, and others go on",
        _MOVING + "test_a_ruleset_refuses_both_ways_with_its_own_message",
        _ORDER + "test_a_refused_landing_is_retried_and_others_continue",
    ),
    _of(
        5,
        "the verdict that a rule asks for was just posted",
        "scenarios/test_github_refuses.py::"
        "test_a_change_lands_at_once_if_a_ruleset_requires_the_verdict",
    ),
    _of(
        7,
        "the answer to the landing is lost, and main has moved",
        _MOVING + "test_a_lost_response_after_main_moved_lands_once",
        "scenarios/test_people_queue_pulls.py::test_a_lost_answer_and_a_late_push_are_handled",
    ),
    _of(
        8,
        "what landed stays landed, whatever comes late",
        "scenarios/test_people_queue_pulls.py::test_a_repeated_landing_lands_once",
        _HOOKS + "test_a_late_delivery_does_not_restore_an_old_state",
    ),
    _of(
        11,
        "the process dies before main is moved, or after",
        "scenarios/test_crashes.py::test_a_crash_at_any_kind_of_write_changes_no_outcome",
        "scenarios/test_crashes_of_queued_pulls.py::test_a_crash_at_any_write_lands_each_pull_once",
    ),
    _of(
        13,
        "main is moved back while gates run",
        _PUSHES + "test_a_rewound_main_freezes_the_queue_until_its_gates_pass",
        _MAIN + "TestRewound::test_a_rewound_main_freezes_the_queue_and_is_judged",
    ),
    _of(
        14,
        "many look at once: one candidate, one comment",
        "scenarios/test_people_queue_pulls.py::"
        "test_concurrent_workers_make_one_candidate_and_one_comment",
    ),
    _of(
        17,
        "main moved under a landing: nobody is blamed",
        _OUT + "test_red_gates_on_an_outdated_main_do_not_remove_a_pull",
        "core/test_stories_of_red_candidates.py::test_a_red_change_is_judged_again_on_the_current_main",
    ),
    _of(
        19,
        "a commit of main that nobody judged is told of",
        "core/test_stories_of_adopted_commits.py::test_one_issue_reports_all_commits_of_a_look",
        _PUSHES + "test_all_commits_of_a_push_are_in_the_ledger_and_the_tip_is_judged",
    ),
    _of(
        22,
        "a look shows main as it was before we landed",
        _MEDDLED + "test_a_landing_that_a_look_misses_is_recognised_later",
    ),
    _of(
        25,
        "somebody pushes to a pull that is judged",
        _OUT + "test_a_push_dequeues_a_pull",
    ),
    _of(
        26,
        "what is judged cannot be called off",
        _MEDDLED + "test_a_failed_cancellation_does_not_keep_a_pull_in_the_queue",
    ),
    _of(
        28,
        "the webhook of a push is lost until the landing",
        _OUT + "test_a_push_during_the_landing_does_not_land",
        _LANDINGS + "test_last_moment_changes_by_a_person_abort_the_landing",
    ),
    _of(
        29,
        "an approval is taken back",
        _REVIEWS + "test_the_landing_itself_notices_a_review_during_the_landing",
        "core/test_stories_of_reviewed_pulls.py::TestRequestedChanges::"
        "test_a_review_at_the_last_moment_stops_the_landing_but_keeps_gate_results",
    ),
    _of(
        31,
        "a pull is closed, and its webhook lost",
        _OUT + "test_a_pull_that_becomes_unfit_leaves_the_queue",
        "scenarios/test_lost_webhooks.py::"
        "test_a_command_with_a_lost_webhook_is_run_within_a_minute",
    ),
    _of(
        32,
        "a pull is closed and a draft",
        _MEDDLED + "test_a_closed_draft_is_reported_as_closed",
    ),
    _of(
        34,
        "a review of the head before comes with a push",
        _MEDDLED + "test_a_review_of_the_old_head_with_a_push_dequeues_the_pull_once",
    ),
    _of(
        35,
        "an approval is for the head that was seen",
        _REVIEWS + "test_only_writers_can_approve_and_new_work_needs_another_approval",
    ),
    _of(
        38,
        "the first does not merge: it goes once, and the next is judged",
        _OUT + "test_a_conflict_removes_the_pull",
        "core/test_stories_of_unfit_work.py::TestPulls::test_other_pulls_are_judged_while_main_is_unjudged",
    ),
    _of(
        41,
        "a draft, or a closed pull, is queued",
        _PULLS + "TestQueueCommands::test_a_draft_is_refused",
        _PULLS + "TestQueueCommands::test_a_closed_pull_is_refused",
    ),
    _of(
        43,
        "a command in a quotation, or by an App",
        _COMMANDS + "test_a_quoted_command_is_ignored",
        _COMMANDS + "test_commands_in_comments_by_apps_are_ignored",
    ),
    _of(
        44,
        "several commands in one comment",
        _OUT + "test_dequeue_and_queue_in_one_comment_ends_the_first_check",
    ),
    _of(
        47,
        "a pull edits the gates that judge it",
        _BARRIERS + "TestJudgement::test_a_weaker_gate_does_not_judge_the_pull_that_brings_it",
        _BARRIERS + "TestPermission::test_no_gate_runs_before_a_maintainer_allowed_this_head",
    ),
    _of(
        49,
        "no webhook comes at all",
        "scenarios/test_lost_webhooks.py::"
        "test_a_command_with_a_lost_webhook_is_run_within_a_minute",
    ),
    _of(
        50,
        "gates end while we are down for longer than they may take",
        _MEDDLED + "test_gates_that_ended_during_a_long_downtime_count",
    ),
    _of(
        55,
        "webhooks come twice and in another order",
        _HOOKS + "test_the_same_delivery_twice_is_stored_once",
        _ANY_DAY,
    ),
    _of(
        59,
        "two checks have one name",
        _CHECKS + "test_the_worst_of_several_counts",
        "scenarios/test_approved_pulls_enter.py::"
        "test_a_check_that_fails_during_the_gates_prevents_the_landing",
    ),
    _of(
        61,
        "a check that is asked for never comes",
        _CHECKS + "test_a_missing_check_holds_the_change_until_it_arrives",
    ),
    _of(
        62,
        "no runner takes an order",
        "scenarios/test_lost_runners.py::"
        "test_orders_without_a_runner_pause_the_work_until_one_is_online",
    ),
    _of(
        64,
        "another App says that a gate is green",
        _CHECKS + "test_another_apps_check_of_that_name_does_not_count",
        "scenarios/test_foreign_apps.py::test_a_green_check_run_of_another_app_does_not_count",
    ),
    _of(
        67,
        "a pull leaves while its gates run",
        _OUT + "test_a_person_can_dequeue_a_pull",
    ),
    _of(
        68,
        "a runner goes without a verdict",
        _DEAD + "test_dead_runners_at_any_stage_only_cost_time",
        _OUT + "test_a_pull_whose_gates_are_always_lost_is_removed",
    ),
    _of(
        70,
        "a report is about another base, or other gates",
        _CHANGES + "TestLosses::test_a_report_about_another_commit_is_ignored",
        _OUT + "test_a_report_of_other_gates_does_not_count",
    ),
    _of(
        73,
        "something urgent comes while another is judged",
        _ORDER + "test_the_now_command_overtakes_an_entry_being_judged",
        _ORDER + "test_priority_does_not_overtake_an_entry_being_judged",
    ),
    _of(
        74,
        "a freeze comes while something lands",
        _FREEZES + "test_a_landing_that_has_started_completes_despite_a_freeze",
    ),
    _of(
        77,
        "what has failed is tried again only when somebody says so",
        _CHANGES + "test_retry_reopens_a_failed_change_and_its_run",
    ),
    _of(
        79,
        "the policy loses its gates while pulls are queued",
        _OUT + "test_a_pull_leaves_if_main_has_lost_its_gates",
    ),
    _of(
        83,
        "one pull brings a policy that nobody can read",
        _BARRIERS + "TestJudgement::test_an_unreadable_policy_does_not_land",
    ),
    _of(
        101,
        "the compare-and-swap loses: the next look heals it",
        _CHANGES + "TestQueue::test_a_landing_on_main_counts_even_without_its_event",
    ),
)

# What the queue must not lose, and a part of the guard that a planted fault takes away.
GUARDS: dict[str, tuple[str, str]] = {
    "compare-and-swap": ("adapters/github/writes.py", '"beforeOid": base'),
    "head read again": ("shell/perform_queue.py", "default_branch, effect.head)"),
    "base branch read again": ("shell/perform_queue.py", "why_out(pull, facts.default_branch"),
    "the App of a check": ("core/decide/changes/await_checks.py", "gate.is_of(one.app_id"),
    "skipped is no success": (
        "core/decide/changes/await_checks.py",
        "seen.ending is CheckEnding.NOT_RUN",
    ),
    "landed base": ("core/decide/changes/void_outdated.py", "lacks | moved"),
    "repeat": ("core/state/flaky_results.py", "policy.repeats(r.gate)"),
    "barrier": ("core/state/queue_definitions.py", "(policy_of(policy, pull), *others)"),
    "ground as carried": ("core/journal/ground.py", "carried.files"),
    "overtaking bound": ("core/state/queue_order.py", "entry.overtaken >= SERIAL.overtaken_max"),
}
