"""Faults in what is taken from runners."""

from tests.testkit.planting import PlantedFault

SAY = "test_runner_reports.py::"
DOING = SAY + "test_numbers_in_the_status_of_a_run_must_be_readable"

TOKENS = "test_oidc_tokens.py::test_a_forged_token_is_refused"
OIDC = "bot/entry/web/oidc.py"

WORDS = "test_untrusted_text.py::"
DRAWN = WORDS + "test_github_markup_in_quoted_text_is_shown_literally"
TEXT = "bot/core/talk/text.py"

COSTLY = "test_costly_patterns.py::test_every_pattern_takes_linear_time"
LOOPS = "test_costly_loops.py::test_every_function_takes_linear_time"

COST_FAULTS = [
    PlantedFault(
        "bot/core/talk/text.py",
        'flat = " ".join(without_unseen(text).split())',
        'flat = " ".join(text.split())',
        "test_untrusted_text.py::test_control_characters_of_others_appear_in_no_text",
    ),
    # A pattern and loops that are new: nobody has written a test for them.
    PlantedFault(
        "gates/remarks.py",
        "_LEVELS = {\n",
        '_NEW = re.compile(r"\\s+;$")\n_LEVELS = {\n',
        COSTLY + "[gates]",
    ),
    PlantedFault(
        "gates/test_guard/aware.py",
        r"|^[ \t]*(?:from|import) _pytest\b",
        r"|^\s*(?:from|import) _pytest\b",
        COSTLY + "[gates]",
    ),
    PlantedFault(
        "bot/core/talk/text.py",
        "def cut(text: str, characters_max: int = BODY_CHARACTERS_MAX) -> str:\n",
        "def new_reader(text: str) -> int:\n"
        '    at, found = text.find("`"), 0\n'
        "    while at >= 0:\n"
        '        text, found = text[at + 1 :], found + sum(c == " " for c in text)\n'
        '        at = text.find("`")\n'
        "    return found\n\n\n"
        "def cut(text: str, characters_max: int = BODY_CHARACTERS_MAX) -> str:\n",
        LOOPS + "[bot.core.talk]",
    ),
    PlantedFault(
        "bot/core/spec/steering/known_files.py",
        'while folder.strip("/"):',
        "while folder:",
        LOOPS + "[bot.core.spec.steering]",
    ),
    PlantedFault(
        "bot/core/plan/loose_ends.py",
        "    while end > 1 and _is_loose(words[end - 2], words[end - 1]):\n",
        "    while end > 1 and _is_loose(words[:end][-2], words[end - 1]):\n",
        LOOPS + "[bot.core.plan]",
    ),
    PlantedFault(
        "bot/localhub/web/flowchart.py",
        r"(TD|TB|BT|LR|RL)\s*+;?\s*+$",
        r"(TD|TB|BT|LR|RL)\s*;?\s*$",
        COSTLY + "[bot.localhub]",
    ),
]

REQUEST = "action/model_request.py"
LAX = "test_ambiguous_requests.py::"
ONE_WAY = LAX + "test_a_message_has_only_one_reading"
RESPONSE = LAX + "test_a_response_request_has_only_one_form"

LAX_FAULTS = [
    PlantedFault(REQUEST, "memory|computer)_[0-9]{8})", r"memory|computer)_\d{8})", ONE_WAY),
    PlantedFault(REQUEST, "clear_[a-z_]+_[0-9]{8}", r"clear_[a-z_]+_\d{8}", ONE_WAY),
    PlantedFault(
        REQUEST, 'any("role" not in message', 'any(False and "role" not in message', ONE_WAY
    ),
    PlantedFault(
        REQUEST,
        "        if not isinstance(asked.get(key), kind | None):\n",
        "        if False:\n",
        ONE_WAY,
    ),
    PlantedFault(REQUEST, 'source.keys() <= {"type", *_SOURCES.get(kind, ())}', "True", ONE_WAY),
    PlantedFault(REQUEST, '_is_one(choice.get("type"), _TOOL_CHOICES)', "True", ONE_WAY),
    PlantedFault(REQUEST, "    yield from _responses_tool_faults(choice)\n", "", RESPONSE),
    PlantedFault(REQUEST, '[\\w.+/-]{1,80};base64,"', '"', RESPONSE),
]

EGRESS, SANDBOX_DOORS = "action/harness/egress.py", "test_sandbox_connections.py::"
DOOR_FAULTS = [
    PlantedFault(
        "action/harness/model_proxy.py",
        "if not isinstance(sys.exc_info()[1], OSError):",
        "if sys.exc_info()[1]:",
        SANDBOX_DOORS + "test_a_disconnecting_agent_leaves_no_traceback_in_the_log",
    ),
    PlantedFault(
        "action/harness/model_proxy.py",
        '        except ValueError:\n            return "", ""\n',
        '        except KeyError:\n            return "", ""\n',
        SANDBOX_DOORS + "test_another_spelling_of_a_path_is_refused",
    ),
    PlantedFault(
        EGRESS,
        " and len(self.server.refused) < _TOLD_MAX",
        "",
        SANDBOX_DOORS + "test_the_list_of_refused_hosts_is_limited",
    ),
    PlantedFault(
        EGRESS,
        "[A-Za-z0-9._:-]{1,255}",
        "[^\\n]+",
        SANDBOX_DOORS + "test_an_invalid_host_name_is_refused",
    ),
    PlantedFault(
        EGRESS,
        "(OSError, UnicodeError)",
        "OSError",
        SANDBOX_DOORS + "test_a_listed_name_that_cannot_be_resolved_is_answered",
    ),
]

MACHINES = "test_our_own_machines.py::"
MACHINE_FAULTS = [
    PlantedFault(
        ".github/workflows/ci.yml",
        "head.repo.full_name == github.repository",
        "head.repo.full_name != ''",
        MACHINES + "test_a_strangers_pull_never_runs_on_our_own_machines[ci.yml]",
    ),
    PlantedFault(
        ".github/workflows/ci.yml",
        'git fetch -q --depth=1 "$SERVER/$REPOSITORY.git" "$COMMIT"',
        'git -c "http.extraHeader=$TOKEN" fetch -q --depth=1 "$SERVER/$REPOSITORY.git" "$COMMIT"',
        MACHINES + "test_our_ci_passes_no_token_on_a_command_line[ci.yml]",
    ),
]

TREES = "bot/adapters/git/inspection.py"
SAME_NAME = WORDS + "test_a_name_is_the_same_wherever_it_is_read"

WORD_FAULTS = [
    PlantedFault(TREES, "_SHORT_NAME.fullmatch(part)", "False", SAME_NAME),
    PlantedFault(TREES, " in _NO_LETTERS\n", ' == "Cc"\n', SAME_NAME),
    PlantedFault(TREES, "unicodedata.bidirectional(letter) in _TURNING", "False", SAME_NAME),
    PlantedFault(
        "gates/unseen.py",
        "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f",
        "\\u200b-\\u200f\\u202a-\\u202e",
        SAME_NAME,
    ),
    PlantedFault(TEXT, r"|\[(?=!|[ xX]\])", "", DRAWN),
    PlantedFault(TEXT, r"|\$(?=[$`]|[^$\n]*\$)", "", DRAWN),
    PlantedFault(TEXT, "    return _LANGUAGE.sub(_parted, _ACTS", "    return str(_ACTS", DRAWN),
    PlantedFault(
        "bot/core/talk/commit.py",
        'f"Requirement: {plain(r)}"',
        'f"Requirement: {r}"',
        WORDS + "test_quoted_text_never_becomes_a_commit_trailer",
    ),
    PlantedFault(
        "bot/entry/terminal.py",
        "segment._replace(text=without_unseen(segment.text))",
        "segment",
        "test_terminals.py::test_text_of_a_spec_never_reaches_the_terminal_as_an_escape[plan for programs]",
    ),
    PlantedFault(
        "bot/entry/terminal.py",
        '{"markup": False, **how}',
        "how",
        "test_terminals.py::test_text_of_a_spec_never_reaches_the_terminal_as_an_escape[no such file]",
    ),
]

RUNNER_FAULTS = [
    PlantedFault(OIDC, " and 0 <= value < _LATEST:", ":", TOKENS + "[an end beyond all numbers]"),
    PlantedFault(OIDC, '"strict_aud": True', '"strict_aud": False', TOKENS + "[several audiences]"),
    PlantedFault(
        "bot/shell/orders.py",
        "ClaimedNumber = Annotated[int, Field(ge=0, lt=2**63)]",
        "ClaimedNumber = int",
        TOKENS + "[a repository below nothing]",
    ),
    PlantedFault(
        "action/report.py",
        "Count = Annotated[int, Field(ge=0, le=_COUNT_MAX)]",
        "Count = Annotated[int, Field(ge=0)]",
        SAY + "test_numbers_in_an_agent_report_must_be_plausible[turns without end]",
    ),
    PlantedFault(
        "action/report.py",
        "    if not all(0 <= kind <= _COUNT_MAX for kind in kinds):\n",
        "    if False:\n",
        SAY + "test_numbers_in_an_agent_report_must_be_plausible[tokens without end]",
    ),
    PlantedFault(
        "action/report.py",
        "if not all(0 <= number <= _COUNT_MAX for number in _numbers(asdict(signed))):",
        "if False:",
        SAY + "test_numbers_in_a_gate_report_must_be_plausible[tests without end]",
    ),
    PlantedFault(
        "action/report.py",
        "(*report.results, *report.doubts)",
        "report.results",
        SAY + "test_numbers_of_an_earlier_gate_run_must_be_plausible",
    ),
    PlantedFault(
        "action/report.py",
        "        case list() | tuple():\n            for one in value:",
        "        case list():\n            for one in value:",
        SAY + "test_numbers_in_a_gate_report_must_be_plausible[a line without end]",
    ),
    PlantedFault(
        "action/report.py",
        "exit_code=abs(result.exit_code or 0)",
        "exit_code=result.exit_code or 0",
        SAY + "test_a_program_that_a_signal_ended_is_reported",
    ),
    PlantedFault(
        "action/report.py",
        "    ticked: Count = 0\n",
        "    ticked: int = 0\n",
        SAY + "test_numbers_in_an_agent_report_must_be_plausible[ticks below nothing]",
    ),
    PlantedFault(
        "action/report.py",
        'frozen=True, extra="forbid", allow_inf_nan=False',
        'frozen=True, extra="forbid"',
        DOING + "[dollars]",
    ),
    PlantedFault(
        "action/order.py",
        "    first: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0\n",
        "    first: int = 0\n",
        DOING + "[a late line]",
    ),
    PlantedFault(
        "action/order.py",
        '    order_id: Annotated[str, Field(max_length=40, pattern=r"^[!-~]+$")]\n    oidc_token',
        "    order_id: str\n    oidc_token",
        SAY + "test_the_name_of_an_order_is_short[]",
    ),
    PlantedFault(
        "bot/shell/orders.py",
        "redacted_texts(report.model_dump())",
        "report.model_dump()",
        "test_secrets_in_reports.py::test_texts_of_a_report_contain_no_secret",
    ),
    PlantedFault(
        "action/redaction.py",
        "tuple(_redacted_each(one) for one in value)",
        "value",
        "test_secrets_in_reports.py::test_texts_of_a_report_contain_no_secret",
    ),
    PlantedFault(
        "action/redaction.py",
        "        if len(found) > _SECRETS_MAX:\n",
        "        if False:\n",
        "test_secrets_in_reports.py::test_a_text_of_keys_is_looked_through_in_linear_time",
    ),
    PlantedFault(
        "bot/shell/orders.py",
        'redacted(line.replace("\\0", "\\ufffd"))',
        "redacted(line)",
        SAY + "test_a_zero_character_is_replaced",
    ),
    PlantedFault(
        "bot/core/talk/checks.py",
        "    start = min(max(annotation.line_start, 1), LINE_MAX)\n",
        "    start = max(annotation.line_start, 1)\n",
        "test_untrusted_text.py::test_an_annotation_has_a_line_that_github_accepts",
    ),
    PlantedFault(
        "gates/sarif.py",
        "self.by_id.get(id_, {}) if isinstance(id_, str) else {}",
        'next((one for one in self.rules if one.get("id") == id_), {})',
        "gates/test_linear_time_of_tests.py::test_results_of_many_rules_are_read_in_linear_time[r{n}]",
    ),
]
