"""A fault for every guard that keeps long journals and quiet repositories cheap."""

from tests.testkit.planting import PlantedFault

SNAPSHOTS = "adapters_store/test_snapshots.py::"
LONG = SNAPSHOTS + "TestALongJournalWithoutASnapshot::"
RHYTHM = "adapters_store/test_sweep_rhythm.py::"
JOURNAL = "adapters_store/test_journal.py::TestHintsAndWakeUps::"

RETIRED = "core/test_stories_of_retirement.py::"

GROWTH_FAULTS = [
    PlantedFault(
        "core/decide/specs/retire_spec_runs.py",
        "        if left < ENDED_CHANGES_KEPT or retired == _AT_ONCE:\n",
        "        if retired == _AT_ONCE:\n",
        RETIRED + "TestTheState::test_the_record_of_a_run_keeps_the_result_of_each_change",
    ),
    PlantedFault(
        "core/decide/specs/retire_spec_runs.py",
        "(is_old or not has_failed)",
        "True",
        RETIRED + "TestTheState::test_a_run_with_a_failed_change_stays_for_a_month",
    ),
    PlantedFault(
        "core/journal/evolve_retired.py",
        "in state.published.items() if not is_past(key)",
        "in state.published.items()",
        RETIRED + "TestTheState::test_the_state_does_not_grow_with_ended_runs",
    ),
    PlantedFault(
        "core/journal/retired_runs.py",
        'lines=f"{self.lines}{_version(run)} ',
        "lines=f\"{self.lines}{_version(run)} {' ' * 60} ",
        RETIRED + "TestTheState::test_a_thousand_retired_runs_take_little_memory",
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "while run_id in decision.state.spec_runs or run_id in decision.state.retired:",
        "while run_id in decision.state.spec_runs:",
        RETIRED + "TestLateCommands::test_an_old_text_that_comes_back_gets_an_id_of_its_own",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "return comment.author_is_person and not known and not is_old",
        "return comment.author_is_person and not known",
        RETIRED
        + "TestLateCommands::test_an_answered_command_is_not_carried_out_again_after_its_run_left",
    ),
    PlantedFault(
        "core/journal/evolve_main.py",
        "min(state.ledger_lines - LINES_KEPT, state.ledger_published)",
        "state.ledger_lines - LINES_KEPT",
        RETIRED + "TestTheLedger::test_lines_that_are_not_published_stay",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        "        weight = max(SNAPSHOT_BYTES_MIN, self.size)\n",
        "        weight = 1\n",
        SNAPSHOTS + "test_snapshots_write_no_more_bytes_than_events",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        "contextlib.suppress(sa.exc.SQLAlchemyError)",
        "contextlib.nullcontext()",
        SNAPSHOTS + "test_a_failed_snapshot_loses_no_event",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        "        return self.since * _SHARE_WHEN_OLD >= weight\n",
        "        return self.since >= weight\n",
        SNAPSHOTS + "test_an_old_snapshot_is_renewed_after_fewer_events",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "        while not self._snapshots.claim(repository, datetime.now(UTC)):\n",
        "        while False:\n",
        LONG + "test_loading_waits_for_a_process_that_folds_the_same_journal",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "            self._snapshots.claim_again(repository, None)\n",
        "            pass\n",
        LONG + "test_writing_a_snapshot_releases_the_claim",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "            self._folded.popitem(last=False)\n",
        "            pass\n",
        SNAPSHOTS + "test_unused_states_are_dropped_from_memory",
    ),
    PlantedFault(
        "adapters/store/engine.py",
        "            note_repositories(connection)\n",
        "            pass\n",
        JOURNAL + "test_a_repository_is_known_from_its_first_event_on",
    ),
    PlantedFault(
        "adapters/store/schedule.py",
        '        with reading(self._engine) as connection:\n            asked = {"whom"',
        '        with self._engine.connect() as connection:\n            asked = {"whom"',
        "adapters_store/test_pauses.py::test_pauses_are_read_while_another_process_writes",
    ),
    PlantedFault(
        "adapters/store/schedule.py",
        "    return hint.kind is not HintKind.EVERYTHING\n",
        "    return True\n",
        RHYTHM + "test_looks_at_a_quiet_repository_become_rarer",
    ),
    PlantedFault(
        "adapters/store/schedule.py",
        "    return hint.kind is not HintKind.EVERYTHING\n",
        "    return False\n",
        RHYTHM + "test_a_hint_restores_the_short_interval_even_if_a_worker_was_faster",
    ),
    PlantedFault(
        "shell/sweep.py",
        "return pace.full if is_under_way(state) else",
        "return",
        RHYTHM + "test_a_busy_repository_is_looked_at_often",
    ),
    PlantedFault(
        "shell/sweep.py",
        "now + place * _APART",
        "now",
        RHYTHM + "test_a_restarted_sweep_spreads_its_looks_at_many_repositories",
    ),
    PlantedFault(
        "shell/ledger_file.py",
        "    while len(held) > LINES_A_PART:\n",
        "    while False:\n",
        "entry/test_ledger_file.py::test_a_push_writes_the_same_amount_for_a_ledger_of_any_length",
    ),
    PlantedFault(
        "shell/ledger_file.py",
        "    number = first - len(held)\n",
        "    number = first\n",
        "entry/test_ledger_file.py::test_an_old_ledger_in_one_file_is_split_once",
    ),
]
