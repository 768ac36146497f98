"""A fault for every guard of the gate `guardrails`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

GUARDRAILS = "test_guardrails_gate.py::"
LESS = GUARDRAILS + "test_a_diff_that_weakens_a_check_is_red"
HONEST = GUARDRAILS + "test_legitimate_work_does_not_weaken_checks"

GUARDRAIL_FAULTS = [
    PlantedFault(
        "asked_less/requirement_text.py", "any(a == _BINDING > b for", "any(a < b for", LESS
    ),
    PlantedFault(
        "asked_less/requirement_text.py", "return (now - was) * bound > 0", "return False", LESS
    ),
    PlantedFault(
        "asked_less/requirement_text.py",
        "if not others or _LOUD.search(line) is None:",
        "if not others:",
        HONEST,
    ),
    PlantedFault(
        "asked_less/limits.py", "now[at].number > was.number", "now[at].number < was.number", LESS
    ),
    PlantedFault(
        "asked_less/limits.py",
        "if name == _LENGTH or was.section not in there[was.path]:",
        "if was.path:",
        LESS,
    ),
    PlantedFault(
        "asked_less/limits.py",
        "if name == _LENGTH or was.section not in there[was.path]:",
        "if name == _LENGTH:",
        HONEST,
    ),
    PlantedFault(
        "asked_less/checks.py",
        'if not re.match(r"\\s*+(?:#|(?:-\\s*+)?name:)", line)',
        "if line",
        LESS,
    ),
    PlantedFault(
        "asked_less/checks.py",
        "said = _block(whole, number - 1) if key else line",
        "said = text",
        HONEST,
    ),
    PlantedFault(
        "asked_less/checks.py",
        "    kept = [_said(text) for path, text in others.items() if is_ci(path)]",
        "    kept: list[str] = []",
        GUARDRAILS + "test_a_check_that_another_workflow_runs_is_not_lost",
    ),
    PlantedFault(
        "asked_less/checks.py",
        "        if hook not in now and not",
        "        if hook not in now and",
        LESS,
    ),
    PlantedFault(
        "asked_less/lint_rules.py", 'rule["name"] in on:', 'rule["name"] not in on:', LESS
    ),
    PlantedFault(
        "asked_less/lint_rules.py",
        'elif "disable" in key or "ALL" in selected or name.startswith(selected):',
        "else:",
        HONEST,
    ),
    PlantedFault(
        "asked_less/lint_rules.py",
        "len(each) - fewer > SILENCED_MAX",
        "len(each) > SILENCED_MAX",
        HONEST,
    ),
    PlantedFault(
        "guardrails.py",
        "(*anchored(settings.archive_paths), *settings.declared.generated)",
        "(*settings.archive_paths, *settings.declared.generated)",
        GUARDRAILS + "test_files_of_the_archive_and_generated_files_are_exempt",
    ),
    PlantedFault(
        "guardrails.py",
        "is_red = not subject.settings.is_of_person",
        "is_red = True",
        GUARDRAILS + "test_a_persons_change_is_reported_and_passes",
    ),
    PlantedFault(
        "asked_less/whole_files.py",
        "found is None or above[0] not in folders or any((a, found[1]) in there for a in above)",
        "True",
        GUARDRAILS + "test_rules_deleted_with_their_file_are_a_loss",
    ),
    PlantedFault(
        "asked_less/whole_files.py",
        "any((a, found[1]) in there for a in above)",
        "False",
        GUARDRAILS + "test_rules_that_exist_elsewhere_are_not_a_loss",
    ),
    PlantedFault(
        "asked_less/whole_files.py",
        "any((a, found[1]) in there for a in above)",
        "any(f == found[1] for _, f in there)",
        GUARDRAILS + "test_rules_elsewhere_count_only_in_the_same_folder_or_above",
    ),
]
