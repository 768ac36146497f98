"""A fault for every guard of the gates `rules` and `junk`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

RULES = "test_rules_and_junk.py::"

RULE_FAULTS = [
    PlantedFault(
        "rules.py",
        "**subject.before(sorted(changed))}",
        "**subject.after(sorted(changed))}",
        RULES + "test_a_change_is_judged_by_bases_rules",
    ),
    PlantedFault(
        "rules.py",
        "            if line in known or len(line) > _LINE_CHARS_MAX:\n",
        "            if len(line) > _LINE_CHARS_MAX:\n",
        RULES + "test_lines_added_by_a_change_are_checked_against_the_rules",
    ),
    PlantedFault(
        "rules.py",
        "(path not in before or pattern.search(old)) and",
        "path not in before and",
        RULES + "test_lines_added_by_a_change_are_checked_against_the_rules",
    ),
    PlantedFault(
        "rules.py",
        "            if key not in lists or",
        "            lists.setdefault(key, [])\n            if",
        RULES + "test_an_unreadable_rule_does_not_pass",
    ),
    PlantedFault(
        "junk.py",
        "if f.before is None and _NAMES",
        "if _NAMES",
        RULES + "test_junk_that_is_already_on_base_is_not_reported",
    ),
    PlantedFault(
        "junk.py",
        '        if not _has_conflict(before.get(path, b"")):\n',
        "        if path:\n",
        RULES + "test_junk_that_is_already_on_base_is_not_reported",
    ),
    PlantedFault(
        "junk.py",
        " or not _has_conflict(content):",
        ":",
        RULES + "test_junk_is_found",
    ),
]
