"""A fault for every guard of what models say to people, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

DIGEST = "core/prompts/advice/test_digest.py::"
NOTICING = "core/test_stories_of_model_advice.py::"
SUMMARY = "core/prompts/advice/test_summary.py::"
SUMMING = "core/test_stories_of_summaries.py::"

ADVICE_FAULTS = [
    PlantedFault(
        "core/prompts/digest_prompt.py",
        ' or wanted not in _folded("\\n".join(lines)):',
        ":",
        DIGEST + "test_a_quotation_that_is_not_in_the_requirement_is_dropped",
    ),
    PlantedFault(
        "core/prompts/digest_prompt.py",
        "is_kept = is_kept and other is not None and other != requirement",
        "is_kept = is_kept and other is not None",
        DIGEST + "test_a_contradiction_names_another_requirement_of_the_spec",
    ),
    PlantedFault(
        "core/prompts/digest_prompt.py",
        " and requirement.text_hash in noticed\n",
        "\n",
        DIGEST + "test_advice_about_other_requirements_is_dropped",
    ),
    PlantedFault(
        "core/talk/spec_digest.py",
        "blocks = [f for d in digests for f in d.blocks]\n    is_draft",
        "blocks = [f for d in digests for f in (*d.blocks, *d.noticed)]\n    is_draft",
        NOTICING + "test_advice_never_blocks",
    ),
    PlantedFault(
        "core/decide/specs/model_observations.py",
        "        and r.text_hash not in being_read\n",
        "",
        NOTICING + "test_a_text_being_read_is_not_requested_again_with_new_texts",
    ),
    PlantedFault(
        "core/decide/specs/model_observations.py",
        "    if advice is not None and id_ in advice.failures:\n        return\n",
        "",
        NOTICING + "test_a_failed_prompt_is_not_repeated_and_does_not_block",
    ),
    PlantedFault(
        "core/decide/specs/check_spec_pull.py",
        "text=added_to(text, digests) if is_edit else text,",
        "text=text,",
        NOTICING + "test_the_rules_check_is_published_at_once_and_advice_is_one_edit",
    ),
    PlantedFault(
        "core/decide/specs/check_spec_pull.py",
        "    if any(seen.is_waiting for seen in noticed.values()):\n        return by_rules\n",
        "",
        NOTICING + "test_advice_is_published_when_all_texts_are_read",
    ),
    PlantedFault(
        "core/prompts/summary_prompt.py",
        "    if invented:\n",
        "    if not answer.paragraph:\n",
        SUMMARY + "test_an_invented_number_rejects_the_whole_summary",
    ),
    PlantedFault(
        "core/prompts/summary_prompt.py",
        'return "\\n".join((facts.title, *figures,',
        'return "\\n".join((*(c.why for c in facts.changes), facts.title, *figures,',
        SUMMARY + "test_a_number_in_a_reason_is_not_a_fact",
    ),
    PlantedFault(
        "core/decide/people/summarise_report.py",
        "    if reason:\n",
        "    if reason and not answer.paragraph:\n",
        SUMMING + "test_an_invented_number_rejects_the_summary",
    ),
    PlantedFault(
        "core/decide/people/summarise_report.py",
        'if f"comment:{about.subject}" not in decision.state.published:',
        "if not about.subject:",
        SUMMING + "test_a_summary_waits_for_its_report",
    ),
    PlantedFault(
        "core/decide/people/summarise_report.py",
        "    if about.place in decision.state.model_advice:\n        return\n",
        "",
        SUMMING + "test_a_failed_summary_prompt_is_not_repeated",
    ),
]
