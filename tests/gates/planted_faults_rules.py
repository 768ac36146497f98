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
        RULES + "test_what_a_change_adds_is_held_against_the_rules",
    ),
    PlantedFault(
        "rules.py",
        "(path not in before or pattern.search(old)) and",
        "path not in before and",
        RULES + "test_what_a_change_adds_is_held_against_the_rules",
    ),
    PlantedFault(
        "rules.py",
        "            if key not in lists or",
        "            lists.setdefault(key, [])\n            if",
        RULES + "test_a_rule_that_cannot_be_read_is_no_pass",
    ),
    PlantedFault(
        "junk.py",
        "if f.before is None and _NAMES",
        "if _NAMES",
        RULES + "test_what_is_on_base_already_is_no_junk_of_the_change",
    ),
    PlantedFault(
        "junk.py",
        '        if not _has_conflict(before.get(path, b"")):\n',
        "        if path:\n",
        RULES + "test_what_is_on_base_already_is_no_junk_of_the_change",
    ),
    PlantedFault(
        "junk.py",
        " or not _has_conflict(content):",
        ":",
        RULES + "test_junk_is_found",
    ),
]
