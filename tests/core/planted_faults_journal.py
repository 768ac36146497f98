"""A fault for every guard of journals that other releases wrote, and the test that dies."""

from tests.testkit.planting import PlantedFault

UPCAST = "core/journal/test_upcast.py::"
OTHERS = "adapters_store/test_journal_of_other_releases.py::"
SHAPE = "shape/test_journal_shape.py::"
CAN_BE_READ = SHAPE + "test_events_of_the_recorded_shape_can_be_read"

TO_PROMPT = UPCAST + "test_a_prompt_is_read_under_its_earlier_name_question"

JOURNAL_FAULTS = [
    PlantedFault(
        "core/journal/upcast.py",
        '    ("ModelFailed", 1): _renamed("spec_run", "place"),\n',
        "",
        OTHERS + "TestEarlier::test_a_row_from_before_a_field_got_its_name_is_loaded",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("ModelFailed", 1): _renamed("spec_run", "place"),\n',
        "",
        CAN_BE_READ,
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    if effect.get("type") == "EditPull":\n',
        "    if False:\n",
        UPCAST + "test_an_old_pull_edit_effect_changes_no_state",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    if "spec_run" in body:\n',
        "    if False:\n",
        UPCAST + "test_a_reply_of_a_model_is_read_under_its_earlier_name",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("QuestionFailed", 1): _of_model("ModelFailed"),\n',
        "",
        UPCAST + "test_a_reply_of_a_model_is_read_under_its_earlier_name",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("ModelAnswered", 2): _to_prompt,\n',
        "",
        TO_PROMPT + "[ModelAnswered]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("ModelAsked", 3): _to_prompt,\n',
        "",
        TO_PROMPT + "[ModelAsked]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("ModelFailed", 2): _to_prompt,\n',
        "",
        TO_PROMPT + "[ModelFailed]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("RequirementsRead", 1): _to_prompt,\n',
        "",
        TO_PROMPT + "[RequirementsRead]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("SummaryRefused", 1): _to_prompt,\n',
        "",
        TO_PROMPT + "[SummaryRefused]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("SummaryWritten", 1): _to_prompt,\n',
        "",
        TO_PROMPT + "[SummaryWritten]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        '    ("EffectIntended", 3): _with_prompt,\n',
        "",
        TO_PROMPT + "[EffectIntended]",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        "        return {**_to_prompt(placed), ",
        "        return {**placed, ",
        UPCAST + "test_a_reply_of_a_model_is_read_under_its_earlier_name",
    ),
    PlantedFault(
        "core/journal/effects.py",
        'f"ask:{self.about.place}:{self.prompt}"',
        'f"prompt:{self.about.place}:{self.prompt}"',
        UPCAST + "test_a_prompt_keeps_the_key_that_it_was_intended_under",
    ),
    PlantedFault(
        "shell/model_calls.py",
        """.replace('"prompt"', '"question"', 1)""",
        "",
        "shell/test_prompt_attempts.py::test_an_attempt_begun_by_an_earlier_release_is_found",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        'return {"asked_hash": body["definition_hash"], **body}',
        'return {**body, "asked_hash": body["definition_hash"]}',
        UPCAST + "test_a_step_does_not_change_a_line_with_the_next_shape",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        "    if version <= _VERSIONS.get(name, 0):\n",
        "    if version:\n",
        OTHERS + "TestNewer::test_no_event_is_appended_after_an_unreadable_one",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        "contextlib.suppress(ValidationError, KeyError)",
        "contextlib.suppress(KeyError)",
        OTHERS + "TestNewer::test_the_state_stops_before_an_unreadable_event_and_names_it",
    ),
    PlantedFault(
        "core/journal/upcast.py",
        "contextlib.suppress(ValidationError, KeyError)",
        "contextlib.suppress(ValidationError)",
        UPCAST + "test_an_unreadable_event_names_its_place_and_the_fix",
    ),
    PlantedFault(
        "adapters/store/journal_rows.py",
        "            return Piece(tuple(found), weight, event, tip)\n",
        "            continue\n",
        OTHERS + "TestNewer::test_the_state_stops_before_an_unreadable_event_and_names_it",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "        if unreadable is not None:\n",
        "        if unreadable is not None and new_events:\n",
        OTHERS + "TestNewer::test_no_event_is_appended_after_an_unreadable_one",
    ),
    PlantedFault(
        "adapters/store/journal_rows.py",
        '            "version": version_of(event.type),\n',
        "",
        OTHERS + "TestEarlier::test_each_row_carries_the_version_of_its_type",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        "        except ValidationError:\n",
        "        except KeyError:\n",
        OTHERS + "TestSnapshots::test_an_unreadable_snapshot_is_discarded",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        ", snapshots.c.known_events == KNOWN_EVENTS\n",
        "\n",
        OTHERS + "TestSnapshots::test_an_unreadable_snapshot_is_discarded",
    ),
    PlantedFault(
        "adapters/store/engine.py",
        "sqlite3.SQLITE_BUSY or time.monotonic() > until:",
        "sqlite3.SQLITE_BUSY or until:",
        "adapters_store/test_engine.py::test_opening_waits_for_a_process_that_creates_the_database",
    ),
    PlantedFault(
        "adapters/store/engine.py",
        "        if known.issuperset(MigrationContext.configure(connection).get_current_heads()):\n",
        "        if known:\n",
        OTHERS + "test_a_database_that_a_newer_release_migrated_is_left_as_it_is",
    ),
    # What an event, an effect or a value inside them gives up.
    PlantedFault("core/journal/effects_work.py", "    finishes: bool\n", "", CAN_BE_READ),
    PlantedFault(
        "core/journal/effects_work.py",
        "    finishes: bool\n",
        "    finishes: bool\n    begins: bool\n",
        CAN_BE_READ,
    ),
    PlantedFault(
        "core/journal/effects_work.py", "    finishes: bool\n", "    finishes: int\n", CAN_BE_READ
    ),
    PlantedFault(
        "core/journal/effects_work.py",
        "    finishes: bool\n",
        "    finishes: bool\n    begins: bool = False\n",
        SHAPE + "test_the_recorded_shape_is_todays",
    ),
]
