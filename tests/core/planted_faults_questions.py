"""A fault for every guard of an agent that asks people, and the story that dies of it."""

from tests.testkit.planting import PlantedFault

CLARIFY = "core/decide/changes/wait_for_answers.py"
STORIES = "core/test_stories_of_questions.py::"

QUESTION_FAULTS = [
    # Whoever may not write answers nothing.
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if not role.covers(needed):\n",
        "    if not role.covers(needed) and command.verb is not Verb.ANSWER:\n",
        STORIES + "test_whoever_may_not_write_answers_nothing",
    ),
    # One grammar: inside of a line an answer begins where its number was asked.
    PlantedFault(
        "core/decide/people/answer_spec.py",
        "read_answers(command.argument, frozenset(asked))",
        "read_answers(command.argument, frozenset())",
        STORIES + "test_answers_in_one_line_begin_at_the_numbers_that_were_asked",
    ),
    # At most twice: what the next run is told, and what is taken of a runner that asks anyway.
    PlantedFault(
        CLARIFY,
        "        return AskingRule.USED_UP\n",
        "        return AskingRule.ALLOWED\n",
        STORIES + "test_an_agent_asks_twice_and_must_decide_by_itself_after_that",
    ),
    PlantedFault(
        CLARIFY,
        '            "it must decide by itself."\n        )\n    return ""\n',
        '            "it must decide by itself."\n        )[:0]\n    return ""\n',
        STORIES + "test_an_agent_asks_twice_and_must_decide_by_itself_after_that",
    ),
    # No slot and no lease is held while people think.
    PlantedFault(
        "core/values/lifecycle.py",
        "WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING})",
        "WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING, ChangeState.ASKING})",
        STORIES + "test_while_people_think_no_runner_and_no_slot_is_held",
    ),
    PlantedFault(
        "core/journal/evolve_orders.py",
        "    on(ev.AgentAsked, _of_order(_ended)),\n",
        "",
        STORIES + "test_while_people_think_no_runner_and_no_slot_is_held",
    ),
    # The waiting has an end, at which somebody wakes.
    PlantedFault(
        "core/decide/decide.py",
        "    times += wait_for_answers.deadlines(state, policy)\n",
        "",
        STORIES + "test_when_the_time_is_up_the_agent_goes_on_as_it_said_and_the_report_says_so",
    ),
    PlantedFault(
        CLARIFY,
        "WaitingEnd.TIME_IS_UP if decision.now >= answers_by(decision.policy, asked) else None",
        "None",
        STORIES + "test_when_the_time_is_up_the_agent_goes_on_as_it_said_and_the_report_says_so",
    ),
    # Half of the work is kept and never judged.
    PlantedFault(
        "core/journal/evolve_work.py",
        "bundle=None, head_is_fresh=False",
        "bundle=None",
        STORIES + "test_half_of_the_work_is_kept_and_never_judged",
    ),
    PlantedFault(
        "core/journal/transitions.py",
        "_on(ev.HeadImported, _KEPT, another_order, no_partial_work)",
        "_on(ev.HeadImported, _KEPT, another_order)",
        STORIES + "test_whole_work_that_a_stop_overtook_is_not_taken_for_half_of_it",
    ),
    # What a question costs.
    PlantedFault(
        "core/journal/change_state.py",
        "return self.attempt - self.budget_start - asked",
        "return self.attempt - self.budget_start",
        STORIES + "test_a_question_uses_up_no_attempt",
    ),
    PlantedFault(
        CLARIFY,
        "max(1, agent.limits.tokens_max - spent)",
        "max(1, agent.limits.tokens_max)",
        STORIES + "test_what_was_spent_before_the_question_counts",
    ),
    # A runner's words.
    PlantedFault(
        "core/values/clarification.py",
        "    kept = tuple(asked)[:QUESTIONS_AT_ONCE_MAX]\n",
        "    kept = tuple(asked)\n",
        STORIES + "test_the_words_of_a_runner_do_nothing_but_stand_there",
    ),
    PlantedFault(
        "core/values/clarification.py",
        "return visible(text[: 4 * characters_max]).strip()[:characters_max]",
        "return visible(text).strip()",
        STORIES + "test_the_words_of_a_runner_do_nothing_but_stand_there",
    ),
    PlantedFault(
        "core/talk/text.py",
        '    return _WORKING.sub(lambda m: f"{m[0]}{_GAP}", cell(text, characters_max))\n',
        "    return cell(text, characters_max)\n",
        STORIES + "test_the_words_of_a_runner_do_nothing_but_stand_there",
    ),
    # Answers belong to the words that they were given about.
    PlantedFault(
        "core/journal/evolve_change.py",
        "return len(change.clarifications) if event.is_new_text else change.clarified_before",
        "return change.clarified_before",
        STORIES + "test_after_new_words_of_the_spec_old_answers_are_told_no_more",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "if c.state is ChangeState.ASKING and is_one]",
        "if c.state is ChangeState.ASKING]",
        STORIES + "test_a_retry_of_the_whole_spec_run_leaves_questions_alone",
    ),
]
