"""A fault for each guard of what a model says of a diff."""

from tests.testkit.planting import PlantedFault

ROUNDS = "graded/rounds.py"
FINDINGS = "graded/findings.py"
CHUNKS = "graded/chunks.py"
CHECKS = "core/decide/changes/await_checks.py"
COST = "core/prompts/review_cost.py"
ASK = "core/decide/changes/ask_reviews.py"
UNIT = "gates/test_model_review_gate.py::"
STORY = "core/test_stories_of_reviews_by_models.py::"

GRADED_FAULTS = [
    PlantedFault(
        "core/spec/awaited_gates.py",
        "block=entry.review.block,",
        "block=type(entry.review.block).MAJOR,",
        STORY + "test_the_policy_says_which_severity_is_red",
    ),
    PlantedFault(
        FINDINGS,
        '    return first in there[0] and quote in "\\n".join(there)\n',
        "    return True\n",
        STORY + "test_a_finding_whose_quote_is_not_in_the_file_is_dropped",
    ),
    PlantedFault(
        FINDINGS,
        "if one.line in shown.get(one.path, ()) and stands_at",
        "if stands_at",
        UNIT + "TestQuotes::test_a_finding_outside_the_shown_lines_is_dropped",
    ),
    PlantedFault(
        FINDINGS,
        "        return order.index(self) >= order.index(least)\n",
        "        return order.index(self) > order.index(least)\n",
        UNIT + "TestEndings::test_findings_below_the_blocking_severity_are_reported_and_pass",
    ),
    PlantedFault(
        FINDINGS,
        "    if line := line_with(earlier.quote, lines):\n",
        "    if line := 0:\n",
        UNIT + "TestAfterAFix::test_the_old_quote_counts_if_the_new_one_does_not_match",
    ),
    PlantedFault(
        CHUNKS,
        "        if file.before is None and file.after is None:\n",
        "        if not file.path:\n",
        UNIT + "TestChunks::test_a_path_that_is_not_a_file_cannot_be_shown",
    ),
    PlantedFault(
        CHUNKS,
        "        if len(chunks) > CHUNKS_MAX:\n",
        "        if not chunks:\n",
        UNIT + "TestChunks::test_a_diff_with_too_many_chunks_is_refused",
    ),
    PlantedFault(
        ROUNDS,
        "            if missing := sorted(set(chunk.paths) - set(said.files)):\n",
        "            if missing := sorted(set(chunk.paths) & set()):\n",
        STORY + "test_a_review_that_omits_a_file_fails",
    ),
    PlantedFault(
        ROUNDS,
        "                if one.id not in by_id:\n",
        "                if one.id not in by_id and not by_id:\n                    continue\n"
        "                if one.id not in by_id:\n",
        UNIT + "TestAfterAFix::test_an_answer_that_omits_an_earlier_finding_could_not_run",
    ),
    PlantedFault(
        ROUNDS,
        "        ending=Ending.COULD_NOT_RUN,\n",
        "        ending=Ending.PASSED,\n",
        STORY + "test_an_unavailable_model_costs_no_attempt_and_retry_repeats_the_review",
    ),
    PlantedFault(
        ROUNDS,
        "        if isinstance(chunks, TooMuch):\n"
        '            raise _Unusable(f"{chunks.sentence} Headgate does not review a part of a diff.")\n',
        "        if isinstance(chunks, TooMuch):\n            chunks = ()\n",
        UNIT + "TestChunks::test_a_line_longer_than_a_chunk_is_too_much",
    ),
    PlantedFault(
        ROUNDS,
        "if one.undoes == before.id or one.repeats(before)",
        "if one.undoes == before.id",
        UNIT + "TestAfterAFix::test_a_closed_finding_that_returns_is_contradictory",
    ),
    PlantedFault(
        ROUNDS,
        "            if one in red\n",
        "            if red or one\n",
        UNIT + "TestAfterAFix::test_a_returning_warning_is_not_contradictory",
    ),
    PlantedFault(
        CHECKS,
        "    if circles:\n",
        "    if circles and late:\n",
        STORY + "test_contradictory_reviews_are_left_to_a_person",
    ),
    PlantedFault(
        CHECKS,
        "    if not is_red and any(result is None for result in reviewed.values()):\n"
        "        return\n",
        "",
        STORY + "test_a_candidate_waits_while_the_model_reviews",
    ),
    PlantedFault(
        CHECKS,
        "    required += [one for gate in reviews if gate.required and (one := reviewed[gate.name])]\n",
        "    required += [one for gate in reviews if (one := reviewed[gate.name])]\n",
        STORY + "test_an_unavailable_model_does_not_block_with_a_warning_gate",
    ),
    PlantedFault(
        ASK,
        "    if decision.now >= until(gate, awaited):\n",
        "    if decision.now < awaited.since:\n",
        STORY + "test_a_model_that_never_answers_is_given_up_in_time",
    ),
    PlantedFault(
        ASK,
        "    return known.result if known is not None else None\n",
        "    return None\n",
        STORY + "test_a_passed_review_is_reused_for_the_same_diff_on_a_newer_main",
    ),
    PlantedFault(
        "core/spec/gate_entry.py",
        ' and (self.review is None or "required" in self.model_fields_set)',
        "",
        STORY + "test_a_review_warning_is_reported_and_the_change_lands",
    ),
    PlantedFault(
        "core/journal/evolve_candidate.py",
        "        sha=event.sha,\n",
        "        sha=event.sha,\n"
        "        awaited=next((c.awaited for c in state.candidates.values() if c.sha == event.sha), None),\n",
        STORY + "test_a_rebuilt_commit_waits_for_its_review_again",
    ),
    PlantedFault(
        "shell/observe_reviews.py",
        "[path for path in changed if path not in candidate.archive_paths]",
        "changed",
        "scenarios/test_reviews_by_a_model.py::"
        "test_a_review_finding_reaches_the_agent_and_the_fixed_work_lands",
    ),
    PlantedFault(
        ASK,
        "    if too_dear := _too_dear(decision, change, gate, step, found.models):\n",
        "    if too_dear := _too_dear(decision, change, gate, Asking(()), found.models):\n",
        STORY + "test_a_review_above_the_cost_limit_is_not_started",
    ),
    PlantedFault(
        "core/spec/awaited_gates.py",
        "dollars_max=entry.review.dollars_max,",
        "dollars_max=9.0,",
        STORY + "test_a_review_above_the_cost_limit_is_not_started",
    ),
    PlantedFault(
        COST,
        "    before = spent or 0.0\n",
        "    before = 0.0\n",
        "core/test_review_cost.py::test_spent_dollars_count_and_unpriced_models_do_not",
    ),
    PlantedFault(
        COST,
        "dollars=max(known, default=None)",
        "dollars=min(known, default=None)",
        "core/test_review_cost.py::test_the_most_expensive_priced_model_of_a_chain_counts",
    ),
    PlantedFault(
        COST,
        "tokens_of(material_of(q))",
        "tokens_of(q.text)",
        "core/test_review_cost.py::test_no_prompt_is_longer_than_its_estimate",
    ),
]
