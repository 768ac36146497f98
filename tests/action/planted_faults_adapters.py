"""Faults in how agents' programs are found, started, read and asked again."""

from tests.testkit.planting import PlantedFault

ADAPTERS = "test_adapters.py::"
COMMAND = "agents/command.py"
ROUNDS = "agents/rounds.py"
CLIENT = "agents/adapters/acp_client.py"

ADAPTER_FAULTS = [
    PlantedFault(
        "harness/programs.py",
        "            if not home.is_relative_to(shown):\n",
        "            if True:\n",
        ADAPTERS + "test_a_program_that_would_expose_the_whole_home_folder_is_not_used",
    ),
    PlantedFault(
        "harness/programs.py",
        "            path = place.resolve()\n",
        "            path = place\n",
        ADAPTERS + "test_a_program_is_found_where_its_installers_put_it",
    ),
    PlantedFault(
        "agents/adapters/claude_code.py",
        '            case "text" if not is_helpers:\n',
        '            case "text":\n',
        ADAPTERS + "test_a_line_becomes_events",
    ),
    PlantedFault(
        "agents/adapters/claude_code.py",
        '"--strict-mcp-config", ',
        "",
        ADAPTERS + "test_claude_code_reads_only_its_own_settings_and_servers",
    ),
    PlantedFault(
        "agents/adapters/codex.py",
        '"--ignore-user-config", ',
        "",
        ADAPTERS + "test_codex_uses_the_proxy_and_ignores_configuration_in_the_tree",
    ),
    PlantedFault(
        "agents/adapters/opencode.py",
        '    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",\n',
        '    "OPENCODE_DISABLE_PROJECT_CONFIG": "",\n',
        ADAPTERS + "test_opencode_asks_each_model_at_its_own_provider",
    ),
    PlantedFault(
        "agents/adapters/protocol.py",
        "        except (ValueError, RecursionError):\n",
        "        except ValueError:\n",
        ADAPTERS + "test_malformed_output_lines_are_ignored",
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "declines or DECLINES.search(new) is not None",
        "False",
        "test_declining_models.py::test_a_program_whose_model_declines_has_given_up",
    ),
    PlantedFault(
        COMMAND,
        "        if quiet.has_ended_it and listener.is_done:\n",
        "        if False:\n",
        ADAPTERS + "test_a_program_that_hangs_after_its_work_counts_as_finished",
    ),
    PlantedFault(
        COMMAND,
        "    if ended.is_success and (listener.is_done or not listener.failure):\n",
        "    if ended.is_success:\n",
        ADAPTERS + "test_a_program_that_was_refused_during_its_work_has_not_finished",
    ),
    PlantedFault(
        COMMAND,
        '                    self.said = ""\n',
        "                    pass\n",
        ADAPTERS + "test_a_program_that_was_refused_during_its_work_has_not_finished",
    ),
    PlantedFault(
        COMMAND,
        "max(0, LINE_BYTES_MAX - len(self._line))",
        "LINE_BYTES_MAX * 9",
        ADAPTERS + "test_a_line_is_read_completely_in_any_chunks_and_a_long_one_is_cut",
    ),
    PlantedFault(
        COMMAND,
        'self.rounds.red() if is_finished else ""',
        "self.rounds.red()",
        ADAPTERS + "test_an_agent_that_gave_up_is_not_prompted_again",
    ),
    PlantedFault(
        ROUNDS,
        "self._used >= ROUNDS_MAX or ",
        "self._used > ROUNDS_MAX or ",
        ADAPTERS + "test_a_red_quick_gate_restarts_the_agent_at_most_three_times",
    ),
    PlantedFault(
        ROUNDS,
        'return "" if only_red else ',
        "return ",
        ADAPTERS + "test_a_red_quick_gate_sends_its_output_back_to_the_agent",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "[gate for gate in order.gates if gate.name in order.quick_gates]",
        "[gate for gate in order.gates]",
        "test_quick_gates.py::test_a_red_quick_gate_answers_done_and_the_fix_is_handed_in",
    ),
    PlantedFault(
        "agents/builtin.py",
        "            return self._unless_red(outcome)\n",
        "            return outcome\n",
        "test_quick_gates.py::test_a_red_quick_gate_answers_done_and_the_fix_is_handed_in",
    ),
    PlantedFault(
        CLIENT,
        'ALLOWING = ("allow_always", "allow_once")\n',
        'ALLOWING = ("reject_once",)\n',
        ADAPTERS + "test_an_acp_agent_resumes_its_session_if_it_can",
    ),
    PlantedFault(
        CLIENT,
        "        peer.is_heard = False\n",
        "",
        ADAPTERS + "test_an_acp_agent_resumes_its_session_if_it_can",
    ),
    PlantedFault(
        "agents/thinking.py",
        " or answer_tokens < ROOM_TOKENS_MIN",
        "",
        "test_thinking.py::test_without_room_for_tokens_no_thinking_is_requested",
    ),
    PlantedFault(
        "agents/builtin.py",
        "            self._may_think = False\n",
        "            pass\n",
        "test_thinking.py::test_a_server_without_thinking_gets_requests_without_it",
    ),
]
