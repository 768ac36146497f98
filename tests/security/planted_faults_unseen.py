"""Faults in what keeps unseen characters from agents and models."""

from tests.testkit.planting import PlantedFault

UNSEEN = "test_unseen_text.py::"

UNSEEN_FAULTS = [
    PlantedFault(
        "bot/core/spec/reading.py",
        "in unseen_in(lines):",
        "in ():",
        UNSEEN + "test_words_for_agents_alone_stop_the_plan",
    ),
    PlantedFault(
        "bot/core/spec/unseen_text.py",
        "        if Unseen.STRAY in found:\n",
        "        if False:\n",
        UNSEEN + "test_a_character_that_is_not_seen_is_told",
    ),
    PlantedFault(
        "bot/core/spec/triage/silenced.py",
        ', "hidden_text"',
        "",
        UNSEEN + "test_words_for_agents_alone_stop_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "or len(run) >= _MANY else",
        "else",
        UNSEEN + "test_words_for_agents_alone_stop_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "\U000e0061-\U000e007a]{3,6}".encode("unicode_escape").decode(),
        "\U000e0061-\U000e007a]{3,}".encode("unicode_escape").decode(),
        UNSEEN + "test_words_for_agents_alone_stop_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "(end - start < _MANY and lines.turn_at(start, end))",
        "lines.turn_at(start, end)",
        UNSEEN + "test_words_for_agents_alone_stop_the_plan",
    ),
    PlantedFault(
        "gates/unseen.py",
        "        is_of_script = any(_JOINED.match(c) for c in (before, after) if c)\n",
        "        is_of_script = False\n",
        UNSEEN + "test_letters_and_emoji_are_whole",
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
        UNSEEN + "test_an_agent_is_told_what_people_see",
    ),
    PlantedFault(
        "action/agents/tools.py",
        "text=spelled_out(answer.text)",
        "text=answer.text",
        UNSEEN + "test_what_a_tool_shows_is_spelled_out",
    ),
    PlantedFault(
        "action/agents/rounds.py",
        "spelled_out(output)",
        "output",
        UNSEEN + "test_what_a_tool_shows_is_spelled_out",
    ),
    PlantedFault(
        "gates/graded/chunks.py",
        'spelled_out(content.decode(errors="backslashreplace"))',
        'content.decode(errors="backslashreplace")',
        UNSEEN + "test_a_reviewing_model_is_shown_code_points",
    ),
    PlantedFault(
        "bot/core/values/quoting.py",
        "without_unseen_characters(shown)",
        "shown",
        UNSEEN + "test_models_are_told_what_people_see",
    ),
    PlantedFault(
        "bot/core/talk/text.py",
        'UNSEEN.sub("", without_unseen_characters(text))',
        'UNSEEN.sub("", text)',
        UNSEEN + "test_the_bot_repeats_no_hidden_words",
    ),
]
