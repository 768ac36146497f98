"""Faults in what commands say, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

WRONG = "test_wrong_settings.py::"
LINE = "test_command_line.py::"
INPUT = "test_wrong_input.py::"

MACHINE = "test_unusual_machines.py::"

QUICK = "test_help_imports.py::test_a_command_skips_garbage_collection_of_imports_and_at_its_end"

COMMAND_FAULTS = [
    PlantedFault("entry/cli.py", "    atexit.register(gc.freeze)\n", "", QUICK),
    PlantedFault("entry/cli.py", "    gc.set_threshold(_NEW_OBJECTS_MAX)\n", "", QUICK),
    PlantedFault(
        "action/__main__.py",
        "    atexit.register(gc.freeze)\n",
        "",
        "action/test_imports_at_start.py::test_garbage_is_not_collected_at_the_end",
    ),
    PlantedFault(
        "entry/die_with_parent.py",
        "    if parent is not None and os.getppid() != parent:\n",
        "    if False:\n",
        "test_supervise.py::test_a_part_ends_if_its_supervisor_died_before_the_kernel_was_asked",
    ),
    PlantedFault(
        "demo/run_demo.py",
        "    if program := program_missing(scenario.agent):\n",
        '    if program := "":\n',
        "demo/test_demo.py::test_wrong_usage_is_reported_before_anything_starts",
    ),
    PlantedFault(
        "entry/console.py",
        'stream.reconfigure(errors="replace")',
        "pass",
        MACHINE + "test_a_terminal_without_umlauts_gets_a_mark_for_each",
    ),
    PlantedFault(
        "entry/terminal.py",
        'ensure_ascii=not self.encoding.startswith("utf")',
        "ensure_ascii=False",
        MACHINE + "test_json_is_whole_on_a_terminal_without_umlauts",
    ),
    PlantedFault(
        "entry/terminal.py",
        'UNSEEN if self.encoding.startswith("utf") else _BEYOND_ASCII',
        "UNSEEN",
        MACHINE + "test_json_is_whole_on_a_terminal_without_umlauts",
    ),
    PlantedFault(
        "entry/console.py",
        "if failure.errno != errno.ENOSPC or failure.filename:",
        "if True:",
        MACHINE + "test_a_failed_write_to_standard_output_is_reported",
    ),
    PlantedFault(
        "entry/commands/before_start.py",
        "            git_trouble(),\n",
        "",
        MACHINE + "test_a_server_is_not_started_without_a_git_that_can_merge",
    ),
    PlantedFault(
        "entry/workflow_files.py",
        ' or shutil.which("git") is None',
        "",
        MACHINE + "test_no_commit_is_known_without_git",
    ),
    PlantedFault(
        "entry/commands/plan.py",
        "    except OSError as failure:\n        raise UserError",
        "    except KeyError as failure:\n        raise UserError",
        MACHINE + "test_a_file_that_cannot_be_read_is_named",
    ),
    PlantedFault(
        "entry/commands/gates_explain.py",
        "    if not rows:\n",
        "    if False:\n",
        MACHINE + "test_explaining_gates_without_a_policy_suggests_init",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "    return read if isinstance(read, Policy) else no_policy()\n",
        "    return no_policy()\n",
        "test_doctor_rules.py::"
        "test_a_self_hosted_runner_is_not_required_if_the_policy_names_github_machines",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "dict.fromkeys((facts.default_branch, *policy.file.branches))",
        "(facts.default_branch,)",
        "test_doctor_rules.py::test_rules_of_a_further_branch_are_named_as_that_branchs",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "return list(dict.fromkeys(said)), refuses or",
        "return said, refuses or",
        "test_doctor_rules.py::"
        "test_findings_for_all_branches_are_printed_once_and_a_refusal_does_not_stop",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "{Topic.NO_RUNNER, Topic.MERGED, Topic.RESOLUTION}",
        "{Topic.NO_RUNNER, Topic.MERGED}",
        "test_doctor_rules.py::test_a_rule_about_threads_is_reported_even_if_the_app_may_bypass_it",
    ),
    PlantedFault(
        "entry/commands/doctor_rules.py",
        "            policy = _policy_of(forge, there)\n",
        "            pass\n",
        "test_doctor_rules.py::test_an_additional_branch_is_checked_with_its_own_policy",
    ),
    PlantedFault(
        "entry/console.py",
        '    if not is_of_settings and type(failure).__name__ != "SettingsError":\n',
        "    if not is_of_settings:\n",
        WRONG + "test_an_invalid_value_is_reported_with_its_setting",
    ),
    PlantedFault(
        "entry/settings.py",
        '        2, ge=1, description="Workers',
        '        2, ge=0, description="Workers',
        WRONG + "test_an_invalid_value_is_reported_with_its_setting",
    ),
    PlantedFault(
        "entry/settings.py",
        "(8460, ge=0, le=_PORT_MAX,",
        "(8460, ge=0,",
        WRONG + "test_an_invalid_value_is_reported_with_its_setting",
    ),
    PlantedFault(
        "entry/local_journal.py",
        "DATABASE_FAILURES = (SQLAlchemyError, Retryable, ModuleNotFoundError, ValueError)",
        "DATABASE_FAILURES = (Retryable,)",
        WRONG + "test_commands_that_read_the_journal_report_an_invalid_database_address",
    ),
    PlantedFault(
        "entry/commands/before_start.py",
        "    except (SQLAlchemyError, ValueError) as failure:\n",
        "    except SQLAlchemyError as failure:\n",
        WRONG + "test_commands_that_read_the_journal_report_an_invalid_database_address",
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
        WRONG + "test_the_restored_command_fails_without_a_restored_copy",
    ),
    PlantedFault(
        "entry/settings_file.py",
        '    if not current().has_app and not os.environ.get("HEADGATE_SLOT"):\n',
        "    if False:\n",
        WRONG + "test_a_worker_started_alone_prints_that_it_waits_for_an_app",
    ),
    PlantedFault(
        "entry/settings.py",
        "            with contextlib.suppress(OSError):\n",
        "            if True:\n",
        WRONG + "test_an_unreadable_key_file_counts_as_no_key",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    if len(empty) == len(specs) or any(_is_no_spec(spec) for _, spec in empty):\n",
        "    if False:\n",
        LINE + "test_a_comparison_of_unreadable_files_is_not_reported_as_equal",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    if len(empty) == len(specs) or any(_is_no_spec(spec) for _, spec in empty):\n",
        "    if empty:\n",
        LINE + "test_a_comparison_of_unreadable_files_is_not_reported_as_equal",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    if not spec.documents:\n        return no_spec_in",
        "    if False:\n        return no_spec_in",
        LINE + "test_a_folder_without_a_spec_is_reported",
    ),
    PlantedFault(
        "entry/commands/coverage.py",
        "        return _usage_error(wrong.sentence)\n    paths = ",
        "        return 0\n    paths = ",
        LINE + "test_coverage_by_a_policy_that_cannot_be_read_says_which_line",
    ),
    PlantedFault(
        "core/talk/policy_text.py",
        "[:_LINES_MAX]",
        "[:1]",
        INPUT + "test_all_mistakes_in_a_policy_are_reported",
    ),
    PlantedFault(
        "core/talk/policy_text.py",
        "_LINES_MAX = 10",
        "_LINES_MAX = 100",
        INPUT + "test_many_mistakes_of_a_policy_are_counted",
    ),
    PlantedFault(
        "entry/commands/policy_here.py",
        "if path != root / POLICY_PATH:",
        "if False:",
        INPUT + "test_a_missing_policy_file_is_reported",
    ),
    PlantedFault(
        "entry/commands/policy_here.py",
        "    except OSError as failure:\n",
        "    except ZeroDivisionError as failure:\n",
        INPUT + "test_a_missing_policy_file_is_reported",
    ),
    PlantedFault(
        "entry/commands/backup.py",
        "if folder.is_dir() and any(",
        "if folder.exists() and any(",
        INPUT + "test_a_backup_needs_a_folder",
    ),
    PlantedFault(
        "entry/commands/backup.py",
        "not _knows_repositories(folder / _DATABASES[0])",
        "False",
        INPUT + "test_a_backup_of_an_empty_journal_says_so",
    ),
    PlantedFault(
        "localhub/seed.py",
        "    if unknown := sorted(",
        "    if unknown := () and sorted(",
        INPUT + "test_an_invalid_seed_is_reported",
    ),
    PlantedFault(
        "localhub/seed.py",
        "if one.directory is not None and not",
        "if False and not",
        INPUT + "test_an_invalid_seed_is_reported",
    ),
    PlantedFault(
        "entry/settings.py",
        'if parts.scheme not in {"http", "https"} or not parts.hostname:',
        "if not parts.hostname:",
        INPUT + "test_an_invalid_address_or_log_level_is_reported_with_its_setting",
    ),
    PlantedFault(
        "entry/settings.py",
        "BeforeValidator(str.lower)",
        "BeforeValidator(str.strip)",
        INPUT + "test_a_level_may_be_in_capitals",
    ),
    PlantedFault(
        "entry/settings.py",
        'for file in (Path(".env"), settings_file()):',
        "for file in (settings_file(),):",
        INPUT + "test_the_doctor_names_misspelt_settings_in_any_place",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        'if os.environ.get("HEADGATE_SETTINGS") and not file.exists():',
        "if False:",
        INPUT + "test_the_doctor_misses_a_settings_file_that_was_named",
    ),
    PlantedFault(
        "entry/commands/processes.py",
        '    _check_port("HEADGATE_PORT", settings.host, settings.port)\n',
        "",
        INPUT + "test_a_command_reports_a_port_in_use_with_its_setting",
    ),
    PlantedFault(
        "entry/commands/setup.py",
        "if _waits_for_an_app(url) else None",
        "",
        INPUT + "test_a_command_reports_a_port_in_use_with_its_setting",
    ),
    PlantedFault(
        "entry/commands/setup.py",
        'said.get("status") == WAITS',
        'said.get("status") == 1',
        INPUT + "test_setup_beside_a_server_without_an_app_shows_the_servers_link",
    ),
    PlantedFault(
        "entry/commands/queue.py",
        "    if name and not found:\n",
        "    if name is None:\n",
        LINE + "test_the_queue_of_an_unknown_repository_is_an_error",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "    if text is None:\n",
        "    if text == '':\n",
        "test_command_line_gates.py::test_a_run_that_cannot_judge_says_why",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "sandbox=SandboxRule.NONE_ALLOWED",
        "sandbox=SandboxRule.REQUIRED",
        "test_command_line_gates.py::test_local_gates_use_the_sandbox_of_a_runner_if_available",
    ),
    PlantedFault(
        "action/sandbox/choice.py",
        "        if ended.is_success:\n            return sandbox\n",
        "        if ended.is_success and rule is not SandboxRule.NONE_ALLOWED:\n            return sandbox\n",
        "test_command_line_gates.py::test_local_gates_use_the_sandbox_of_a_runner_if_available",
    ),
    PlantedFault(
        "entry/commands/gates_run.py",
        "    if unknown:\n",
        "    if unknown and not names:\n",
        "test_command_line_gates.py::test_a_run_that_cannot_judge_says_why",
    ),
]
