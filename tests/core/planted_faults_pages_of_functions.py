"""A fault for every guard of pages of functions, of criteria below headings, and of numbered headings."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_what_a_reader_marks_is_what_is_read"

PAGES_OF_FUNCTIONS_FAULTS = [
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "    listed = {row.line_start: row for row in rows_of_functions(sections)}\n",
        "    listed = {row.line_start: row for row in rows_of_functions([])}\n",
        SHAPE + "[kinou-ichiran-no-hyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "                scenarios = criteria_of(chosen, position, end)\n",
        "                scenarios = criteria_of(chosen, position, section.line)\n",
        SHAPE + "[criteres-sous-chaque-titre]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    return HeadingKind.CRITERIA in kinds[:2] and not any(\n",
        "    return HeadingKind.CRITERIA in kinds[-1:] and not any(\n",
        SHAPE + "[criteres-par-chapitre]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if is_whole and (named := _criterion_of_heading(section)):\n        return (named,)\n",
        "",
        SHAPE + "[abnahmekriterien-mit-kuerzeln]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "    if is_plain or sum(map(bool, depths)) < _NUMBERED_MIN:\n",
        "    if is_plain or depths:\n",
        SHAPE + "[numbers-say-the-levels]",
    ),
    PlantedFault(
        "core/spec/formats/criteria.py",
        "        or criteria_in_lines(section.between(0, end))\n",
        "",
        SHAPE + "[parts-with-a-criterion-in-a-line]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "    criteria = criteria or criteria_in_lines(nested)\n",
        "",
        SHAPE + "[un-criterio-en-su-linea]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        " or told or criteria_in_lines(section.between(0, end))\n",
        " or told\n",
        SHAPE + "[hangmok-ui-suyong-gijun]",
    ),
    PlantedFault(
        "core/spec/formats/id_filters.py",
        " or d.line_start in lettered\n",
        "\n",
        SHAPE + "[hangmok-ui-suyong-gijun]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        " or _fenced(source, part)\n",
        "\n",
        SHAPE + "[criteres-dans-un-bloc-gherkin]",
    ),
    PlantedFault(
        "core/spec/stories.py",
        "    if not is_beside and any(",
        "    if any(",
        SHAPE + "[steps-with-ids-in-fences]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        "        scenarios = scenarios or fenced_steps(source, definition.line_start, end)\n",
        "",
        SHAPE + "[steps-with-ids-in-fences]",
    ),
    PlantedFault(
        "core/spec/items.py",
        '        elif letters and letters[1].partition("-")[0] in families:\n',
        "        elif letters and not families:\n",
        SHAPE + "[ids-of-letters-in-a-column-of-ids]",
    ),
    PlantedFault(
        "core/spec/items.py",
        "        if dotted:\n",
        "        if dotted and families:\n",
        SHAPE + "[codici-con-il-punto]",
    ),
    PlantedFault(
        "core/spec/formats/prose_titles.py",
        "        if is_list and not rows:\n",
        "        if not is_list and not rows:\n",
        SHAPE + "[ichiran-no-kajougaki]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "    return _sections(source, heads or _bold_lines(source))\n",
        "    return _sections(source, heads)\n",
        SHAPE + "[titres-en-gras]",
    ),
    PlantedFault(
        "core/spec/outline.py",
        "last.kind is BlockKind.ITEM and _ID_LINE.match(text)\n",
        "False\n",
        SHAPE + "[kigou-no-gyou]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "_paragraphs(sections) or _binding(",
        "_binding(",
        SHAPE + "[anforderungen-in-absaetzen]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "                or section.line in beside\n",
        "",
        SHAPE + "[spiski-ryadom]",
    ),
]
