"""Faults in what may be asked of a model, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

TABLES = "test_model_request.py::"
REQUEST = "model_request.py"
MESSAGES = TABLES + "test_requests_of_the_messages_api_cannot_use_network_features"
RESPONSES = TABLES + "test_requests_of_the_responses_api_cannot_use_network_features"
TWO_READERS = TABLES + "test_ambiguous_json_is_refused"
KINDS = TABLES + "test_a_type_that_is_not_a_string_is_refused"
CUT = TABLES + "test_the_output_limit_is_lowered_to_the_remaining_budget"
THINKING = TABLES + "test_thinking_is_cut_with_the_answer_or_refused"
UNKNOWN = TABLES + "test_unknown_paths_queries_and_betas_do_not_pass"

PROXY_FAULTS = [
    PlantedFault(REQUEST, "        if key not in known:\n", "        if False:\n", MESSAGES),
    PlantedFault(REQUEST, "or not is_asked_for(model, models)", "", MESSAGES),
    PlantedFault(
        REQUEST, "|memory|computer)_", "|memory|computer|web_search|web_fetch)_", MESSAGES
    ),
    PlantedFault(
        REQUEST,
        "    if not _is_one(kind, _MESSAGES_BLOCKS):\n",
        "    if False:\n",
        MESSAGES,
    ),
    PlantedFault(REQUEST, "not _is_within(source)", "False", MESSAGES),
    PlantedFault(REQUEST, '= [asked.get("system")]', "= []", MESSAGES),
    PlantedFault(REQUEST, '("tool_result", "search_result")', '("search_result",)', MESSAGES),
    PlantedFault(
        REQUEST,
        '                waiting.append(source.get("content"))\n',
        "                pass\n",
        MESSAGES,
    ),
    PlantedFault(REQUEST, "[values] if isinstance(values, dict) else values", "values", MESSAGES),
    PlantedFault(REQUEST, "    yield from _edit_faults(", "    _edit_faults(", MESSAGES),
    PlantedFault(
        REQUEST, 'not _is_one(asked.get("service_tier"), _SERVICE_TIERS)', "False", MESSAGES
    ),
    PlantedFault(REQUEST, " and not isinstance(value, bool)", "", MESSAGES),
    PlantedFault(REQUEST, "(word is None or isinstance(word, str)) and ", "", KINDS),
    PlantedFault(
        REQUEST,
        '    if not isinstance(asked.get("instructions", ""), str | None):\n',
        "    if False:\n",
        RESPONSES,
    ),
    PlantedFault(REQUEST, 'asked.get("store") not in (None, False)', "False", RESPONSES),
    PlantedFault(
        REQUEST,
        "        if not _is_one(kind, _RESPONSES_ITEMS):\n",
        "        if False:\n",
        RESPONSES,
    ),
    PlantedFault(
        REQUEST, '"message" if "role" in item else "item_reference"', '"message"', RESPONSES
    ),
    PlantedFault(REQUEST, '("content", "output", "summary")', '("content", "summary")', RESPONSES),
    PlantedFault(
        REQUEST, "    if not _is_one(kind, _RESPONSES_PARTS):\n", "    if False:\n", RESPONSES
    ),
    PlantedFault(REQUEST, '"uri", "file_url", "file_uri"', '"uri", "file_uri"', RESPONSES),
    PlantedFault(
        REQUEST, 'if found is None or ":" in text[found.end() :]:', "if False:", RESPONSES
    ),
    PlantedFault(REQUEST, 'if tool.get("execution") != "client":', "if False:", RESPONSES),
    PlantedFault(
        REQUEST,
        '        yield from _responses_tool_faults(tool.get("tools"))\n',
        "",
        RESPONSES,
    ),
    PlantedFault(
        REQUEST, '        yield from _responses_tool_faults(item.get("tools"))\n', "", RESPONSES
    ),
    PlantedFault(
        REQUEST, '(b",", b"[", b"{"))) > _VALUES_MAX', '(b",", b"[", b"{"))) < 0', TWO_READERS
    ),
    PlantedFault(
        REQUEST,
        "json.dumps(body, allow_nan=False)",
        "json.dumps(body)",
        TWO_READERS,
    ),
    PlantedFault(REQUEST, "min(self.answer_tokens, answer_tokens)", "self.answer_tokens", CUT),
    PlantedFault(REQUEST, "max(most, _OUTPUT_TOKENS_MIN)", "most", CUT),
    PlantedFault(REQUEST, "if most <= _THINKING_TOKENS_MIN:", "if False:", THINKING),
    PlantedFault(
        REQUEST,
        "sum(max(0, size - _IMAGE_BYTES_MAX) for size in sizes)",
        "0",
        TABLES + "test_a_picture_costs_by_its_size_on_the_screen",
    ),
    PlantedFault(
        REQUEST,
        'model in allowed or _DATED.sub("", model) in allowed',
        "model in allowed",
        TABLES + "test_a_dated_name_is_the_plain_one",
    ),
    PlantedFault("model_headers.py", " if b in _BETAS)", ")", UNKNOWN),
    PlantedFault(REQUEST, '"beta=true" in query.split("&")', "bool(query)", UNKNOWN),
]
