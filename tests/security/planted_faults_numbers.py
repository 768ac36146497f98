"""Faults in who reads numbers, days and nesting of others."""

from tests.testkit.planting import PlantedFault

ENDS = "test_huge_numbers.py::"
SPECS = ENDS + "test_a_spec_with_a_huge_number_is_parsed_and_planned"
ANSWER = ENDS + "test_a_review_answer_with_a_huge_number_is_invalid"
LINE = ENDS + "test_a_deeply_nested_line_is_not_an_event"
SHAPE = ENDS + "test_a_settings_file_of_any_shape_is_compared"
WAIT = ENDS + "test_an_invalid_retry_delay_is_limited"
PORT = ENDS + "test_an_invalid_port_is_refused"

NUMBER_FAULTS = [
    PlantedFault(
        "gates/junit.py",
        "fromstring(report, forbid_dtd=True)",
        "fromstring(report)",
        "test_expanding_reports.py::test_a_report_whose_declarations_multiply_is_refused",
    ),
    PlantedFault(
        "gates/sarif.py",
        "except (ValueError, RecursionError) as error:",
        "except ValueError as error:",
        "test_expanding_reports.py::test_a_report_is_read_in_linear_time",
    ),
    PlantedFault(
        "bot/core/spec/formats/kiro.py",
        r"\d{1,9}(?:\.\d{1,9})*",
        r"\d+(?:\.\d+)*",
        SPECS + "[kiro]",
    ),
    PlantedFault(
        "bot/core/spec/formats/tasks.py",
        r"(?<!\d)(\d{1,9})\.(\d{1,9})\s*[-–~]\s*(?:\1\.)?(\d{1,9})",
        r"(\d+)\.(\d+)\s*[-–~]\s*(?:\1\.)?(\d+)",
        SPECS + "[spec kit]",
    ),
    PlantedFault(
        "bot/core/spec/policy.py",
        "    except ValueError as error:\n        return _refusal(",
        "    except KeyError as error:\n        return _refusal(",
        ENDS + "test_a_policy_with_a_huge_number_is_refused",
    ),
    PlantedFault(
        "bot/core/decide/people/freeze_queue.py",
        "except (ValueError, OverflowError):",
        "except ValueError:",
        ENDS + "test_a_day_at_the_end_of_time_is_refused",
    ),
    PlantedFault(
        "bot/core/decide/changes/manual_steps.py",
        "[0-9]{1,4}",
        "[0-9]+",
        ENDS + "test_a_step_of_five_thousand_digits_is_refused",
    ),
    PlantedFault("gates/graded/findings.py", ", OverflowError", "", ANSWER),
    PlantedFault("gates/graded/findings.py", ", RecursionError)", ")", ANSWER),
    PlantedFault(
        "gates/test_guard/python_tolerance.py",
        "float(min(number, sys.float_info.max))",
        "float(number)",
        ENDS + "test_a_huge_tolerance_is_parsed",
    ),
    PlantedFault("bot/core/spec/steering/known_parts.py", " TypeError,", "", SHAPE),
    PlantedFault("bot/core/spec/steering/known_parts.py", " AttributeError,", "", SHAPE),
    PlantedFault("bot/core/talk/activity_text.py", ", RecursionError)", ")", LINE),
    PlantedFault("action/agents/contracts.py", "(ValueError, RecursionError)", "ValueError", LINE),
    PlantedFault("action/model_request.py", "KeyError, RecursionError)", "KeyError)", LINE),
    PlantedFault(
        "bot/adapters/github/classify.py",
        '_SECONDS = re.compile("[0-9]{1,10}")',
        '_SECONDS = re.compile("[0-9]+")',
        WAIT,
    ),
    PlantedFault("bot/adapters/github/classify.py", "min(asked, _WAIT_MAX)", "asked", WAIT),
    PlantedFault(
        "action/harness/http_client.py",
        "min(float(self.retry_after), _WAIT_SECONDS_MAX)",
        "float(self.retry_after)",
        WAIT,
    ),
    PlantedFault("action/harness/egress.py", "[0-9]{1,5}", "[0-9]+", PORT),
    PlantedFault("action/harness/egress.py", " or not 0 < int(port) < 65_536", "", PORT),
    PlantedFault(
        "action/harness/model_proxy.py",
        "[0-9]{1,9}",
        "[0-9]+",
        "test_model_attacks.py::test_a_body_that_is_too_large_or_endless_is_not_read",
    ),
]

BLANKS = "test_linear_time_of_agents.py::test_untrusted_text_is_read_in_linear_time"
PATTERN_FAULTS = [
    PlantedFault(
        "action/agents/prompt.py",
        r"<(\s*+(?:/\s*+)?",
        r"<(\s*/?\s*",
        f"action/{BLANKS}[an open frame]",
    ),
    PlantedFault(
        "action/harness/artefacts.py",
        r"(\S(?:.*\S)?)",
        r"(\S.*?)",
        f"action/{BLANKS}[a box of blanks]",
    ),
    PlantedFault(
        "action/agents/shell_line.py",
        r"\bdo\b)[^\S\n]*+",
        r"\bdo\b)\s*",
        f"action/{BLANKS}[blank lines of a command]",
    ),
    PlantedFault(
        "action/agents/shell_line.py",
        r"*+(?:\"|\Z)",
        r"*\"",
        f"action/{BLANKS}[quotes of a command]",
    ),
    PlantedFault(
        "bot/core/values/quoting.py",
        r"<\s*+(/?)\s*+quoted",
        r"<\s*(/?)\s*quoted",
        "core/spec/test_linear_time.py::test_readers_of_comments_and_tests_take_linear_time[quoted for a model]",
    ),
    PlantedFault(
        "gates/test_guard/thresholds.py",
        r"(?:\s*+[=:]\s*+|\s++)",
        r"\s*[=:\s]\s*",
        "gates/test_linear_time_of_tests.py::test_a_threshold_of_blanks_is_read_in_linear_time",
    ),
]
