"""A fault for each guard of assertions in functions that nobody calls, or behind a statement that leaves its block."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[uncalled {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


UNCALLED_FAULTS = [
    PlantedFault(
        "test_guard/lexed_unused.py",
        "        if next(self.looked) > _LOOKS_MAX * len(self.body):\n            return True\n",
        "",
        "gates/test_linear_time_of_tests.py::"
        "test_a_long_chain_of_assignments_is_followed_in_linear_time",
    ),
    _lives("rust: in a box", "lexed_unused", '"Box::new", ', ""),
    _lives("rust: dropped by name", "lexed_unused", 'frozenset({"drop", ', "frozenset({"),
    _lives(
        "rust: another name",
        "lexed_unused",
        "if before in _BINDS and is_last:",
        "if before in _BINDS and False:",
    ),
    _lives("rust: with a type", "lexed_unused", 'if texts[1:2] == [":"] or (', "if ("),
    _lives(
        "rust: for each that nobody takes",
        "lexed_unused",
        "if self.language is _R and callee.text in _LAZY and",
        "if False and",
    ),
    _lives(
        "rust: it means something else",
        "lexed_unused",
        "if p < last or self._block_around(p) != around",
        "",
    ),
    _lives("rust: only otherwise", "lexed_conditions", "        | _OTHERWISE\n", ""),
    _lives(
        "go: one of several for nothing",
        "lexed_unused",
        'if "=" in texts and set(texts[: texts.index("=")]) <= {"_", ","}:',
        "if False:",
    ),
    _lives(
        "go: a second time", "lexed_blocks", "return is_once and first + 2 < at", "return False"
    ),
    _blames(
        "once in go",
        "lexed_blocks",
        "return is_once and first + 2 < at",
        "return is_once and first < at",
    ),
    _lives("go: once, if ever", "lexed_unused", '"OnceFunc", ', ""),
    _lives("go: only printed", "lexed_unused", '"Println", ', ""),
    _lives("go: only compared", "lexed_unused", "or after in _COMPARES | ", "or after in "),
    _lives(
        "go: behind a return in a run",
        "lexed_statements",
        "        yield start, reached\n",
        "        yield start, start\n",
    ),
    _lives(
        "go: behind a continue",
        "lexed_statements",
        'frozenset({"return", "break", "continue"})',
        'frozenset({"return", "break"})',
    ),
    _blames(
        "a function below in jest",
        "lexed_statements",
        "if text in _EVERYWHERE[language]:",
        "if False:",
    ),
    _blames(
        "under a condition without a block in jest",
        "lexed_statements",
        "return not opened or body[opened - 1].text not in _OF_A_CONDITION",
        "return True",
    ),
    _blames(
        "it is set around in jest", "lexed_unused", "if not self._is_declared(", "if False and ("
    ),
    PlantedFault(
        "test_guard/lexed_statements.py",
        "block = brackets.outer[at]",
        "block = brackets.outer[brackets.outer[at]]",
        f"{FOUND}[hidden rust: it may leave before]",
    ),
    _lives(
        "rust: a macro for nothing",
        "lexed_tests",
        "if gives_away(one.body, names_away)",
        "if False",
    ),
    _lives(
        "rust: a macro for its text", "rust_macros", "in living(body, Language.RUST)", "in body"
    ),
    _lives("rust: an arm of a macro", "rust_macros", "at = last + 1 + (", "return\n        ("),
    _blames(
        "a macro that asserts",
        "lexed_tests",
        "called += macros(tokens) if language is Language.RUST else ()",
        "called += ()",
    ),
    _lives("rust: lazy, if ever", "lexed_unused", '"LazyLock::new", ', ""),
    _lives(
        "rust: a future with a name",
        "lexed_unused",
        'case Language.RUST, "async":',
        'case Language.GO, "async":',
    ),
    _lives(
        "rust: behind a let that leaves",
        "lexed_conditions",
        "yield from self._behind(at + 1, self._end(at + 1))",
        "pass",
    ),
    _lives("go: in an hour", "lexed_blocks", ', "AfterFunc"}', "}"),
    _lives(
        "go: a group of none", "lexed_blocks", "if is_for_none else _WAITS", "if False else _WAITS"
    ),
    _blames("a group in go", "lexed_blocks", ' and not texts & {"Add", "Go"}', ""),
    _lives("jest: bound for nothing", "lexed_unused", 'else {"bind"}', "else set()"),
]
