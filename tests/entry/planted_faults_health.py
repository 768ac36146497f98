"""A fault for every guard of what a server says of its own health."""

from tests.testkit.planting import PlantedFault

_HEALTH = "adapters_store/test_health.py::TestReady::"

HEALTH_FAULTS = [
    PlantedFault(
        "core/talk/trouble_text.py",
        "trouble if is_ours else trouble.replace",
        "trouble.replace",
        _HEALTH + "test_a_trouble_for_the_operator_names_its_subject_and_the_fix",
    ),
    PlantedFault(
        "core/talk/trouble_text.py",
        "    is_ours = trouble.kind is TroubleKind.ACCESS\n",
        "    is_ours = True\n",
        _HEALTH + "test_repeated_failures_are_shown_without_repository_names",
    ),
    PlantedFault(
        "entry/web/health.py",
        "        if not _is_written(pulses, now):\n",
        "        if False:\n",
        _HEALTH + "test_a_database_that_takes_no_writes_is_not_ready",
    ),
    PlantedFault(
        "entry/wiring.py",
        "    SqlVitals(journal).beat(Pulse(process=Part.DATABASE, part=Part.DATABASE, at=now))\n",
        "",
        "entry/test_start_checks.py::test_a_full_disk_is_detected_by_writing",
    ),
    PlantedFault(
        "core/state/liveness.py",
        "        if newest is None and part in _NEEDED:\n",
        "        if newest is None:\n",
        _HEALTH + "test_a_silent_reader_is_reported_but_a_missing_one_is_not[sqlite]",
    ),
    PlantedFault(
        "entry/rq_worker.py",
        "        worker.part = Part.READER\n",
        "        pass\n",
        "entry/test_documented_commands.py::test_the_commands_of_operation_run",
    ),
    PlantedFault(
        "adapters/store/vitals.py",
        "sa.select(pulses).where(known)",
        "sa.select(pulses)",
        "adapters_store/test_vitals.py::test_unknown_parts_of_a_newer_release_are_ignored[sqlite]",
    ),
    PlantedFault(
        "adapters/store/troubles.py",
        "sa.select(troubles).where(mine)))",
        "sa.select(troubles)))",
        _HEALTH + "test_unknown_troubles_of_a_newer_release_are_ignored[sqlite]",
    ),
    PlantedFault(
        "entry/sweep.py",
        "self._said.setdefault(sentence, now) == now",
        "bool(self._said)",
        "entry/test_sweep_log.py::test_the_same_reason_is_logged_once_a_minute_and_a_new_one_at_once",
    ),
    PlantedFault(
        "entry/sweep.py",
        "        if waits.is_news(failure.sentence, time.monotonic()):\n",
        "        if False:\n",
        "scenarios/test_owner_mistakes.py::"
        "test_a_mistake_is_named_with_its_fix_in_all_places_that_the_page_names[another_key]",
    ),
    PlantedFault(
        "entry/supervise.py",
        "        for kind in (Part, Program):\n",
        "        for kind in ((Part, Program),):\n",
        "entry/test_supervise.py::test_dependencies_of_parts_end_after_them",
    ),
    PlantedFault(
        "entry/slots.py",
        "                os.dup(file.fileno())\n",
        "",
        "entry/test_slots.py::test_two_processes_of_one_slot_have_two_names",
    ),
]
