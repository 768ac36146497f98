"""Faults in what waits for what and in what is for later, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

WAITS = "core/plan/test_false_dependencies.py::"
NAMES = WAITS + "test_a_name_states_what_people_can_do"
PHRASES = "core/plan/phrases.py"

FALSE_WAIT_FAULTS = [
    PlantedFault(
        "core/plan/put_off.py",
        "future\\b(?=[^\\w\\s]|",
        "future\\b(?=[^\\w\\s]|\\s|",
        WAITS + "test_only_future_work_is_deferred",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "base|basic|core) structure|data storage|",
        "base|basic|core) structure|structure|data storage|",
        WAITS + "test_names_of_foundations_are_recognised",
    ),
    PlantedFault(
        "core/plan/foundations.py",
        "core) structure|data storage|",
        "core) structure|",
        WAITS + "test_names_of_foundations_are_recognised",
    ),
    PlantedFault(
        "core/plan/uses.py",
        "pela pelo pelas pelos numa",
        "numa",
        WAITS + "test_function_words_of_other_languages_create_no_dependency",
    ),
    PlantedFault(
        "core/plan/uses.py",
        "if on == user.id or _is_part(known[on], user):",
        "if on == user.id:",
        WAITS + "test_a_requirement_does_not_wait_for_its_own_parts",
    ),
    PlantedFault(
        "core/plan/makers.py",
        "(?!(?:log|audit|",
        "(?!(?:audit|",
        WAITS + "test_logging_the_creation_of_a_thing_does_not_create_it",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "is_other = _ENDS_ACCOUNT.search(name) or _NOT_SIGN_IN.search(name)",
        "is_other = _NOT_SIGN_IN.search(name)",
        WAITS + "test_all_changes_wait_for_sign_in_but_not_for_account_deletion",
    ),
    PlantedFault(
        "core/plan/authored.py",
        " and 2 * len(said & subjects(stories[at].title)) > len(said):",
        ":",
        WAITS + "test_a_group_takes_the_priority_of_a_story_about_the_whole_group",
    ),
    PlantedFault(PHRASES, "|soll(?:en|te|ten)?|", "|", NAMES),
    PlantedFault(PHRASES, "die (?:applikation|", "die (?:", NAMES),
    PlantedFault(PHRASES, "(?:ability|possibility|option", "(?:possibility|option", NAMES),
    PlantedFault(PHRASES, "die möglichkeit (?:geben|", "die chance (?:geben|", NAMES),
    PlantedFault(PHRASES, "utilisateurs? la possibilité", "utilisateurs? le droit", NAMES),
    PlantedFault(PHRASES, "la (?:posibilidad|opción)", "la (?:opción)", NAMES),
    PlantedFault(PHRASES, "a (?:possibilidade|opção)", "a (?:opção)", NAMES),
    PlantedFault(PHRASES, "以便|[，,][从從]而|", "以便|", NAMES),
    PlantedFault(
        "core/plan/sign_in.py",
        "|^acceso|",
        "|",
        WAITS + "test_all_changes_wait_for_a_first_sign_in_group_with_another_name",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "|^zugang|",
        "|",
        WAITS + "test_all_changes_wait_for_a_first_sign_in_group_with_another_name",
    ),
    PlantedFault(
        PHRASES,
        "^(?:epic|épica|",
        "^(?:épica|",
        WAITS + "test_the_kind_of_a_group_is_removed_from_its_name",
    ),
]
