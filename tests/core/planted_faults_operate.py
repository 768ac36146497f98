"""A fault for each guard of a store that fails, and of a journal that lost its end."""

from tests.testkit.planting import PlantedFault

LOST = "adapters_store/test_rewound_journal.py::"
BLOBS = "adapters_store/test_blobs_in_sql.py::"
BEFORE = "entry/test_start_checks.py::"
REWOUND = "core/test_stories_of_rewound_journals.py::"

OPERATE_FAULTS = [
    PlantedFault(
        "adapters/store/journal.py",
        "        if lease.repository in self._rewound:\n",
        "        if not lease:\n",
        LOST + "TestLostEvents::test_no_event_is_appended_after_lost_events",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "        self._rewound.discard(repository)\n",
        "",
        LOST + "TestLostEvents::test_the_next_lease_continues_from_the_remaining_events",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "            self.put_hints(repository, (Hint(kind=HintKind.REWOUND, since=since),))\n",
        "            return\n",
        LOST + "TestLostEvents::test_loading_a_rewound_journal_leaves_a_hint",
    ),
    PlantedFault(
        "adapters/store/journal_rows.py",
        ' or tip not in {"", there}:\n',
        ":\n",
        LOST + "TestLostEvents::test_new_events_with_the_numbers_of_lost_ones_are_recognised",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "        self._snapshots.forget(repository)\n",
        "",
        LOST + "TestLostEvents::test_a_snapshot_of_lost_events_is_discarded",
    ),
    PlantedFault(
        "adapters/store/schedule.py",
        "    except ValidationError:\n",
        "    except KeyError:\n",
        LOST + "test_a_hint_of_a_newer_release_triggers_a_full_look",
    ),
    PlantedFault(
        "shell/journal_buffer.py",
        "        if self._is_doubtful:\n",
        "        if not self.lease:\n",
        LOST + "test_events_that_may_be_stored_already_are_not_appended_again",
    ),
    PlantedFault(
        "core/decide/main/note_rewound.py",
        "    if known_until is not None:\n",
        "    if known_until is None:\n",
        REWOUND + "test_a_rewound_journal_is_recorded_and_triggers_a_full_look",
    ),
    PlantedFault(
        "core/journal/evolve_access.py",
        "        known_until = min(known_until, state.rewound.known_until)\n",
        "        known_until = event.known_until\n",
        REWOUND + "test_a_second_journal_loss_keeps_the_earlier_known_time",
    ),
    PlantedFault(
        "core/journal/evolve_access.py",
        "        orders_placed=state.orders_placed + _ORDERS_SKIPPED,\n",
        "",
        REWOUND + "test_numbers_of_lost_orders_are_not_given_again",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "                _handle_lost_landing(decision, commit)\n",
        "                pass\n",
        REWOUND + "test_a_change_that_landed_after_the_backup_is_not_repeated",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "    return is_rewound and state.facts is not None and commit.author == state.facts.bot_login\n",
        "    return True\n",
        REWOUND + "test_a_commit_that_only_names_a_change_is_not_a_landing",
    ),
    PlantedFault(
        "adapters/github/api.py",
        '    if isinstance(answer, dict) and isinstance(answer.get("data"), str):\n',
        "    if answer is True:\n",
        "adapters/test_github_corrupt_answers.py::test_an_edit_with_a_spoilt_unused_response_fails",
    ),
    PlantedFault(
        "core/values/hint.py",
        "        return self.press is None and self.since is None\n",
        "        return True\n",
        REWOUND + "test_only_hints_that_a_look_cannot_replace_are_kept",
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        "    return {**{id_: OrderEntry(order=id_) for id_ in sent}, **decision.observed.order_store}\n",
        "    return decision.observed.order_store\n",
        REWOUND + "test_an_order_lost_by_the_store_is_given_up",
    ),
    PlantedFault(
        "adapters/store/blobs.py",
        " else self._before.get(digest)\n",
        " else None\n",
        BLOBS + "test_blobs_stored_earlier_in_the_folder_are_found",
    ),
    PlantedFault(
        "adapters/store/blobs.py",
        "    yield file.read(PART_BYTES)\n",
        "",
        BLOBS + "test_a_blob_is_readable_from_another_machine",
    ),
    PlantedFault(
        "entry/wiring.py",
        " if settings.database_url else folder\n",
        " if not settings else folder\n",
        BLOBS + "test_servers_with_one_database_share_no_folder",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        "    if not run_in_fork(partial(check_before_start, settings)):\n        return 2\n",
        "",
        BEFORE + "test_up_starts_no_process_if_a_check_fails",
    ),
    PlantedFault(
        "entry/commands/before_start.py",
        "    except ModuleNotFoundError as failure:\n",
        "    except ZeroDivisionError as failure:\n",
        BEFORE + "test_a_folder_and_a_database_that_refuse_are_named",
    ),
    PlantedFault(
        "entry/settings.py",
        'if error["type"] != "default_factory_not_called"',
        'if error["type"]',
        BEFORE + "test_settings_that_cannot_be_read_are_named_without_their_values",
    ),
]
