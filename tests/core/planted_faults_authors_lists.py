"""Faults in what is taken from beside a spec, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

LISTS = "core/plan/test_plans_of_authors_lists.py::"
TICKED = LISTS + "test_a_list_counts_as_ticked_if_all_required_tasks_are_ticked"
CRITERIA = LISTS + "test_criteria_are_recognised_under_other_names"
BOTH = LISTS + "test_a_heading_that_names_both_excludes_only_the_out_of_scope_part"
CITED = LISTS + "test_a_criterion_that_cites_a_requirement_in_passing_does_not_take_it"
AUTHORED = "core/plan/authored.py"
WORDS = "core/spec/triage/words.py"

AUTHORS_LIST_FAULTS = [
    PlantedFault("core/spec/formats/tasks.py", r"\[([^\]A-WYZa-wyz]?)\]", r"\[([^\]]?)\]", TICKED),
    PlantedFault(
        "core/spec/ticked_tasks.py",
        "not (t.is_optional or t.id in parts_of)",
        "t.id not in parts_of",
        TICKED,
    ),
    PlantedFault(
        WORDS, "crit[eé]ri[ao]s? d[e']? ?a[cs]|", "criteri[ao]s? d[e']? ?a[cs]|", CRITERIA
    ),
    PlantedFault(WORDS, r"acceptance(?: \([^()]{1,30}\))?\W*$", r"acceptance\W*$", CRITERIA),
    PlantedFault(
        "core/plan/whole_title.py",
        '_NUMBERED_KIND.sub("", titles[0])',
        "titles[0]",
        CRITERIA,
    ),
    PlantedFault(
        WORDS, "    return HeadingKind.REQUIREMENTS if asks else kind\n", "    return kind\n", BOTH
    ),
    PlantedFault(WORDS, "and|of|out|スコープ外|", "and|of|", BOTH),
    PlantedFault(
        "core/plan/phrases.py",
        r"(?P<what>[a-z][\w-]*)(?!\w)(?P<rest>.*)$",
        r"(?P<what>[a-z]\w*)\b(?P<rest>.*)$",
        LISTS + "test_a_verb_with_a_hyphen_is_one_verb",
    ),
    PlantedFault(
        "core/plan/naming.py",
        'is_delta and len(self._parts) == 1 and "-" in self._leaf:',
        'is_delta and len(self._parts) == 1 and part.domain.isalpha() and "-" in self._leaf:',
        LISTS + "test_a_delta_of_one_change_has_the_name_that_its_author_gave_it",
    ),
    PlantedFault(AUTHORED, 'return id_.replace("-", "")', "return id_", CITED),
    PlantedFault(
        AUTHORED,
        "if of.get(id_, _epic_of(one)) == _epic_of(one)}",
        "}",
        CITED,
    ),
    PlantedFault(
        AUTHORED,
        "[story for title, story in titles if said == title] or",
        "[] or",
        CITED,
    ),
    PlantedFault(
        "core/plan/uses.py",
        "                    if not _is_told_before(user, known[on]):\n",
        "                    if True:\n",
        LISTS + "test_a_story_does_not_wait_for_a_later_one_that_it_mentions",
    ),
    PlantedFault(
        "core/spec/read.py",
        "main or epics or page or [",
        "main or page or [",
        LISTS + "test_only_epics_are_read_if_a_folder_has_them",
    ),
    PlantedFault(
        "core/spec/read.py",
        'r"/epics(?:/[^/]+)?\\.md$", n, re.IGNORECASE)',
        'r"/epics(?:/[^/]+)?\\.md$", n)',
        LISTS + "test_only_epics_are_read_if_a_folder_has_them",
    ),
    PlantedFault(
        "core/spec/read.py",
        "for n in shown if re.search",
        "for n in inside if re.search",
        LISTS + "test_hidden_notes_are_not_specs",
    ),
    PlantedFault(
        WORDS,
        "if not _BARE_OUT_OF_SCOPE.fullmatch(part)]",
        "if heading_kind(part) is not HeadingKind.OUT_OF_SCOPE]",
        LISTS + "test_a_heading_that_puts_both_out_of_scope_has_no_requirements",
    ),
    PlantedFault(
        WORDS,
        "    asks = asks and not any(heading_kind(part) is HeadingKind.OUT_OF_SCOPE for part in apart)\n",
        "",
        LISTS + "test_a_heading_that_puts_both_out_of_scope_has_no_requirements",
    ),
]
