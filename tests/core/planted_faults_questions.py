"""A fault for every guard of an agent that asks people, and the story that dies of it."""

from tests.testkit.planting import PlantedFault

CLARIFY = "core/decide/changes/wait_for_answers.py"
STORIES = "core/test_stories_of_questions.py::"
FORM = "core/test_question_text.py::"

QUESTION_FAULTS = [
    # Whoever may not write answers nothing.
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if not role.covers(needed):\n",
        "    if not role.covers(needed) and command.verb is not Verb.ANSWER:\n",
        STORIES + "test_an_answer_without_write_permission_is_refused",
    ),
    # One grammar: inside of a line an answer begins where its number was asked.
    PlantedFault(
        "core/decide/people/answer_question.py",
        "read_answers(command.argument, frozenset(asked))",
        "read_answers(command.argument, frozenset())",
        STORIES + "test_answers_in_one_line_are_split_at_the_asked_numbers",
    ),
    # At most twice: what the next run is told, and what is taken of a runner that asks anyway.
    PlantedFault(
        CLARIFY,
        "        return AskingRule.USED_UP\n",
        "        return AskingRule.ALLOWED\n",
        STORIES + "test_an_agent_may_ask_only_twice",
    ),
    PlantedFault(
        CLARIFY,
        'times, which is not allowed."\n    return ""\n',
        'times, which is not allowed."[:0]\n    return ""\n',
        STORIES + "test_an_agent_may_ask_only_twice",
    ),
    # No slot and no lease is held while people think.
    PlantedFault(
        "core/values/lifecycle.py",
        "WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING})",
        "WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING, ChangeState.ASKING})",
        STORIES + "test_an_open_question_occupies_no_runner_and_no_slot",
    ),
    PlantedFault(
        "core/journal/evolve_orders.py",
        "    on(ev.AgentAsked, _of_order(_ended)),\n",
        "",
        STORIES + "test_an_open_question_occupies_no_runner_and_no_slot",
    ),
    # The waiting has an end, at which somebody wakes.
    PlantedFault(
        "core/decide/decide.py",
        "    times += wait_for_answers.deadlines(state, policy)\n",
        "",
        STORIES + "test_after_the_deadline_the_agent_continues_with_its_assumptions",
    ),
    PlantedFault(
        CLARIFY,
        "WaitingEnd.TIME_IS_UP if decision.now >= answers_by(decision.policy, asked) else None",
        "None",
        STORIES + "test_after_the_deadline_the_agent_continues_with_its_assumptions",
    ),
    # Half of the work is kept and never judged.
    PlantedFault(
        "core/journal/evolve_work.py",
        "        head_is_fresh=is_whole,\n",
        "        head_is_fresh=True,\n",
        STORIES + "test_partial_work_is_kept_and_not_judged",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "_on(ev.HeadImported, _KEPT, another_order, no_partial_work)",
        "_on(ev.HeadImported, _KEPT, another_order)",
        STORIES + "test_complete_work_after_a_stop_is_not_partial_work",
    ),
    # What a question costs.
    PlantedFault(
        "core/journal/change_state.py",
        "self.attempt - self.budget_start - asked - self",
        "self.attempt - self.budget_start - self",
        STORIES + "test_a_question_uses_up_no_attempt",
    ),
    PlantedFault(
        CLARIFY,
        "max(1, limits.tokens_max - spent)",
        "max(1, limits.tokens_max)",
        STORIES + "test_usage_before_the_question_counts",
    ),
    # A runner's words.
    PlantedFault(
        "core/values/clarification.py",
        "    kept = tuple(asked)[:QUESTIONS_AT_ONCE_MAX]\n",
        "    kept = tuple(asked)\n",
        STORIES + "test_a_runners_words_are_escaped",
    ),
    PlantedFault(
        "core/values/clarification.py",
        "return visible(text[: 4 * characters_max]).strip()[:characters_max]",
        "return visible(text).strip()",
        STORIES + "test_a_runners_words_are_escaped",
    ),
    PlantedFault(
        "core/talk/text.py",
        '    return _ACTIVE.sub(lambda m: f"{m[0]}{_GAP}", cell(text, characters_max))\n',
        "    return cell(text, characters_max)\n",
        STORIES + "test_a_runners_words_are_escaped",
    ),
    # Answers belong to the words that they were given about.
    PlantedFault(
        "core/journal/evolve_change.py",
        "return len(change.clarifications) if event.is_new_text else change.clarified_before",
        "return change.clarified_before",
        STORIES + "test_after_an_edit_of_the_spec_old_answers_are_dropped",
    ),
    PlantedFault(
        "core/decide/people/retry_and_stop.py",
        "    if asked.change is not None or asked.argument:\n",
        "    if named:\n",
        STORIES + "test_a_retry_of_the_spec_run_does_not_affect_questions",
    ),
    # One form for all askers.
    PlantedFault(
        "core/talk/question_text.py",
        "  - {without or 'Not answered yet.'}",
        "  - {without}",
        FORM + "test_an_open_question_lists_answers_and_the_result_of_no_answer",
    ),
    PlantedFault(
        "core/talk/spec_digest.py",
        "        decision_on(context.decisions, question),\n        where",
        "        None,\n        where",
        FORM + "test_a_question_about_a_spec_has_the_form_of_all_others",
    ),
    PlantedFault(
        "core/talk/spec_digest.py",
        "        where=_link(context, question.path, question.line, question.line),\n",
        "",
        FORM + "test_a_question_about_a_spec_has_the_form_of_all_others",
    ),
    PlantedFault(
        "core/talk/spec_digest.py",
        "    if is_holding:\n        said.append(",
        "    elif is_holding:\n        said.append(",
        FORM + "test_a_question_whose_answer_expired_still_says_that_the_plan_waits",
    ),
    PlantedFault(
        "core/talk/replies.py",
        "        lines += question_lines(question, None)\n",
        "        lines.append(question.sentence)\n",
        FORM + "test_a_reply_about_a_question_has_the_same_form",
    ),
    PlantedFault(
        "core/talk/question_text.py",
        'f"- **{question.number}.** {place}',
        'f"- [ ] **{question.number}.** {place}',
        FORM + "test_questions_have_no_checkboxes",
    ),
]
