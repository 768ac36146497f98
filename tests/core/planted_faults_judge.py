"""A fault for every guard around files that steer how a change is judged."""

from tests.testkit.planting import PlantedFault

STORY = "core/test_stories_of_steering.py::"
FILES = "core/spec/test_steering.py::"
NAMED = "core/spec/steering/named_files.py"
KNOWN = "core/spec/steering/known_files.py"
PARTS = "core/spec/steering/known_parts.py"
FIND = "core/spec/steering/find.py"
SHADOWS = "core/spec/steering/shadows.py"
ALLOW = "core/decide/people/allow_steering.py"

JUDGE_FAULTS = [
    PlantedFault(
        KNOWN,
        '_SERVICES in f"/{path}" or ',
        "",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        KNOWN,
        " or path.startswith(_IN_PLACE_OF_PACKAGES)",
        "",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        PARTS,
        "            parts[kind] = own\n",
        "            pass\n",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        PARTS,
        'if isinstance(at, dict) and {"path", "git", "package"} & at.keys()',
        "if not at",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        SHADOWS,
        'if "__pycache__" in folders and path.endswith(".pyc"):\n        return True',
        'if "__pycache__" in folders and path.endswith(".pyc"):\n        return False',
        FILES + "test_new_files_that_a_runner_would_take_for_its_own",
    ),
    PlantedFault(
        SHADOWS,
        '    | {"pytest_asyncio", "pytest_mock", "pytest_timeout",',
        '    | {"pytest_asyncio", "pytest_mock",',
        FILES + "test_new_files_that_a_runner_would_take_for_its_own",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        "    if stop_steered(decision, change):\n        return\n",
        "",
        STORY + "test_no_gate_runs_before_a_person_has_read_the_files",
    ),
    PlantedFault(
        "core/state/candidates.py",
        "steering.files and steering.digest not in change.allowed",
        "steering.files and not change.allowed",
        STORY + "test_other_contents_need_another_permission",
    ),
    PlantedFault(
        "core/state/candidates.py",
        "steering.shadows or (steering.files",
        "(steering.files",
        STORY + "test_a_shadowing_file_alone_stops_the_work",
    ),
    PlantedFault(
        "core/decide/people/publish.py",
        "    elif change.failure is FailureReason.STEERED:\n",
        "    elif not change.id:\n",
        STORY + "test_no_gate_runs_before_a_person_has_read_the_files",
    ),
    PlantedFault(
        ALLOW,
        "    if steering.shadows:\n",
        "    if not candidate.steering.digest:\n",
        STORY + "test_a_file_that_shadows_steering_cannot_be_allowed",
    ),
    PlantedFault(
        "core/decide/people/allow_steering.py",
        "len(named) >= SHA_CHARACTERS_MIN and ",
        "",
        STORY + "test_an_allow_command_without_a_waiting_commit_is_refused",
    ),
    PlantedFault(
        ALLOW,
        "    if not files and not lost:\n",
        "    if False:\n",
        STORY + "test_allowing_steering_files_twice_is_answered",
    ),
    PlantedFault(
        ALLOW,
        "return bool(steering.files or steering.shadows or change.may_lose or _lost(decision, change))",
        "return True",
        STORY + "test_a_commit_without_such_files_cannot_be_allowed",
    ),
    PlantedFault(
        ALLOW,
        "        if not run.is_open:\n",
        "        if False:\n",
        STORY + "test_allowed_steering_files_land_with_a_ledger_entry",
    ),
    PlantedFault(
        "core/decide/changes/advance.py",
        'setup_sha="" if candidate.steering.setup else candidate.base',
        "setup_sha=candidate.base",
        STORY + "test_setup_runs_on_main_unless_a_person_allowed_its_files",
    ),
    PlantedFault(
        "core/decide/changes/stop_steered.py",
        " and not is_steered(state, change)\n",
        "\n",
        STORY + "test_a_retried_agent_starts_with_the_setup_of_main",
    ),
    PlantedFault(
        NAMED,
        "    if not words or words[0] in _ASKING:\n",
        "    if not words:\n",
        FILES + "test_a_command_line_names_its_program_and_configuration_files",
    ),
    PlantedFault(
        NAMED,
        'if words[:1] == ["cd"] and',
        'if words[:1] == [""] and',
        FILES + "test_a_command_line_names_its_program_and_configuration_files",
    ),
    PlantedFault(
        NAMED,
        '    folders = ["", folder] if folder else [""]\n',
        '    folders = [""]\n',
        FILES + "test_files_started_by_a_script_are_named",
    ),
    PlantedFault(
        PARTS,
        "    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):\n        return content\n",
        "    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):\n        return {}\n",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        KNOWN,
        "        return not same_parts(name, before, after)\n",
        "        return False\n",
        FILES + "test_files_that_runners_read_by_their_names",
    ),
    PlantedFault(
        FIND,
        "f'not at {head}'",
        "'not there'",
        FILES + "test_a_steering_file_without_content_is_identified_by_the_head",
    ),
    PlantedFault(
        FIND,
        "if path not in change.base)",
        "if path)",
        FILES + "test_only_changed_files_are_steering_and_digests_depend_on_content",
    ),
    PlantedFault(
        SHADOWS,
        '    if "node_modules" in folders or path.endswith(".pth"):\n        return True\n',
        "",
        FILES + "test_new_files_that_a_runner_would_take_for_its_own",
    ),
    PlantedFault(
        SHADOWS,
        '    return frozenset(f for f in folders if posixpath.join(f, "__init__.py") not in paths)\n',
        "    return frozenset()\n",
        FILES + "test_new_files_that_a_runner_would_take_for_its_own",
    ),
    PlantedFault(
        SHADOWS,
        "module in _START_UP or ",
        "",
        FILES + "test_new_files_that_a_runner_would_take_for_its_own",
    ),
]
