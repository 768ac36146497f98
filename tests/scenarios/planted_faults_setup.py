"""A fault for every guard of the set-up, of the first pull, and of looking without webhooks."""

from tests.testkit.planting import PlantedFault

PAGES = "entry/test_setup_pages.py::"
DOCTOR = "entry/test_doctor_and_the_app.py::"
FIRST = "core/test_stories_of_onboarding.py::"
RHYTHM = "adapters_store/test_sweep_rhythm.py::"

SETUP_FAULTS = [
    PlantedFault(
        "entry/web/setup_pages.py",
        'self._code = ""\n            with',
        "with",
        PAGES + "test_a_code_opens_one_browser_once",
    ),
    PlantedFault(
        "entry/web/setup_pages.py",
        "if not self._is_known():\n            return _page(setup_text.CODE_MISSING), 403",
        "if False:\n            return _page(setup_text.CODE_MISSING), 403",
        PAGES + "test_a_code_opens_one_browser_once",
    ),
    PlantedFault(
        "entry/web/setup_pages.py",
        "if not self._state or not hmac.compare_digest(state.encode(), self._state.encode()):",
        "if not self._state:",
        PAGES + "test_the_state_parameter_must_match",
    ),
    PlantedFault(
        "entry/web/setup_pages.py",
        "if self._chosen.webhook and made.webhook_secret:",
        "if made.webhook_secret:",
        PAGES + "test_the_setup_link_creates_an_app_with_only_the_needed_permissions",
    ),
    PlantedFault(
        "entry/settings_file.py",
        "os.O_EXCL, 0o600)",
        "os.O_EXCL, 0o644)",
        PAGES + "test_the_setup_link_creates_an_app_with_only_the_needed_permissions",
    ),
    PlantedFault(
        "entry/settings_file.py",
        "lines = [*kept, *(",
        "lines = [*(",
        PAGES + "test_other_lines_of_the_settings_file_stay",
    ),
    PlantedFault(
        "entry/app_manifest.py",
        '"active": bool(app_options.webhook),',
        '"active": True,',
        PAGES + "test_the_setup_link_creates_an_app_with_only_the_needed_permissions",
    ),
    PlantedFault(
        "adapters/github/registration.py",
        "if abs(ahead) > CLOCK_OFF_MAX else AppProblem.WRONG_KEY",
        "if False else AppProblem.WRONG_KEY",
        DOCTOR + "test_a_wrong_clock_is_reported",
    ),
    PlantedFault(
        "entry/commands/doctor.py",
        "if newest is not None and newest.is_unsigned:",
        "if False:",
        DOCTOR + "test_a_wrong_webhook_secret_is_detected_from_deliveries",
    ),
    PlantedFault(
        "entry/commands/webhook.py",
        'write_settings({"HEADGATE_WEBHOOK_SECRET": secret})',
        "",
        DOCTOR + "test_one_command_gives_both_sides_one_secret",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        "if main is None or has_policy or was_offered:",
        "if main is None or was_offered:",
        FIRST + "test_a_repository_with_a_policy_is_offered_none",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        "if main is None or has_policy or was_offered:",
        "if main is None or has_policy:",
        FIRST + "test_a_repository_without_a_policy_is_offered_one_once",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        "case PullState.MERGED if seen.missing:",
        "case PullState.MERGED if False:",
        FIRST + "test_a_merge_without_workflows_lists_missing_files_and_greets_later",
    ),
    PlantedFault(
        "core/state/onboarding.py",
        " or DECLINED in state.published",
        "",
        FIRST + "test_a_closed_first_pull_is_no_longer_watched",
    ),
    PlantedFault(
        "core/state/observed.py",
        "        or onboarding\n",
        "",
        FIRST + "test_the_first_pull_is_looked_at_together_with_main",
    ),
    PlantedFault(
        "profiles/node.py",
        " and _NO_TEST not in scripts[name]",
        "",
        FIRST + "test_the_first_policy_knows_set_up_and_hosts",
    ),
    PlantedFault(
        "core/decide/main/account_commits.py",
        "allowed = (POLICY_PATH, *workflows, ",
        "allowed = (POLICY_PATH, ",
        "scenarios/test_onboarding.py::test_merging_the_first_pull_starts_only_a_self_test",
    ),
    PlantedFault(
        "shell/selftest.py",
        "self._try(text.CLEAN, self._clean_up)",
        "pass",
        "scenarios/test_selftest.py::test_a_successful_self_test_leaves_nothing_behind",
    ),
    PlantedFault(
        "shell/sweep.py",
        "every = beats.pace.deliveries\n    if every and (",
        "every = DELIVERIES_EVERY\n    if every and (",
        RHYTHM + "test_without_a_webhook_looks_are_more_frequent_and_deliveries_are_not_requested",
    ),
    PlantedFault(
        "shell/sweep.py",
        "return pace.onboarding if is_onboarding(state) else pace.full",
        "return pace.full",
        RHYTHM + "test_without_a_webhook_the_first_pull_is_noticed_within_seconds",
    ),
    PlantedFault(
        "shell/sweep.py",
        "if rhythm.news_at is not None and now < rhythm.news_at + pace.warm:",
        "if is_onboarding(state):",
        RHYTHM + "test_without_a_webhook_news_keep_the_short_interval_for_a_while",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        "            _try_all(decision, seen)\n",
        "",
        "scenarios/test_onboarding.py::test_merging_the_first_pull_starts_only_a_self_test",
    ),
    PlantedFault(
        "core/decide/people/onboard.py",
        '    if f"comment:{test.subject}" not in decision.state.published:\n',
        "    if True:\n",
        "core/test_stories_of_onboarding.py::test_the_self_test_of_the_first_merge_is_made_once",
    ),
    PlantedFault(
        "shell/perform.py",
        ".facts == facts\n    except (Retryable, UserError):\n        return False",
        ".facts == facts\n    except (Retryable, UserError):\n        return True",
        "scenarios/test_wrong_clock.py::"
        "test_work_interrupted_by_a_wrong_clock_continues_once_it_is_right",
    ),
    PlantedFault(
        "core/values/github_refusal.py",
        "' exists; cannot create '|",
        "",
        "scenarios/test_names_of_branches.py::test_work_waits_until_a_branch_named_headgate_is_removed",
    ),
    PlantedFault(
        "core/talk/news_text.py",
        ", *dict.fromkeys(told)]",
        "]",
        "scenarios/test_names_of_branches.py::test_the_first_pull_waits_until_a_conflicting_branch_is_removed",
    ),
    PlantedFault(
        "core/spec/roots.py",
        "if len(key) > KEY_MAX:",
        "if False:",
        "core/spec/test_roots.py::test_the_key_of_a_long_path_fits_into_a_branch_name",
    ),
    PlantedFault(
        "shell/perform_git.py",
        "wrong = misplaced(ports.git.blobs(facts, effect.base, OTHER_PLACES))",
        'wrong = ""',
        "scenarios/test_onboarding.py::test_a_policy_in_another_place_is_named_in_the_first_pull",
    ),
]
