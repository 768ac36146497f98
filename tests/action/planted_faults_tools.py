"""Faults in the built-in agent's tools and conversation, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

TOOLS = "test_tools.py::"
TEXTS = "test_order_texts.py::"
CONVENTIONS = "test_conventions.py::"
ODD = "test_unusual_model_answers.py::"
LONG = "test_long_runs.py::"

TOOL_FAULTS = [
    PlantedFault(
        "agents/builtin.py",
        "                if answer.stop_reason is None:\n",
        "                if False:\n",
        ODD + "test_a_tool_call_in_a_truncated_answer_is_not_run",
    ),
    PlantedFault(
        "agents/conversation.py",
        "            return bool(block.text.strip())\n",
        "            return True\n",
        ODD + "test_content_that_the_api_would_reject_is_not_sent_back",
    ),
    PlantedFault(
        "agents/conversation.py",
        "            return bool(block.signature)\n",
        "            return True\n",
        ODD + "test_content_that_the_api_would_reject_is_not_sent_back",
    ),
    PlantedFault(
        "agents/shown_output.py",
        "first, last = beginning(head, _room(head)), end(tail",
        'first, last = "", end(tail',
        TOOLS + "test_long_output_is_shown_with_its_beginning_and_its_end",
    ),
    PlantedFault(
        "agents/shown_output.py",
        "    if _is_binary(whole):\n",
        "    if False:\n",
        TOOLS + "test_binary_output_is_not_shown",
    ),
    PlantedFault(
        "agents/tools.py",
        "min(float(asked.timeout_seconds), seconds_left)",
        "seconds_left",
        TOOLS + "test_a_command_gets_the_requested_time_limit",
    ),
    PlantedFault(
        "agents/tools.py",
        'ConfigDict(frozen=True, extra="forbid")',
        "ConfigDict(frozen=True)",
        TOOLS + "test_an_invalid_tool_input_is_answered_with_the_valid_keys",
    ),
    PlantedFault(
        "agents/tools.py",
        "        if program is not None:\n",
        "        if False:\n",
        TOOLS + "test_a_command_that_needs_a_terminal_is_refused_at_once",
    ),
    PlantedFault(
        "agents/shell_line.py",
        'builtin trap "__headgate_keep; $action" EXIT; fi',
        'builtin trap "$action" EXIT; fi',
        TOOLS + "test_folder_and_variables_survive_a_users_trap",
    ),
    PlantedFault(
        "agents/shell_line.py",
        " EDITOR=false VISUAL=false GIT_EDITOR=false",
        " EDITOR=cat VISUAL=cat GIT_EDITOR=cat",
        TOOLS + "test_no_command_waits_for_an_editor_or_a_pager",
    ),
    PlantedFault(
        "agents/shell_line.py",
        "if _WITHOUT.isdisjoint(",
        "if True or _WITHOUT.isdisjoint(",
        TOOLS + "test_a_command_that_ends_by_itself_is_run",
    ),
    PlantedFault(
        "agents/edit_program.py",
        '    if "\\r\\n" in text and "\\r" not in old:\n',
        "    if False:\n",
        TOOLS + "test_viewed_text_can_be_replaced_in_a_file_with_carriage_returns",
    ),
    PlantedFault(
        "agents/edit_program.py",
        'for line in text.split("\\n")]',
        "for line in text.splitlines()]",
        TOOLS + "test_lines_are_counted_as_grep_counts_them",
    ),
    PlantedFault(
        "agents/edit_program.py",
        "            + places(text, old)\n",
        "",
        TOOLS + "test_an_ambiguous_text_is_answered_with_its_lines",
    ),
    PlantedFault(
        "agents/conversation.py",
        """cast("ContentBlockParam", _plain(block)) for""",
        """cast("ContentBlockParam", block) for""",
        LONG + "test_messages_of_the_model_are_kept_as_plain_values",
    ),
    PlantedFault(
        "agents/conversation.py",
        "                self.clear_results()\n",
        "",
        LONG + "test_two_hundred_turns_stay_far_below_the_window",
    ),
    PlantedFault(
        "agents/conversation.py",
        "results[: max(0, len(results) - RESULTS_KEPT)]",
        "results",
        LONG + "test_the_newest_results_are_never_cleared",
    ),
    PlantedFault(
        "agents/conversation.py",
        "return self._tokens > COMPACT_ABOVE * WINDOW_TOKENS",
        "return False",
        LONG + "test_a_full_conversation_is_restarted_from_the_models_notes",
    ),
    PlantedFault(
        "agents/builtin.py",
        "        if isinstance(answer, TooLong):\n            self._go_on_anew(None)\n            answer",
        "        if isinstance(answer, TooLong):\n            answer",
        LONG + "test_a_prompt_that_is_too_long_restarts_the_conversation",
    ),
    PlantedFault(
        "agents/builtin.py",
        'if answer.stop_reason == "pause_turn":',
        "if False:",
        LONG + "test_a_paused_answer_is_sent_back_as_it_is",
    ),
    PlantedFault(
        "agents/builtin.py",
        'if answer.stop_reason == "refusal" or not calls:',
        "if not calls:",
        LONG + "test_a_model_that_declines_ends_the_run_even_with_a_tool_call",
    ),
    PlantedFault(
        "agents/limit_notices.py",
        "        self._told |= near.keys()\n",
        "",
        LONG + "test_the_agent_is_warned_once_at_four_fifths_of_a_limit",
    ),
    PlantedFault(
        "agents/limit_notices.py",
        "NOTICE_ABOVE = 0.8",
        "NOTICE_ABOVE = 0.95",
        LONG + "test_the_agent_is_warned_once_at_four_fifths_of_a_limit",
    ),
    PlantedFault(
        "agents/prompt.py",
        "        if len(task) <= TASK_CHARACTERS_MAX:\n",
        "        if task:\n",
        TEXTS + "test_an_order_that_is_too_long_drops_its_least_important_parts_first",
    ),
    PlantedFault(
        "agents/prompt.py",
        "|requirement|decided|conventions)",
        "|requirement|decided)",
        TEXTS + "test_a_quoted_text_cannot_close_its_own_frame",
    ),
    PlantedFault(
        "harness/conventions.py",
        "git.regular_files(base_sha, (*PATHS, *rules))",
        "(*PATHS, *rules)",
        CONVENTIONS + "test_conventions_are_read_from_main",
    ),
    PlantedFault(
        "harness/conventions.py",
        "(*PATHS, *rules)):",
        "PATHS):",
        CONVENTIONS + "test_the_prompt_includes_conventions_of_main_not_of_the_branch",
    ),
    PlantedFault(
        "harness/conventions.py",
        'git.text_of(f"{base_sha}:{path}")',
        'git.text_of(f"HEAD:{path}")',
        CONVENTIONS + "test_conventions_are_read_from_main",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "conventions(context.git, order.base_sha)",
        "conventions(context.git, order.start_sha)",
        CONVENTIONS + "test_the_prompt_includes_conventions_of_main_not_of_the_branch",
    ),
    PlantedFault(
        "sandbox/view.py",
        '    "chromium.d",\n',
        "",
        "action/test_services.py::test_a_database_a_web_server_and_a_browser_start_for_one_gate",
    ),
]
