"""A fault for each guard that tells what keeps all that tests say from what says less."""

from tests.testkit.planting import PlantedFault

_HERE = "gates/test_tests_gate.py::"
_MESSAGES, _ASSERTIONS = "messages.py", "lexed_assertions.py"


def _tells(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_honest_work_on_tests_is_no_finding[{case}-]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_what_is_taken_from_tests_is_found[kept {case}]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


KEPT_FAULTS = [
    _tells(
        "a message that computes in Rust", _MESSAGES, "if asked else call", "if False else call"
    ),
    _tells(
        "a message that computes in JavaScript",
        _ASSERTIONS,
        "arguments(whole[2 : closing(whole, 1)], 1)",
        "whole[2 : closing(whole, 1)]",
    ),
    _lives("Rust: a value in the message", _MESSAGES, '    "assert": 1,\n', ""),
    _lives("JavaScript: a value in the message", _MESSAGES, '    "assert": 1,\n', ""),
    _lives("JavaScript: a plain assertion is gone", _ASSERTIONS, " and whole is not matcher", ""),
    _lives("JavaScript: the same twice", _ASSERTIONS, " or whole[0].text in _TAP", ""),
]
