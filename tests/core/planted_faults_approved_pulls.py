"""A fault for every guard of pulls that enter the queue by themselves."""

from tests.testkit.planting import PlantedFault

STORIES = "core/test_stories_of_approved_pulls.py::"
CHECKS = STORIES + "TestChecks::"
OUT = STORIES + "TestLeavingTheQueue::"
REAL = "scenarios/test_approved_pulls_enter.py::"

APPROVED_PULLS_FAULTS = [
    PlantedFault(
        "core/state/unasked_pulls.py",
        "is_asked = policy.file.auto_queue is AutoQueue.APPROVED",
        "is_asked = True",
        STORIES + "test_without_the_policy_no_pull_enters_by_itself",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "return max(1, asked or 0) if is_automatic else asked",
        "return asked",
        STORIES + "test_a_queued_pull_waits_after_its_approval_is_withdrawn",
    ),
    PlantedFault(
        "core/decide/changes/note_reviews.py",
        "is_automatic=pull.is_by_policy",
        "is_automatic=False",
        STORIES + "test_a_queued_pull_waits_after_its_approval_is_withdrawn",
    ),
    PlantedFault(
        "core/state/approvals.py",
        "is_automatic = known is not None and not known.has_left and known.is_by_policy",
        "is_automatic = False",
        STORIES + "test_a_queued_pull_waits_after_its_approval_is_withdrawn",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "return not approvals.against and len(approvals.by) >= needed",
        "return len(approvals.by) >= needed",
        STORIES + "test_requested_changes_keep_a_pull_out",
    ),
    PlantedFault(
        "core/decide/people/queue_approved.py",
        "        bool(approved.by)\n        and may_enter",
        "        may_enter",
        STORIES + "test_an_approval_without_the_role_to_queue_does_not_count",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "    return bool(found) and all(",
        "    return all(",
        CHECKS + "test_a_required_check_must_be_green",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "one.ending is CheckEnding.GREEN for one in found",
        "one.ending is not CheckEnding.RED for one in found",
        CHECKS + "test_a_required_check_must_be_green",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "one.name == gate.check and gate.is_of(one.app_id, one.app_slug)",
        "one.name == gate.check",
        CHECKS + "test_a_required_check_of_another_app_does_not_count",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "    return (*of_rules, *(gate for gate in policy.external_gates if gate.required))",
        "    return tuple(of_rules)",
        CHECKS + "test_external_checks_of_the_policy_must_be_green_at_the_head",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "(not known.has_left or known.head == pull.head_sha)",
        "not known.has_left",
        OUT + "test_a_dequeued_pull_stays_out_until_a_push",
    ),
    PlantedFault(
        "core/state/unasked_pulls.py",
        "    if state.kept_out.get(pull.number) == pull.head_sha:\n        return False\n",
        "",
        OUT + "test_a_dequeued_pull_stays_out_after_many_others_left",
    ),
    PlantedFault(
        "core/state/webhook.py",
        'if suite.get("conclusion") != "success" or _is_by_bot(payload):',
        'if suite.get("conclusion") != "success":',
        STORIES + "TestHints::test_a_green_check_suite_gives_hints_about_its_pulls",
    ),
    PlantedFault(
        "shell/observe_approved.py",
        "[:REVIEWS_A_LOOK]",
        "",
        REAL + "test_a_full_look_reads_the_reviews_of_each_pull_once",
    ),
    PlantedFault(
        "shell/observe_approved.py",
        "if read is None or not read.is_of(pull, now)]",
        "]",
        REAL + "test_a_full_look_reads_the_reviews_of_each_pull_once",
    ),
    PlantedFault(
        "shell/observe_approved.py",
        "        known.sort(key=lambda one: one[1].read_at if one[1] is not None else _NEVER)\n",
        "",
        REAL + "test_pulls_never_checked_for_reviews_are_checked_first",
    ),
    PlantedFault(
        "shell/observe_approved.py",
        "pulls = {pull.number: pull for pull in (*hinted, *others)}",
        "pulls = {pull.number: pull for pull in hinted}",
        REAL + "test_a_full_look_finds_approvals_with_lost_webhooks",
    ),
]
