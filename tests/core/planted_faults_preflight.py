"""A fault for every guard of what is protected, of rules that refuse landings, and of others' checks."""

from tests.testkit.planting import PlantedFault

POLICY = "core/test_policy.py::"
RULES = "core/test_stories_of_rules.py::"
MONEY, TOLD, FOUND = f"{RULES}TestBeforeCost::", f"{RULES}TestReports::", f"{RULES}TestFindings::"
AWAITED = "core/test_stories_of_awaited_checks.py::"
READS = "adapters/test_github_rules.py::"
OTHERS = "adapters/test_github_checks_of_others.py::"
REFUSING = "core/state/refusing_rules.py"
AWAIT = "core/decide/changes/await_checks.py"

PREFLIGHT_FAULTS = [
    PlantedFault(
        "core/spec/policy.py",
        "            *(g.value for g in Guarded if g not in self.file.unprotect),\n",
        "",
        POLICY + "test_configuration_of_tools_and_reviews_is_protected_by_default",
    ),
    PlantedFault(
        "core/spec/policy.py",
        " for g in Guarded if g not in self.file.unprotect),\n",
        " for g in Guarded),\n",
        POLICY + "test_unprotect_applies_only_to_named_paths",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        " or is_held_by_rules(decision.state, decision.policy):",
        ":",
        MONEY + "test_a_blocking_rule_is_named_at_the_approval_and_no_agent_is_ordered",
    ),
    PlantedFault(
        "core/state/observed.py",
        "    verbs = {Verb.APPROVE, Verb.QUEUE}\n",
        "    verbs = {Verb.QUEUE}\n",
        MONEY + "test_an_approval_uses_the_rules_at_that_time",
    ),
    PlantedFault(
        "core/state/observed.py",
        " or state.rules.may_stand_in_the_way)",
        ")",
        MONEY + "test_work_starts_by_itself_when_the_rule_is_removed",
    ),
    PlantedFault(
        "adapters/github/rule_reads.py",
        "if one.kind not in LEAVE_OUR_BRANCHES_ALONE\n",
        "if one.kind in ONLY_OUR_BRANCHES\n",
        READS + "test_an_unknown_kind_of_rule_keeps_its_kind[branches0]",
    ),
    PlantedFault(
        "localhub/update_hook.py",
        "is_like_sha=$((${#name} == 40))",
        "is_like_sha=$((${#name} == 41))",
        "localhub/test_strictness.py::test_a_name_of_forty_hex_digits_is_refused[refs/tags/]",
    ),
    PlantedFault(
        "core/talk/rules_text.py",
        "    kind = RuleKind(rule.kind) if rule.kind in set(RuleKind) else None\n    asks",
        "    kind = RuleKind(rule.kind)\n    asks",
        FOUND
        + "test_a_rule_of_only_our_branches_is_reported_and_does_not_block[a_rule_of_next_year]",
    ),
    PlantedFault(
        REFUSING,
        " or policy.file.rules is OnRules.TELL:",
        ":",
        MONEY + "test_the_policy_may_only_report_rules",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        " and seen != decision.state.rules:",
        ":",
        TOLD + "test_rules_are_recorded_only_when_they_change",
    ),
    PlantedFault(
        "core/decide/main/follow_rules.py",
        "    if not told(state, decision.policy) and not _was_told(state):\n",
        "    if not told(state, decision.policy):\n",
        TOLD + "test_a_rule_is_shown_in_a_check_run_and_the_tracking_issue_until_removed",
    ),
    PlantedFault(
        REFUSING,
        "        if not rule.bypass.is_free\n",
        "",
        FOUND + "test_rules_that_refuse_every_landing",
    ),
    PlantedFault(
        REFUSING,
        "    is_certain = rule.bypass in {Bypass.NEVER, Bypass.PULLS_ONLY}\n    if rule.kind in ALWAYS_REFUSE",
        "    is_certain = True\n    if rule.kind in ALWAYS_REFUSE",
        FOUND + "test_rules_that_refuse_every_landing",
    ),
    PlantedFault(
        REFUSING,
        " and check.app_id in {None, facts.app_id}:",
        ":",
        FOUND + "test_our_own_verdict_may_be_required",
    ),
    PlantedFault(
        "core/talk/rules_text.py",
        "“{inert(rule.ruleset, 100)}”",
        "“{rule.ruleset}”",
        FOUND + "test_each_finding_is_a_sentence_without_mentions",
    ),
    PlantedFault(
        "adapters/github/rule_shapes.py",
        "return Bypass(said) if said in set(Bypass) else Bypass.UNKNOWN",
        "return Bypass(said) if said in set(Bypass) else Bypass.NEVER",
        READS + "test_a_bypass_that_github_does_not_state_is_unknown",
    ),
    PlantedFault(
        "adapters/github/rule_shapes.py",
        "app_id=None if app == -1 else app",
        "app_id=app",
        READS + "test_a_classic_protection_becomes_rules",
    ),
    PlantedFault(
        "adapters/github/check_reads.py",
        "        except NotInstalled:\n            return []\n",
        "        except NotInstalled:\n            raise\n",
        OTHERS + "test_statuses_are_read_if_the_app_may_see_them",
    ),
    PlantedFault(
        "adapters/github/check_reads.py",
        "CheckEnding.NOT_RUN)\n        return SeenCheck(\n            name=self.name",
        "CheckEnding.GREEN)\n        return SeenCheck(\n            name=self.name",
        OTHERS + "test_only_success_is_green",
    ),
    PlantedFault(
        AWAIT,
        "one.name == gate.check and one.app_id != ours and",
        "one.name == gate.check and",
        AWAITED + "test_check_runs_by_headgate_never_count_as_external",
    ),
    PlantedFault(
        AWAIT,
        " and gate.is_of(one.app_id, one.app_slug)\n",
        "\n",
        AWAITED + "test_another_apps_check_of_that_name_does_not_count",
    ),
    PlantedFault(
        AWAIT,
        "_WORST_FIRST = (CheckEnding.RED, CheckEnding.PENDING, CheckEnding.NOT_RUN, CheckEnding.GREEN)",
        "_WORST_FIRST = (CheckEnding.GREEN, CheckEnding.RED, CheckEnding.PENDING, CheckEnding.NOT_RUN)",
        AWAITED + "test_the_worst_of_several_counts",
    ),
    PlantedFault(
        AWAIT,
        " or (seen is not None and seen.ending is CheckEnding.NOT_RUN)\n",
        "\n",
        AWAITED + "test_a_check_that_did_not_run_holds_the_change",
    ),
    PlantedFault(
        AWAIT,
        "    if absent and not is_red:\n",
        "    if False:\n",
        AWAITED + "test_a_missing_check_holds_the_change_until_it_arrives",
    ),
    PlantedFault(
        AWAIT,
        "    return max(awaited.since, released) if released else awaited.since\n",
        "    return awaited.since\n",
        AWAITED + "test_a_release_by_a_person_restarts_the_waiting_time",
    ),
    PlantedFault(
        AWAIT,
        "    if hold is not None and hold.is_for_check:\n",
        "    if hold is not None:\n",
        AWAITED + "test_a_late_check_does_not_end_a_persons_hold",
    ),
    PlantedFault(
        AWAIT,
        "    if not is_awaiting(decision, change):\n",
        "    if False:\n",
        AWAITED + "test_a_hold_ends_with_the_gate_that_it_was_for",
    ),
    PlantedFault(
        AWAIT,
        "    if change is None or not is_green or not decision.policy_for(change).awaited_gates:\n",
        "    if change is None or not decision.policy_for(change).awaited_gates:\n",
        AWAITED + "test_our_own_red_gates_fail_a_candidate_without_waiting",
    ),
    PlantedFault(
        AWAIT,
        " and awaited.definition_hash == gates_hash(\n        decision.policy_for(change)\n    )",
        "",
        AWAITED + "test_a_gate_added_to_the_policy_while_waiting_runs",
    ),
]
