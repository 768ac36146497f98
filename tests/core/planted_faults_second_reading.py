"""A fault for every guard of what the second reading of other people's pages added, and its test."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
COUNTED = "core/spec/test_requirement_counts.py::"
WISHES = "core/spec/wishes.py"
ITEMS = "core/spec/items.py"
ROWS = "core/spec/formats/prose_rows.py"
PROSE_ITEMS = "core/spec/formats/prose_items.py"
LISTS = "core/spec/formats/prose_lists.py"
FILTERS = "core/spec/formats/id_filters.py"
CRITERIA = "core/spec/formats/criteria.py"
FIELDS = "core/spec/formats/story_fields.py"
OUTLINE = "core/spec/outline.py"
COLUMNS = "core/spec/columns.py"

SECOND_READING_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        '[b.marker.strip("(.)、") for b in s.blocks',
        '[str(int(b.marker.strip("(.)"))) for b in s.blocks',
        "core/spec/test_second_reading.py::test_numbers_of_any_form_are_read_on_a_page_of_requirements",
    ),
    PlantedFault(
        WISHES,
        "        is_own = told and is_of_role and 0 < len(own) == len(items)\n",
        "        is_own = False\n",
        SHAPE + "[roles-without-as]",
    ),
    PlantedFault(
        WISHES,
        "_ROLE.match(section.title) and not wishes",
        "False",
        SHAPE + "[roles-over-plain-lists]",
    ),
    PlantedFault(
        WISHES,
        "        if is_told_by_one and ",
        "        if False and ",
        SHAPE + "[recits-dits-par-une-personne]",
    ),
    PlantedFault(
        WISHES,
        "        rows_of_stories,\n",
        "",
        SHAPE + "[stories-in-a-table-without-wishes]",
    ),
    PlantedFault(
        "core/spec/story_tables.py",
        "        if trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE:\n            continue\n",
        "",
        SHAPE + "[stories-in-a-table-without-wishes]",
    ),
    PlantedFault(
        WISHES,
        "    told = told or fenced_lists(source, section, end)\n",
        "",
        SHAPE + "[criteria-as-yaml-in-a-fence]",
    ),
    PlantedFault(
        CRITERIA,
        "        if not is_item and (_YAML_KEY.match(text) or own == 0):\n",
        "        if not is_item and _YAML_KEY.match(text):\n",
        "core/spec/test_second_reading.py::test_other_lists_in_a_code_block_are_not_criteria",
    ),
    PlantedFault(
        CRITERIA,
        "        is_next = kind is StepKind.WHEN and (is_told or not is_given)\n",
        "        is_next = False\n",
        SHAPE + "[examples-that-begin-with-a-when]",
    ),
    PlantedFault(
        WISHES,
        "        stories_of_fields,\n",
        "",
        SHAPE + "[stories-in-blocks-of-bold-fields]",
    ),
    PlantedFault(
        OUTLINE,
        '    if text.endswith("\\\\"):\n',
        '    if text.endswith("\\\\\\\\\\\\"):\n',
        SHAPE + "[lines-that-end-with-a-backslash]",
    ),
    PlantedFault(
        COLUMNS,
        "    return len(short) == len(cells) and len(named) >= _COLUMNS_MIN\n",
        "    return False\n",
        SHAPE + "[tables-without-a-line-below-their-header]",
    ),
    PlantedFault(
        COLUMNS,
        "(_LEFT_OUT.match(cell) and _SCOPE.search(header[at]))",
        "False",
        SHAPE + "[gyou-no-shirushi]",
    ),
    PlantedFault(
        ROWS,
        "if n == column or not (is_sign(c) or any(",
        "if n == column or not (any(",
        COUNTED + "test_a_mark_in_a_release_column_is_not_part_of_the_text",
    ),
    PlantedFault(
        ROWS,
        "    if len(header) > 2 and any(header) and not _ID_LABEL.match(header[0]):\n        return []\n",
        "",
        SHAPE + "[gongneng-yong-biao-miaoshu]",
    ),
    PlantedFault(
        ITEMS,
        '    found = _ID_START.match(_SPACED_ID.sub(r"\\1", text, count=1))\n',
        "    found = _ID_START.match(text)\n",
        SHAPE + "[ids-with-a-space-below-plain-lines]",
    ),
    PlantedFault(
        ITEMS,
        '    text = _BETWEEN_SLASHES.sub(r"\\1\\2: ", text, count=1) if "/" in text[:5] else text\n',
        "",
        SHAPE + "[nummern-zwischen-schraegstrichen]",
    ),
    PlantedFault(
        "core/spec/id_cells.py",
        '_CELL = re.compile(rf"[*_`~\\[/]*+',
        '_CELL = re.compile(rf"[*_`~\\[]*+',
        SHAPE + "[nummern-zwischen-schraegstrichen]",
    ),
    PlantedFault(
        FILTERS,
        "    if len(told) < 2:\n",
        "    if told:\n",
        SHAPE + "[stories-numbered-with-one-letter]",
    ),
    PlantedFault(
        FILTERS,
        'for d in found if d.position is not None for mark in ".-"}',
        'for d in found if d.position is not None for mark in "."}',
        SHAPE + "[groups-above-ids-with-hyphens]",
    ),
    PlantedFault(
        LISTS,
        " and section.line not in goals and ",
        " and ",
        SHAPE + "[requisitos-de-negocio-sao-objetivos]",
    ),
    PlantedFault(
        LISTS,
        "    if any(is_normative(b) for s in goals for b in s.blocks):\n",
        "    if not goals:\n",
        "core/spec/test_second_reading.py::test_requirements_of_the_business_that_bind_are_read",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "        if trail_kind(section.titles) is HeadingKind.OUT_OF_SCOPE:\n            continue\n",
        "",
        SHAPE + "[inclus-et-exclu-du-mvp]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "                is_judged = is_judged or _is_for_later(label)\n",
        "",
        SHAPE + "[ideas-for-later-below-a-label]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        "    whole = len(starts) > 1 and 5 * len(starts) >= 4 * len(items)\n",
        "    whole = len(starts) > 1 and len(starts) == len(items)\n",
        SHAPE + "[chuga-gineung]",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "    items = _below_names(part, items)\n",
        "",
        SHAPE + "[kiro-criteria-in-layers]",
    ),
    PlantedFault(
        "core/spec/formats/kiro.py",
        "        if not (is_name and below and all(_BINDS.search(b.text) for b in below)):\n",
        "        if not (below and all(_BINDS.search(b.text) for b in below)):\n",
        "core/spec/test_second_reading.py::test_criteria_with_conditions_below_are_not_names",
    ),
    PlantedFault(
        "core/spec/reading.py",
        '    return "" if _ISSUE.fullmatch(found[2]) else found[2]\n',
        "    return found[2]\n",
        COUNTED + "test_an_issue_number_in_small_print_is_removed_from_a_name",
    ),
    PlantedFault(
        "core/spec/triage/words.py",
        'r"vaatimu|wymagan|reguły',
        'r"wymagan|reguły',
        SHAPE + "[toiminnalliset-vaatimukset]",
    ),
    PlantedFault(
        "core/spec/formats/prose_words.py",
        'r"\\b\\w{2,40}(?:na|nä)(?: \\w{2,40}){0,3},? (?:minä )?(?:haluan|haluaisin|voin|tarvitsen)\\b|"\n',
        'r""\n',
        SHAPE + "[kayttajatarinat]",
    ),
]
