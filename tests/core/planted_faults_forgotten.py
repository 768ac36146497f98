"""A fault for every guard of what leaves the state with its thing, and of what must stay."""

from tests.testkit.planting import PlantedFault

FORGOTTEN = "core/test_forgotten_state.py::"
COMMENTS = FORGOTTEN + "TestComments::"
SERIES = FORGOTTEN + "TestSeries::"
CANDIDATES = FORGOTTEN + "TestCandidates::"
MAIN = FORGOTTEN + "TestMain::"
SPECS = FORGOTTEN + "TestSpecs::"
FOLD = "core/journal/evolve_forgotten.py"

FORGOTTEN_FAULTS = [
    PlantedFault(
        "core/journal/evolve_effects.py",
        "newest(refused, REFUSED_MAX)",
        "refused",
        COMMENTS + "test_only_the_newest_general_refusals_are_kept",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "answered=without(state.answered, *old)",
        "answered=state.answered",
        COMMENTS + "test_answers_are_forgotten_even_without_an_ended_run",
    ),
    PlantedFault(
        "core/journal/evolve_people.py",
        "    since = event.up_to - COMMENTS_KEPT\n",
        "    since = event.up_to\n",
        COMMENTS + "test_a_recent_answer_is_remembered",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "        and comment.created_at < state.comments_seen_to - COMMENTS_KEPT\n",
        "        and comment.created_at < state.comments_seen_to - 99 * COMMENTS_KEPT\n",
        COMMENTS + "test_a_comment_that_was_forgotten_is_not_answered_again",
    ),
    PlantedFault(
        FOLD,
        "    return not key.startswith(_UNASKED)\n",
        "    return True\n",
        COMMENTS + "test_publications_that_are_never_looked_up_are_not_remembered",
    ),
    PlantedFault(
        "core/journal/evolve_effects.py",
        "    if not is_asked_for(event.key):\n",
        "    if False:\n",
        COMMENTS + "test_a_refused_reaction_is_not_remembered",
    ),
    PlantedFault(
        FOLD,
        "tuple(sorted(told)[:-1])",
        "told[:-1]",
        SERIES + "test_only_the_newest_check_run_of_a_series_is_remembered",
    ),
    PlantedFault(
        FOLD,
        "        return timed[1]\n",
        "        return timed[1][:12]\n",
        SERIES + "test_each_branch_has_its_own_series_of_check_runs",
    ),
    PlantedFault(
        FOLD,
        "        return told[:-_LABELS_KEPT]\n",
        "        return ()\n",
        SERIES + "test_the_newest_labels_of_pulls_are_remembered",
    ),
    PlantedFault(
        "core/journal/evolve_change.py",
        "    return without_replaced(newest, change.id)\n",
        "    return newest\n",
        CANDIDATES + "test_verdicts_on_candidates_that_were_replaced_are_forgotten",
    ),
    PlantedFault(
        FOLD,
        " or _is_replaced(state, subject, digest):",
        ":",
        CANDIDATES + "test_an_open_verdict_is_remembered_until_it_is_concluded",
    ),
    PlantedFault(
        FOLD,
        "candidate is None or digest.startswith(OPEN):",
        "candidate is None:",
        CANDIDATES + "test_an_open_verdict_is_remembered_until_it_is_concluded",
    ),
    PlantedFault(
        FOLD,
        "        lost_orders=lost,\n",
        "",
        MAIN + "test_publications_about_removed_commits_leave_with_their_orders",
    ),
    PlantedFault(
        FOLD,
        "        published=without(state.published, *said),\n",
        "",
        MAIN + "test_publications_about_removed_commits_leave_with_their_orders",
    ),
    PlantedFault(
        FOLD,
        "o.is_smoke or o.is_open or o.id in probes)",
        "o.is_smoke or o.id in probes)",
        MAIN + "test_publications_about_removed_commits_leave_with_their_orders",
    ),
    PlantedFault(
        FOLD,
        "        and o.branch_of_queue == state.on_branch\n",
        "",
        MAIN + "test_publications_about_removed_commits_leave_with_their_orders",
    ),
    PlantedFault(
        FOLD,
        "        and not digest.startswith(OPEN)\n",
        "",
        MAIN + "test_a_withheld_verdict_is_remembered",
    ),
    PlantedFault(
        FOLD,
        "    if known is None or known.version == version:\n",
        "    if known is None:\n",
        SPECS + "test_a_refusal_leaves_with_its_publications",
    ),
    PlantedFault(
        FOLD,
        "        published=without(state.published, *told),\n",
        "",
        SPECS + "test_a_readable_policy_ends_its_refusal",
    ),
    PlantedFault(
        FOLD,
        "    gone -= {run.path for run in state.spec_runs.values()} if gone else set()\n",
        "",
        SPECS + "test_questions_of_a_spec_stay_during_its_run",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "    return without_gone_specs(after, (run.path,))\n",
        "    return after\n",
        SPECS + "test_questions_of_a_spec_stay_during_its_run",
    ),
    PlantedFault(
        "core/journal/evolve_specs.py",
        "without({**state.spec_versions, **event.versions}, *gone)",
        "{**state.spec_versions, **event.versions}",
        SPECS + "test_a_removed_spec_leaves_with_all_its_entries",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        " if w.until is None or w.until >= since}",
        "}",
        FORGOTTEN + "TestWaivers::test_long_expired_waivers_are_forgotten_at_the_next_one",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "(now - EXPIRED_WAIVERS_KEPT).date()",
        "now.date()",
        FORGOTTEN + "TestWaivers::test_long_expired_waivers_are_forgotten_at_the_next_one",
    ),
]
