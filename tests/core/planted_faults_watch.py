"""Faults in what people see of runs and say to them, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

TOLD = "core/test_stories_of_messages_to_agents.py::"
WATCHED = "scenarios/test_watching_runs.py::"
KEPT = "adapters_store/test_transcripts.py::"

WATCH_FAULTS = [
    PlantedFault(
        "core/state/told.py",
        "        if one.told_at > at\n",
        "",
        TOLD + "test_later_attempts_get_the_message_in_their_order_only",
    ),
    PlantedFault(
        "core/state/told.py",
        "in reversed(tuple(enumerate(change.told, start=1))):",
        "in tuple(enumerate(change.told, start=1)):",
        TOLD + "test_an_order_contains_the_newest_messages_if_there_are_too_many",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "and kind is not AgentKind.COMMAND",
        "",
        TOLD + "test_a_command_agent_reads_it_with_its_next_attempt",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "    if any(len(c.told) >= TOLD_MAX for c in open_to):",
        "    if False:",
        TOLD + "test_at_most_fifty_messages_reach_a_change",
    ),
    PlantedFault(
        "core/decide/changes/tell_agents.py",
        "if words and not is_told:",
        "if words:",
        TOLD + "test_a_running_agent_gets_a_tell_command",
    ),
    PlantedFault(
        "core/talk/commands.py",
        "_GOES_ON_BELOW = {Verb.ANSWER, Verb.TELL}",
        "_GOES_ON_BELOW = {Verb.ANSWER}",
        TOLD + "test_messages_to_an_agent_keep_their_order",
    ),
    PlantedFault(
        "core/decide/changes/agent_order.py",
        "        told=told_words(change),\n",
        "",
        TOLD + "test_later_attempts_get_the_message_in_their_order_only",
    ),
    PlantedFault(
        "core/talk/activity_text.py",
        "fenced(cut + said[-_TAIL_CHARACTERS_MAX:])",
        '"```\\n" + cut + said[-_TAIL_CHARACTERS_MAX:] + "\\n```"',
        TOLD + "test_a_transcript_is_collapsed_and_shows_its_end",
    ),
    PlantedFault(
        "adapters/store/transcripts.py",
        "                row.on_conflict_do_update(\n"
        '                    index_elements=["repository_id", "order_id", "first"], set_=values\n'
        "                )",
        "                row.on_conflict_do_nothing()",
        KEPT + "test_a_repeated_batch_is_kept_once",
    ),
    PlantedFault(
        "adapters/store/transcripts.py",
        "if characters > _CHARACTERS_MAX or ",
        "if ",
        KEPT + "test_a_long_run_keeps_its_end",
    ),
    PlantedFault(
        "adapters/store/transcripts.py",
        "transcripts.delete().where(transcripts.c.at < as_text(now - _KEPT))",
        "transcripts.delete().where(sa.false())",
        KEPT + "test_old_transcripts_are_deleted",
    ),
    PlantedFault(
        "shell/show_runs.py",
        "    except Limited:\n        raise\n",
        "",
        WATCHED + "test_showing_a_run_respects_limits_and_waits_for_budget",
    ),
    PlantedFault(
        "shell/show_runs.py",
        "if ports.budget.spend(budget_of(facts), WRITE, Priority.PROGRESS, now) is not None:",
        "if False:",
        WATCHED + "test_showing_a_run_respects_limits_and_waits_for_budget",
    ),
    PlantedFault(
        "shell/show_runs.py",
        "{STATUS: status_text(state, change), DOING: text}",
        "{DOING: text}",
        WATCHED + "test_a_run_can_be_watched_and_messaged_and_its_end_is_in_the_issue",
    ),
    PlantedFault(
        "agents/command.py",
        'transcript.add("task", told.text)',
        'transcript.add("task", told.whole)',
        "action/test_adapters.py"
        "::test_a_transcript_begins_with_the_task_and_omits_the_system_prompt",
    ),
    PlantedFault(
        "harness/fingerprint.py",
        "if self._is_work(one[0])",
        "if one",
        "action/test_fingerprint.py::test_files_left_by_tools_are_not_changes",
    ),
    PlantedFault(
        "core/talk/attempts.py",
        'else f"{part}."',
        "else part",
        "core/test_stories_of_blame.py"
        "::TestInherited::test_an_inherited_failure_is_shown_separately_with_its_origin",
    ),
    PlantedFault(
        "shell/reconcile.py",
        "        _pause_after(ports, facts, limited)\n"
        "        return Reconciled.WORLD_AWAY\n"
        "    buffer.rest(",
        "        return Reconciled.WORLD_AWAY\n    buffer.rest(",
        WATCHED + "test_showing_a_run_respects_limits_and_waits_for_budget",
    ),
]
