"""Faults in what keeps unseen characters from agents and models."""

from tests.testkit.planting import PlantedFault

UNSEEN = "test_invisible_text.py::"

UNSEEN_FAULTS = [
    PlantedFault(
        "bot/core/spec/reading.py",
        "in unseen_in(lines):",
        "in ():",
        UNSEEN + "test_text_hidden_from_people_stops_the_plan",
    ),
    PlantedFault(
        "bot/core/spec/unseen_text.py",
        "        if Unseen.STRAY in found:\n",
        "        if False:\n",
        UNSEEN + "test_an_invisible_character_is_reported",
    ),
    PlantedFault(
        "bot/core/spec/triage/silenced.py",
        ', "hidden_text"',
        "",
        UNSEEN + "test_text_hidden_from_people_stops_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "or len(run) >= _MANY else",
        "else",
        UNSEEN + "test_text_hidden_from_people_stops_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "\U000e0061-\U000e007a]{3,6}".encode("unicode_escape").decode(),
        "\U000e0061-\U000e007a]{3,}".encode("unicode_escape").decode(),
        UNSEEN + "test_text_hidden_from_people_stops_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "(end - start < _MANY and lines.turn_at(start, end))",
        "lines.turn_at(start, end)",
        UNSEEN + "test_text_hidden_from_people_stops_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "        is_of_script = any(_JOINED.match(c) for c in (before, after) if c)\n",
        "        is_of_script = False\n",
        UNSEEN + "test_letters_and_emoji_are_kept_unchanged",
    ),
    PlantedFault(
        "bot/core/spec/read.py",
        "tuple(unseen_beside(path, files, chosen))",
        "()",
        UNSEEN + "test_hidden_words_beside_a_spec_stop_the_plan",
    ),
    PlantedFault(
        "action/agents/prompt.py",
        'r"< \\1", without_unseen_characters(text))',
        'r"< \\1", text)',
        UNSEEN + "test_hidden_text_does_not_reach_the_agent",
    ),
    PlantedFault(
        "action/agents/tools.py",
        "text=spelled_out(answer.text)",
        "text=answer.text",
        UNSEEN + "test_invisible_characters_of_tool_output_are_escaped",
    ),
    PlantedFault(
        "action/agents/rounds.py",
        "spelled_out(output)",
        "output",
        UNSEEN + "test_invisible_characters_of_tool_output_are_escaped",
    ),
    PlantedFault(
        "gates/graded/chunks.py",
        'spelled_out(content.decode(errors="backslashreplace"))',
        'content.decode(errors="backslashreplace")',
        UNSEEN + "test_invisible_characters_are_shown_to_reviewing_models_as_code_points",
    ),
    PlantedFault(
        "bot/core/values/quoting.py",
        "without_unseen_characters(shown)",
        "shown",
        UNSEEN + "test_hidden_text_does_not_reach_models",
    ),
    PlantedFault(
        "bot/core/talk/text.py",
        'UNSEEN.sub("", without_unseen_characters(text))',
        'UNSEEN.sub("", text)',
        UNSEEN + "test_the_bot_repeats_no_hidden_words",
    ),
]
