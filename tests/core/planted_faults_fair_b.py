"""A fault for every guard that tells what a change introduced from what it inherited."""

from tests.testkit.planting import PlantedFault

BLAME = "core/test_stories_of_blame.py::"
INHERITED = BLAME + "TestInherited::"
INTRODUCED = BLAME + "TestIntroduced::"
FRONT = "core/test_stories_of_turns.py::TestFrontFirst::"

FAIR_FAULTS = [
    PlantedFault(
        "core/decide/changes/conclude.py",
        "and is_red and (is_of_main or not baseline.is_known):",
        "and is_red and not baseline.is_known:",
        INHERITED + "test_a_gate_that_main_fails_too_is_not_blamed_on_the_change",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if results and not is_of_main and ask_again(",
        "    if results and ask_again(",
        INHERITED + "test_an_inherited_failure_does_not_run_again",
    ),
    PlantedFault(
        "core/state/blame.py",
        " or (order.put_to_main and not is_doubtful(state, candidate.base)):\n",
        ":\n",
        INHERITED + "test_an_accepted_failure_that_main_fixed_counts_against_a_change",
    ),
    PlantedFault(
        "core/state/blame.py",
        "        if is_reached and line.kind is LedgerKind.LANDED:\n            return line.waived\n",
        "        if is_reached and line.kind is LedgerKind.LANDED:\n            return ()\n",
        INHERITED + "test_an_accepted_failure_that_main_fixed_counts_against_a_change",
    ),
    PlantedFault(
        "core/state/blame.py",
        "        gates=frozenset(r.gate for r in red if not names_all_failures(r)),\n",
        "",
        INHERITED + "test_a_gate_without_named_tests_is_inherited_completely",
    ),
    PlantedFault(
        "core/state/blame.py",
        'if gate in {"", result.gate}}',
        "if True}",
        INTRODUCED + "test_a_red_gate_that_is_green_on_main_is_blamed_on_the_change",
    ),
    PlantedFault(
        "core/state/blame.py",
        "(*result.failed_tests, result.gate)\n",
        "result.failed_tests\n",
        INTRODUCED + "test_a_crash_of_a_gate_that_fails_on_main_is_blamed_on_the_change",
    ),
    PlantedFault(
        "core/state/blame.py",
        "    return bool(red) and all(f.blame is",
        "    return bool(red) and any(f.blame is",
        INTRODUCED + "test_a_new_failure_counts_even_on_a_red_main",
    ),
    PlantedFault(
        "core/state/blame.py",
        "    return replace(result, inherited=inherited)\n",
        "    return replace(result, inherited=(*result.inherited, *inherited))\n",
        BLAME + "test_failures_are_assigned_to_main_or_the_change",
    ),
    PlantedFault(
        "core/talk/checks.py",
        '    summary = "\\n\\n".join((*lines, text.summary))\n',
        "    summary = text.summary\n",
        INTRODUCED + "test_on_a_green_main_every_failure_is_blamed_on_the_change",
    ),
    PlantedFault(
        "core/state/reason.py",
        "    if state.results_of(change) and state.frozen is not None:\n",
        "    if False:\n",
        INHERITED + "test_an_inherited_failure_is_shown_separately_with_its_origin",
    ),
    PlantedFault(
        "core/decide/changes/conclude.py",
        "    if adoption is not None:\n        red += ",
        "    if False:\n        red += ",
        INHERITED + "test_an_inherited_failure_is_shown_separately_with_its_origin",
    ),
    PlantedFault(
        "core/state/capacity.py",
        "(bool(candidate.doubts) or waits_for_people(state, change))",
        "waits_for_people(state, change)",
        FRONT + "test_a_change_that_was_red_once_does_not_hold_up_others",
    ),
    PlantedFault(
        "core/decide/queue/land.py",
        "if is_being_judged(state, c)]",
        "if state.entry_of(c).entered is not None]",
        FRONT + "test_a_waiting_first_judgement_follows_main",
    ),
    PlantedFault(
        "core/state/queue_void.py",
        "        Phase.RUNNING: _NOTHING,\n        # The base",
        "        Phase.RUNNING: _MOVED,\n        # The base",
        FRONT + "test_a_judgement_that_a_runner_has_started_is_completed",
    ),
]
