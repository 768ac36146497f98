"""A fault for every guard of lost gates that are told, and of bundles from runners that are not trusted."""

from tests.testkit.planting import PlantedFault

LOST = "core/test_stories_of_reasons.py::TestLostGates::"
BUNDLES = "adapters/test_git_bundles.py::"
NAMES = BUNDLES + "test_a_name_that_git_refuses_drops_only_its_own_files"
LABELS = "core/test_stories_of_reasons.py::TestWhy::test_why_names_runner_labels_of_the_policy"

RESTS_FAULTS = [
    PlantedFault(
        "adapters/git/bundles.py",
        "            found |= judge_secrets(contents, self._text)\n",
        "            pass\n",
        BUNDLES + "test_a_file_with_a_secret_is_kept_out_and_named_without_it",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        "            files = files[count:]\n",
        "            return\n",
        BUNDLES + "test_every_file_of_a_large_bundle_is_scanned",
    ),
    PlantedFault(
        "adapters/git/inspection.py",
        '    return before(one.before) if one.before else ""\n',
        '    return ""\n',
        BUNDLES + "test_a_secret_already_on_main_is_not_blamed_on_the_agent",
    ),
    PlantedFault(
        "adapters/git/bundles.py",
        'f"--strict={_JUDGED_BY_US}"',
        '"--strict"',
        NAMES,
    ),
    PlantedFault(
        "adapters/git/inspection.py",
        '{b"", b".", b".."}',
        '{b""}',
        NAMES,
    ),
    PlantedFault(
        "core/journal/evolve_orders.py",
        "    return replace(order, lost=event.sentence)\n",
        "    return order\n",
        LOST + "test_lost_gates_of_a_change_are_explained",
    ),
    PlantedFault(
        "core/state/lost_gates.py",
        " if order.state is OrderState.LOST else []",
        " if order.state is OrderState.LOST else lost",
        LOST + "test_lost_gates_are_not_mentioned_after_a_gate_report",
    ),
    PlantedFault(
        "core/talk/replies.py",
        "    lines += lost_gates_of(state, change)\n",
        "",
        LOST + "test_lost_gates_of_a_change_are_explained",
    ),
    PlantedFault(
        "core/talk/now_text.py",
        "    if lost := fix_for_lost_gates(state, change):\n        return lost\n",
        "",
        LOST + "test_lost_gates_of_a_change_are_explained",
    ),
    PlantedFault(
        "core/talk/question_text.py",
        "    if answer is not None:\n",
        "    if False:\n",
        "core/test_stories_of_questions.py::test_answers_by_two_people_appear_in_one_comment",
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    labels = said or (RUNNER_LABEL,)\n",
        "    labels = (RUNNER_LABEL,)\n",
        LABELS,
    ),
    PlantedFault(
        "core/talk/reason_text.py",
        "    is_gate = known is not None and known.kind is OrderKind.GATE\n",
        "    is_gate = False\n",
        LABELS,
    ),
    PlantedFault(
        "core/talk/lost_gates_text.py",
        "    if state.frozen is None:\n",
        "    if True:\n",
        LOST + "test_lost_gates_of_main_are_explained_until_they_freeze_the_queue",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        " The last time: {order.lost}",
        "",
        LOST + "test_lost_gates_of_main_are_explained_until_they_freeze_the_queue",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "    if _is_being_told(decision, run):\n",
        "    if False:\n",
        "core/test_stories_of_late_texts.py::"
        "test_a_landed_change_shows_its_verdict_even_if_it_was_published_late",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "run.id in key if isinstance(e, PublishCheckRun) else e.issue in issues_of_run",
        "run.id in key",
        "core/test_stories_of_late_texts.py::test_an_ended_run_shows_the_same_texts_despite_delays",
    ),
]
