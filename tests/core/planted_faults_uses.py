"""A fault for every guard of what texts use of each other, and of capabilities of many requirements."""

from tests.testkit.planting import PlantedFault

USES = "core/plan/uses.py"
TESTS = "core/plan/test_used_requirements.py::"
USED = TESTS + "test_a_mentioned_but_unused_id_creates_no_dependency"
WORDS = TESTS + "test_generic_words_create_no_dependency"

USES_FAULTS = [
    PlantedFault(
        "core/plan/foundations.py",
        "not _MOVES_DATA.fullmatch(plain) and ",
        "",
        "core/plan/test_authors_pieces.py::test_a_data_migration_is_not_a_foundation",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "if loose and is_one_feature and",
        "if False and",
        TESTS + "test_a_capability_of_many_requirements_is_a_few_parts",
    ),
    PlantedFault(
        "core/plan/parts.py",
        "all(d.format in _OF_ONE_FEATURE for d in spec.documents)",
        "True",
        TESTS + "test_features_of_a_product_stay_changes_of_their_own",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "        *mention_needs(spec),\n",
        "",
        TESTS + "test_a_requirement_waits_for_another_that_it_uses",
    ),
    PlantedFault(
        USES,
        "target in own or _NOT_USED.search(before)",
        "target in own",
        USED,
    ),
    PlantedFault(
        USES,
        "        if len(told) <= _MENTIONS_MAX:\n",
        "        if True:\n",
        USED,
    ),
    PlantedFault(
        USES,
        "            if on < at and bearers",
        "            if on != at and bearers",
        WORDS,
    ),
    PlantedFault(
        USES,
        " and bearers[thing] <= most",
        "",
        WORDS,
    ),
    PlantedFault(
        USES,
        " and not {stem(one), stem(other)} & _ANYWHERE",
        "",
        WORDS,
    ),
    PlantedFault(
        USES,
        "not {one, other} & _PLAIN_INITIALS and ",
        "",
        WORDS,
    ),
    PlantedFault(
        USES,
        "if not is_name or len(words) == 1:",
        "if True:",
        WORDS,
    ),
    PlantedFault(
        "core/plan/referenced_steps.py",
        "_named(requirements, steps, lambda _: False) | _named",
        "_named",
        "core/plan/test_authors_pieces.py::test_a_requirement_named_only_by_a_test_step_is_placed_there",
    ),
    PlantedFault(
        USES,
        "*(() if is_told else _by_names(requirements))",
        "*_by_names(requirements)",
        TESTS + "test_words_add_no_dependency_if_stories_give_an_order",
    ),
    PlantedFault(
        "core/plan/deterministic.py",
        "if change.slug != heads[change.domain]:",
        "if False:",
        TESTS + "test_pieces_of_one_group_are_read_in_the_authors_order",
    ),
    PlantedFault(
        USES,
        "        if _is_called(one):\n",
        "        if True:\n",
        TESTS + "test_a_sentence_is_not_used_as_a_name",
    ),
    PlantedFault(
        USES,
        'run = _DENSE_END.sub("", run)',
        "run = run",
        TESTS + "test_a_requirement_waits_for_an_earlier_one_named_after_its_subject",
    ),
    PlantedFault(
        "core/plan/makers.py",
        "if maker > at and not shows and not elsewhere:",
        "if maker > at and not shows:",
        TESTS + "test_capabilities_wait_for_the_one_that_creates_their_things",
    ),
]
