"""Faults in what commands say, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

WRONG = "test_wrong_settings.py::"
LINE = "test_command_line.py::"

COMMAND_FAULTS = [
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "policy = read if isinstance(read, Policy) else no_policy()",
        "policy = no_policy()",
        "test_doctor_rules.py::"
        "test_no_runner_of_ones_own_is_missed_where_the_policy_names_machines_of_github",
    ),
    PlantedFault(
        "entry/cli.py",
        '    if not is_of_settings and type(failure).__name__ != "SettingsError":\n',
        "    if not is_of_settings:\n",
        WRONG + "test_a_value_that_cannot_be_is_named",
    ),
    PlantedFault(
        "entry/settings.py",
        '        2, ge=1, description="Workers',
        '        2, ge=0, description="Workers',
        WRONG + "test_a_value_that_cannot_be_is_named",
    ),
    PlantedFault(
        "entry/settings.py",
        "(8460, ge=0, le=_PORT_MAX,",
        "(8460, ge=0,",
        WRONG + "test_a_value_that_cannot_be_is_named",
    ),
    PlantedFault(
        "entry/local_journal.py",
        "DATABASE_FAILURES = (SQLAlchemyError, Retryable, ModuleNotFoundError, ValueError)",
        "DATABASE_FAILURES = (Retryable,)",
        WRONG + "test_an_address_of_no_database_is_named_by_commands_that_read_the_journal",
    ),
    PlantedFault(
        "entry/commands/before_start.py",
        "    except (SQLAlchemyError, ValueError) as failure:\n",
        "    except SQLAlchemyError as failure:\n",
        WRONG + "test_an_address_of_no_database_is_named_by_commands_that_read_the_journal",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        "    if settings.app_id and not settings.app_key():\n",
        "    if False:\n",
        WRONG + "test_an_app_without_its_key_is_not_a_server_without_an_app",
    ),
    PlantedFault(
        "entry/commands/backup.py",
        "    if not repositories:\n",
        "    if False:\n",
        WRONG + "test_word_is_left_only_where_a_copy_was_put_back",
    ),
    PlantedFault(
        "entry/settings_file.py",
        '    if not current().has_app and not os.environ.get("HEADGATE_SLOT"):\n',
        "    if False:\n",
        WRONG + "test_a_worker_that_is_started_alone_says_that_it_waits_for_an_app",
    ),
    PlantedFault(
        "entry/settings.py",
        "            with contextlib.suppress(OSError):\n",
        "            if True:\n",
        WRONG + "test_a_key_that_cannot_be_read_is_no_key_and_no_traceback",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    if len(empty) == len(specs) or any(_is_no_spec(spec) for spec in empty):\n",
        "    if False:\n",
        LINE + "test_nothing_that_was_read_is_not_the_same_as_no_difference",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    if len(empty) == len(specs) or any(_is_no_spec(spec) for spec in empty):\n",
        "    if empty:\n",
        LINE + "test_nothing_that_was_read_is_not_the_same_as_no_difference",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "        if not spec.documents:\n            console",
        "        if False:\n            console",
        LINE + "test_a_folder_without_a_spec_is_told_of",
    ),
    PlantedFault(
        "entry/commands/coverage.py",
        "    if isinstance(policy, PolicyRefusal):\n",
        "    if policy is None:\n",
        LINE + "test_coverage_by_a_policy_that_cannot_be_read_says_which_line",
    ),
    PlantedFault(
        "entry/commands/queue.py",
        "    if name and not found:\n",
        "    if name is None:\n",
        LINE + "test_a_queue_of_a_repository_that_there_is_not_is_a_failure",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "    if text is None:\n",
        "    if text == '':\n",
        "test_command_line_gates.py::test_where_nothing_can_be_judged_it_says_why",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "    if unknown or not gates:\n",
        "    if not gates:\n",
        "test_command_line_gates.py::test_where_nothing_can_be_judged_it_says_why",
    ),
]
