"""A fault for every guard that keeps paid work, and keeps unfinished work from the gates."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_unfinished_work.py::"
NEXT = STORIES + "TestTheNextAttempt::"
JUDGED = STORIES + "TestJudgedWork::"
RULES = STORIES + "TestBundlesThatBreakARule::"

PAID_FAULTS = [
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "            bundle=report.bundle_sha256 if report.head_sha else None,\n",
        "",
        NEXT + "test_the_next_attempt_starts_from_unfinished_work",
    ),
    PlantedFault(
        "core/decide/changes/wait_for_answers.py",
        "                bundle=report.bundle_sha256 if report.head_sha else None,\n            )\n",
        "            )\n",
        NEXT + "test_the_attempt_after_too_many_questions_starts_from_the_work",
    ),
    PlantedFault(
        "core/talk/order_context.py",
        "    files = change.start_conflicts if prepared else ()\n",
        "    files: tuple[str, ...] = ()\n",
        NEXT + "test_the_next_attempt_learns_of_conflicts_with_main",
    ),
    PlantedFault(
        "core/journal/change_state.py",
        "            and newest.outcome != FINISHED\n",
        "",
        "core/test_stories_of_flakes.py::"
        "TestUnchangedWork::test_a_gate_that_is_red_again_fails_the_change_with_its_sentence",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        head_is_fresh=is_whole,\n",
        "        head_is_fresh=True,\n",
        JUDGED + "test_unfinished_work_is_not_judged",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "        head_is_whole=is_whole,\n",
        "        head_is_whole=True,\n",
        JUDGED + "test_a_retry_by_a_person_continues_unfinished_work",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "NOTHING_CHANGED and _began_with_unfinished(change):",
        "NOTHING_CHANGED and False:",
        JUDGED + "test_unfinished_work_is_judged_if_the_next_agent_changes_nothing",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    if event.ending == AgentEnding.NOTHING_CHANGED and _began_with_unfinished(change):",
        "    if _began_with_unfinished(change):",
        JUDGED
        + "test_an_attempt_that_broke_off_before_it_changed_anything_does_not_finish_the_work",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        "    return replace(change, retry=retry, bundle=None, agent_runs=runs)\n",
        "    return replace(change, retry=retry, bundle=None, agent_runs=runs, head_is_whole=False)\n",
        RULES + "test_finished_work_stays_finished",
    ),
    PlantedFault(
        "core/journal/evolve_work.py",
        '    ended = f"{change.agent_runs[-1].sentence} " if change.has_partial_work else ""\n',
        '    ended = ""\n',
        RULES + "test_the_refused_files_are_named_with_how_the_run_ended",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "        or any(run.left_out for run in change.agent_runs)\n",
        "",
        STORIES + "TestLeftovers::test_leftovers_of_finished_work_are_listed",
    ),
]
