"""A fault for every guard of what pages of requirements mean, and the shape of a page that dies of it."""

from tests.testkit.planting import PlantedFault

SHAPE = "core/spec/test_shapes.py::test_readers_find_exactly_the_marked_requirements"
NUMBERS = "core/spec/heading_numbers.py"
WORDS = "core/spec/triage/words.py"
PROSE_ITEMS = "core/spec/formats/prose_items.py"
FAMILIES = "core/spec/formats/id_families.py"
FILTERS = "core/spec/formats/id_filters.py"

REQUIREMENT_PAGE_FAULTS = [
    PlantedFault(
        NUMBERS,
        "    return found if moved > 1 else heads\n",
        "    return heads\n",
        SHAPE + "[numeros-sur-un-seul-niveau]",
    ),
    PlantedFault(
        NUMBERS,
        "if len(parts) > 1 else heads\n",
        "if len(parts) > 9 else heads\n",
        SHAPE + "[teile-als-zeilen-mit-nummern]",
    ),
    PlantedFault(
        PROSE_ITEMS,
        '_BOTH_SCOPES.sub("", block.text)',
        "block.text",
        SHAPE + "[numeros-sur-un-seul-niveau]",
    ),
    PlantedFault(
        "core/spec/formats/prose.py",
        "NOT_A_FEATURE.search(t) or TELLS_WHY.match(t) for t",
        "NOT_A_FEATURE.search(t) for t",
        SHAPE + "[numeros-sur-un-seul-niveau]",
    ),
    PlantedFault(
        WORDS,
        r"(?:[ -](?:features?|functions?|functionality|requirements?|",
        r"(?:[ -](?:functions?|functionality|requirements?|",
        SHAPE + "[must-have-features]",
    ),
    PlantedFault(
        WORDS,
        "функционал(?:ьность)?|",
        "",
        SHAPE + "[funktsional-i-odin-interfeis]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "PART.match(section.title) and not says_only_requirements(section.title)\n",
        "PART.match(section.title)\n",
        SHAPE + "[anforderungen-mit-einem-kann]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "3 * len(parts) >= 5 * len(homes)",
        "len(parts) >= 2 * len(homes)",
        SHAPE + "[lastenheft-mit-drei-von-fuenf-teilen]",
    ),
    PlantedFault(
        "core/spec/reading.py",
        "    if len(marked) < _ESCAPES_MIN:\n",
        "    if marked:\n",
        SHAPE + "[marks-behind-strokes]",
    ),
    PlantedFault(
        FAMILIES,
        "if letters_of(d.id) in asked and",
        "if letters_of(d.id) in () and",
        SHAPE + "[letters-that-no-list-knows]",
    ),
    PlantedFault(
        FAMILIES,
        "    is_row = any(_COLUMN.search(cell) for cell in header)\n",
        "    is_row = True\n",
        SHAPE + "[families-spread-over-parts]",
    ),
    PlantedFault(
        FAMILIES,
        "is_spread = len({d.section.line for d in here}) > 1",
        "is_spread = False",
        SHAPE + "[families-spread-over-parts]",
    ),
    PlantedFault(
        FAMILIES,
        "        if letters_of(d.id) in judging\n",
        "        if letters_of(d.id) in ()\n",
        SHAPE + "[abnahmetests-in-einer-tabelle]",
    ),
    PlantedFault(
        FILTERS,
        " or letters_of(one.id) in binding\n",
        "\n",
        SHAPE + "[families-beside-known-ids]",
    ),
    PlantedFault(
        "core/spec/item_kinds.py",
        '"NFR RNF NF NFA ENF',
        '"NFR RNF NF ENF',
        SHAPE + "[abnahmetests-in-einer-tabelle]",
    ),
    PlantedFault(
        "core/spec/formats/req_id.py",
        'in {"R", "C"}',
        'in {"R", "C"} - set(families)',
        SHAPE + "[r-ids-in-both-chapters]",
    ),
    PlantedFault(
        "core/spec/formats/prose_lists.py",
        "_beside_functions(sections) | _prerequisites(sections)",
        "_beside_functions(sections)",
        SHAPE + "[pre-requisitos-de-um-curso]",
    ),
    PlantedFault(
        "core/spec/formats/prose_chapters.py",
        "if is_told and not _names_parts(section, titles):",
        "if is_told:",
        SHAPE + "[gamen-ichiran-to-shousai]",
    ),
]
