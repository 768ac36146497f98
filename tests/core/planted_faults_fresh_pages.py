"""Faults in what is read of pages that nobody had seen, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
CALLED = "core/spec/formats/called_requirements.py"
CALLED_SHAPE = SHAPE + "[requirements-that-say-their-number]"
UNREAD = "core/spec/triage/unread_lists.py"
UNREAD_TEST = "core/spec/test_unread_lists.py::test_an_unread_list_is_reported_once_per_chapter"
WORDS = "core/spec/test_words_of_chapters.py::"
PHRASES = "core/plan/phrases.py"
PLANS = "core/plan/test_plans_of_fresh_pages.py::"
TITLES = "core/spec/test_titles_of_fresh_pages.py::"
GROUPS = "core/plan/test_groups_of_wishes.py::"

FRESH_PAGE_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose.py",
        "        or called_requirements(source, sections)\n",
        "",
        CALLED_SHAPE,
    ),
    PlantedFault(
        CALLED,
        "        if trail_kind(section.titles) not in _LEFT_OUT\n",
        "        if True\n",
        CALLED_SHAPE,
    ),
    PlantedFault(
        CALLED,
        "    if block.kind is BlockKind.ITEM:\n",
        "    if block.kind is None:\n",
        CALLED_SHAPE,
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "section.level > whole_level > 0:",
        "False:",
        SHAPE + "[regles-et-cas-limites-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "            section.line in faceted\n            or not any(",
        "            not any(",
        SHAPE + "[regles-et-cas-limites-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/formats/facets.py",
        "if len(trails) >= _CHAPTERS_MIN for trail",
        "if trails for trail",
        "core/spec/test_shapes.py",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "p[ée]rim[èe]tre(?! fonctionnel)|acteurs|",
        "",
        SHAPE + "[regles-et-cas-limites-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        and (is_numbered or not any(",
        "        and (not any(",
        SHAPE + "[numbers-through-all-chapters]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        r"\bnot included\b|",
        "",
        SHAPE + "[numbers-through-all-chapters]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        "(?:\\([^)]*+\\))?+{_MARK}[*_`~:：]*+$",
        "(?:\\([^)]*+\\))?+[*_`~:：]*+$",
        SHAPE + "[marks-behind-ids-in-cells]",
    ),
    PlantedFault(
        "core/spec/detect.py",
        "    if is_open and len(_DEFINES_ID.findall(text)) < _IDS_MIN:\n",
        "    if is_open:\n",
        SHAPE + "[upper-case-words-beside-ids]",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "drafts or _headed_by_ids(source, sections) or _flat",
        "drafts or _flat",
        SHAPE + "[ears-below-headings-with-ids]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "        lists_of_wishes,\n    )\n",
        "    )\n",
        SHAPE + "[wishes-over-several-lines]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "(?:(?:may|might|also|really|never|don['’]t|do not) )?",
        "",
        SHAPE + "[wishes-over-several-lines]",
    ),
    PlantedFault(
        "core/spec/story_tables.py",
        "            at = next(chain(named, wished), None)\n",
        "            at = next(named, None)\n",
        SHAPE + "[geschichten-mit-zahlen-in-einer-tabelle]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    return tuple(filter(None, map(_accepted, section.blocks)))\n",
        "    return ()\n",
        SHAPE + "[stories-with-ids-beside-functions]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "domain=groups.above(block.line_start) or group,",
        "domain=group,",
        GROUPS + "test_wishes_below_a_bold_line_are_one_change",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "if text is said[0] or _ENDS.match(text[found.end() :])",
        "if text is said[0] or not text[found.end() :].strip('. ')",
        GROUPS + "test_a_wish_that_says_later_is_deferred",
    ),
    PlantedFault(
        "core/spec/items.py",
        '    name = "" if item.text else item.in_parentheses\n',
        '    name = ""\n',
        SHAPE + "[names-in-parentheses-behind-bold-ids]",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        "    return blocks[:first] if is_labelled else blocks\n",
        "    return blocks\n",
        SHAPE + "[names-in-parentheses-behind-bold-ids]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        " or ticked_lines(section.blocks):",
        ":",
        SHAPE + "[ticks-below-each-story]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "    if kind is HeadingKind.REQUIREMENTS and any(map(_MEASURED.match, known[:-1])):\n",
        "    if False:\n",
        SHAPE + "[requirements-as-labels-below-things]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "                or block.line_start in below\n",
        "",
        SHAPE + "[requirements-as-labels-below-things]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        and not lists_data(section)\n",
        "",
        SHAPE + "[features-and-data-of-each-chapter]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        if s.level == _CHAPTER or not PART.match(s.title)\n",
        "",
        SHAPE + "[features-and-data-of-each-chapter]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "for title in s.titles[1:] if not PART.match(title)\n",
        "for title in s.titles[1:]\n",
        SHAPE + "[features-and-data-of-each-chapter]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "lists_fields(s) or is_no_feature(s)}",
        "is_no_feature(s)}",
        SHAPE + "[yomei-no-gyou-to-teeburu-no-retsu]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "業務ルール|",
        "",
        SHAPE + "[yomei-no-gyou-to-teeburu-no-retsu]",
    ),
    PlantedFault(
        UNREAD,
        " not in kinds or not _is_asked(section):\n",
        " not in kinds:\n",
        UNREAD_TEST,
    ),
    PlantedFault(
        UNREAD,
        "    if lists_data(section) or lists_fields(section):\n",
        "    if lists_fields(section):\n",
        UNREAD_TEST,
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        'len(_BRACKETS.sub("", item.text).split()) <= _DATA_WORDS_MAX for item',
        "item for item",
        WORDS + "test_a_chapter_about_a_status_that_says_functions_is_read",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "(?! fonctionnel)",
        "",
        WORDS + "test_a_functional_scope_is_not_an_introduction",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "|(?:section|chapter|part) \\w{1,4}\\W{1,4}|[A-Z]{1,4}[.)]\\s+)?",
        ")?",
        WORDS + "test_a_chapter_of_side_information_is_not_a_feature",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "(?: (?:variables|set-?up|configuration))?",
        "",
        WORDS + "test_a_chapter_of_side_information_is_not_a_feature",
    ),
    PlantedFault(UNREAD, "        or is_future(title)\n", "", UNREAD_TEST),
    PlantedFault(UNREAD, "        or heading_kind(title) not in _MAY_BE_ASKED\n", "", UNREAD_TEST),
    PlantedFault(UNREAD, "_lines(section) if line in unread]", "_lines(section)]", UNREAD_TEST),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        and not any(TELLS_STEPS.match(title) for title in section.titles[1:])\n",
        "",
        SHAPE + "[features-and-data-of-each-chapter]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "|verification (?:and|&)) traceab|",
        ") traceab|",
        SHAPE + "[features-below-requirements]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "        or (_is_feature_of_requirements(section) and is_bound(section, block))\n",
        "",
        SHAPE + "[features-below-requirements]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "        for title in home[d.line_start].titles[1:2]\n",
        "        for title in home[d.line_start].titles[1:]\n",
        SHAPE + "[core-features-beside-other-requirements]",
    ),
    PlantedFault(
        "core/spec/items.py",
        "|\\*\\*[ \\t]*\\n)\\s*\\S",
        ")\\s*\\S",
        TITLES + "test_a_bold_name_above_its_sentence_is_the_title",
    ),
    PlantedFault(
        "core/spec/items.py",
        "    return name[1:-1].strip() if is_in_parentheses else name\n",
        "    return name\n",
        TITLES + "test_a_name_in_parentheses_is_shown_without_them",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        "        text = text[ticked.end() :]\n",
        "        pass\n",
        TITLES + "test_a_tick_is_removed_from_a_title",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        r"""    r"^modern (?:web )?(?:browsers?|fonts?|hardware|devices?)\b|"
""",
        "",
        TITLES + "test_a_fixed_phrase_or_an_explained_word_is_not_vague",
    ),
    PlantedFault(
        "core/spec/triage/signals.py",
        r"properly)\b[^.;:\n()]{0,60}[(]|",
        r"properly)\b[^;:\n()]{0,60}[(]|",
        TITLES + "test_the_same_words_without_explanation_are_vague",
    ),
    PlantedFault(
        "core/spec/triage/triage.py",
        "        ids = [i for i in _ids_in(text) if (line, i) not in first_lines]\n",
        "        ids = _ids_in(text)\n",
        TITLES + "test_the_word_scope_in_an_acceptance_column_raises_no_question",
    ),
    PlantedFault(
        PHRASES,
        "|wenn|weil|sobald|bevor|so ?dass|obwohl|if|",
        "|wenn|weil|sobald|bevor|so ?dass|obwohl|",
        PLANS + "test_a_wish_is_named_without_its_purpose_and_time",
    ),
    PlantedFault(
        PHRASES,
        '_wished(_ABLE.sub("", plain, count=1))',
        "_wished(plain)",
        PLANS + "test_a_wish_is_named_without_its_purpose_and_time",
    ),
    PlantedFault(
        PHRASES,
        '.replace("/", "")',
        "",
        PLANS + "test_two_verbs_beside_a_stroke_begin_with_a_capital",
    ),
    PlantedFault(
        PHRASES,
        r"""    r"^[A-Z]{2,8}-\d{1,3}(?:\.\d{1,3}){1,3}\s+(?=[^\W\d])"
""",
        r"""    r"^[A-Z]{2,8}-\d{1,5}(?:\.\d{1,3}){0,3}\s+(?=[^\W\d])"
""",
        PLANS + "test_the_id_of_a_chapter_is_removed_from_a_name",
    ),
    PlantedFault(
        "core/plan/hot_spots.py",
        " or _ENDING.fullmatch(resource):",
        ":",
        PLANS + "test_changes_that_share_a_file_extension_do_not_wait_for_each_other",
    ),
    PlantedFault(
        "core/plan/uses.py",
        "existing available following previous next first last used new own further given default existente existentes\n"
        "bestehende bestehenden existant existante\n",
        "",
        PLANS + "test_an_existing_thing_is_not_made_by_a_requirement_that_mentions_it",
    ),
    PlantedFault(
        "core/plan/naming.py",
        '            shown, group = group if says_less else names[0], ""\n',
        '            shown, group = names[0], ""\n',
        PLANS + "test_a_sentence_that_announces_a_list_is_named_by_its_heading",
    ),
    PlantedFault(
        "core/plan/slugs.py",
        '    known |= {"mvp", "poc", "new", "create", "list", "page", "url", "sns"}\n',
        "",
        PLANS + "test_a_release_in_brackets_is_not_used_as_a_slug",
    ),
    PlantedFault(
        "core/plan/put_off.py",
        "(?:post[- ]?mvp|later|future|subsequent) (?:",
        "(?:subsequent) (?:",
        "core/spec/test_requirement_counts.py::test_a_requirement_for_a_later_release_is_not_planned",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        '    return ["Requirements" if _KIND_OF_FILE.fullmatch(name) else name]\n',
        "    return [name]\n",
        SHAPE + "[lastenheft-aus-einer-liste]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "(is_unknown or is_other)\n",
        "is_unknown\n",
        SHAPE + "[families-of-qualities]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        'is_other = "-" in family and family not in families\n',
        'is_other = "-" in family\n',
        SHAPE + "[families-of-qualities]",
    ),
    PlantedFault(
        "core/spec/items.py",
        "(?P<sep>[:：|—–.·•-]*)",
        "(?P<sep>[:：|—–.-]*)",
        SHAPE + "[punto-medio-detras-del-codigo]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "if len(functions) >= 3 * len(drafts) else drafts",
        "if len(functions) >= 9 * len(drafts) else drafts",
        SHAPE + "[funktsii-ryadom-s-istoriyami]",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        "    return tuple(d for d in found if d.id not in stated or not is_row(d))\n",
        "    return tuple(found)\n",
        SHAPE + "[stories-with-a-table-that-sums-them-up]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        '    return BOX.sub("", block.text).replace("*", "")\n',
        '    return block.text.replace("*", "")\n',
        SHAPE + "[keinginan-dengan-kotak]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "|stakeholder|market) ){0,2}",
        "|stakeholder|repository) ){0,2}",
        SHAPE + "[features-that-are-called-summary]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "elicitation|gathering|defects?|issues|changes?|reviews?)",
        "elicitation|gathering)",
        SHAPE + "[defects-of-requirements-in-a-table]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        *(HeadingKind.CRITERIA, HeadingKind.NONFUNCTIONAL),\n",
        "        HeadingKind.CRITERIA,\n",
        SHAPE + "[hi-kinou-no-hyou-no-aru-kinou-shiyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        and (not parts or section.line in parts)\n",
        "",
        SHAPE + "[functional-decomposition-of-a-system]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "for t in (section.trail[-1], above, counted))",
        "for t in (section.trail[-1], above))",
        SHAPE + "[gongneng-mokuai-de-bianhao]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        '    return inner.startswith(f"{outer}.")\n',
        "    return False\n",
        SHAPE + "[gongneng-mokuai-de-bianhao]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "modules? fonctionnels?|módulos?",
        "módulos?",
        SHAPE + "[modules-fonctionnels]",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        "\\b(?:do|does|will) not yet\\b|",
        "",
        SHAPE + "[scope-and-what-is-not-required-yet]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        "(?:current |overall |product |project )?scope",
        "scope",
        SHAPE + "[scope-and-what-is-not-required-yet]",
    ),
    PlantedFault(
        "core/spec/items.py",
        "_STRUCK.match(words) is not None",
        "False",
        TITLES + "test_a_struck_out_disabled_requirement_is_not_planned",
    ),
    PlantedFault(
        "core/spec/columns.py",
        "definition of done|accept|",
        "accept|",
        TITLES + "test_a_definition_of_done_column_has_the_criteria",
    ),
    PlantedFault(
        "core/plan/sign_in.py",
        "|(?<!\\w )registration|",
        "|registration|",
        PLANS + "test_registering_a_thing_is_not_a_sign_in",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "if not is_left_out and (roles or 3 * wishes >= 2 * len(items)):",
        "if not is_left_out and wishes == len(items):",
        SHAPE + "[wishes-two-to-a-section]",
    ),
    PlantedFault(
        "core/spec/wishes.py",
        "    if sum(len(items) for _, items in found) < _WISHES_MIN:\n",
        "    if max((len(items) for _, items in found), default=0) <= _WISHES_MIN:\n",
        SHAPE + "[wishes-two-to-a-section]",
    ),
    PlantedFault(
        "core/spec/formats/prose_items.py",
        "        if 2 * sum(seen[label] > 1 for label, _ in own) >= len(own)\n",
        "        if any(seen[label] > 1 for label, _ in own)\n",
        SHAPE + "[one-label-in-two-sections]",
    ),
    PlantedFault(
        "core/plan/naming.py",
        '        is_named = title == "" and not _KIND_OF_FOLDER.fullmatch(self._leaf)\n',
        '        is_named = title == ""\n',
        PLANS + "test_a_folder_called_after_a_kind_of_document_names_no_change",
    ),
]
