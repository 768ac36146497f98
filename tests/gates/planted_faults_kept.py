"""A fault for each guard that tells what keeps all that tests say from what says less."""

from tests.testkit.planting import PlantedFault

_HERE = "gates/test_tests_gate.py::"
_MESSAGES, _ASSERTIONS, _HELPERS = "messages.py", "lexed_assertions.py", "go_second_process.py"
_DOUBLES = "javascript_doubles.py"


def _tells(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_legitimate_work_on_tests_is_not_reported[{case}-]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_weakened_tests_are_found[kept {case}]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


_ROWS = "gates/test_rows_in_other_files.py::"


def _rows(
    killer: str, guard: str, fault: str, file: str = "test_guard/rows_elsewhere.py"
) -> PlantedFault:
    return PlantedFault(file, guard, fault, f"{_ROWS}{killer}")


def _as_rows(case: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_weakened_tests_are_found[rows: {case}]"
    return PlantedFault("test_guard/lexed_rows.py", guard, fault, killer)


KEPT_FAULTS = [
    *(
        _tells(
            f"tests become {case}",
            "compare.py",
            "added += _without(test.by_rows,",
            "_without(test.by_rows,",
        )
        for case in ("a table in Go", "each row in JavaScript", "a loop in Rust")
    ),
    _tells(
        "tests become rows of a type in Go",
        "lexed_rows.py",
        "_fields_of(tokens[brace - 1].text, file)",
        "[]",
    ),
    _tells(
        "tests become a loop in JavaScript",
        "lexed_rows.py",
        "given[text] for text in dict.fromkeys(texts) if text in given",
        "",
    ),
    _as_rows(
        "a value that is not asked",
        'not {"range", "func", "function", "=>"} & {one.text for one in value}',
        "True",
    ),
    _as_rows("a part of the table", 'tokens[at + 1].text in {"{", ")"}', "tokens[at + 1].text"),
    PlantedFault(
        f"test_guard/{_MESSAGES}",
        '    "expect": 1,\n',
        "",
        f"{_HERE}test_weakened_tests_are_found[rows: a value in the message]",
    ),
    _rows(
        "test_rows_may_move_into_another_file",
        'written = source + "".join(added)',
        "written = source",
    ),
    _rows("test_rows_may_move_into_another_file", "source = source.replace(use.own, rows)", "pass"),
    _rows(
        "test_rows_that_are_taken_out_again_do_not_count", ") if times[name] == 1:", ") if name:"
    ),
    _rows("test_rows_that_are_taken_out_again_do_not_count", "if own not in given:", "if own:"),
    _rows(
        "test_a_name_defined_in_two_files_is_ambiguous",
        "        if len(found) != 1:\n",
        "        if not found:\n",
    ),
    _rows(
        "test_rows_removed_later_are_missed_in_an_unchanged_test",
        "if not others:",
        "if True:",
        "pairs_of_tests.py",
    ),
    *(
        _tells(
            f"a double beside the original by {way} in TypeScript",
            _DOUBLES,
            "if replaced is None else",
            "if True else",
        )
        for way in ("import", "require", "name")
    ),
    *(
        _lives(f"TypeScript: a double of what is tested ({way})", _DOUBLES, guard, fault)
        for way, guard, fault in (
            ("by import", "if name in replaced", "if not name"),
            ("of another original", "_plain(of) != path", "False"),
            ("by a computed name", "if key.kind is Kind.SIGN:", "if False:"),
            ("by another object", "if key.kind is Kind.SIGN:", "if False:"),
            ("behind the return", 'rf"return', 'rf".*return'),
            (
                "of nothing else",
                "theirs if replaced is None else",
                "set() if replaced is None else",
            ),
        )
    ),
    _lives("modules: a double", _DOUBLES, 'sign.text in {".", "?."}', "False"),
    _lives("defaults: a double", _DOUBLES, '"default" in replaced', "False"),
    *(
        _tells(f"{case} in Go", _HELPERS, "if at not in left_out", "")
        for case in ("a helper process", "a helper process at its start", "helpers by cases")
    ),
    _tells("a helper by a name in Go", _HELPERS, 'a == name and b == "+" for', "False for"),
    _tells("a helper behind the tests in Go", _HELPERS, "range(end, len(body))", "range(0)"),
    _lives(
        "Go: a helper that is the run (by its machine)",
        _HELPERS,
        " or _OF_THE_RUN.fullmatch(plain)",
        "",
    ),
    _lives(
        "Go: a helper that is the run (by what is not there)",
        _HELPERS,
        " == (asked[3] in _EMPTY)",
        "",
    ),
    _lives(
        "Go: a helper that is the run (by another way in)",
        _HELPERS,
        "|switch os \\. Getenv \\( (\\S+) \\)) \\{",
        "|switch os \\. Getenv \\( (\\S+) \\))",
    ),
    _lives("Go: a helper that is the run (by itself)", _HELPERS, "gives_itself or ", ""),
    _lives(
        "Go: a helper that is the run (by nothing that is given)",
        _HELPERS,
        " and is_for_helpers",
        "",
    ),
    _lives(
        "Go: a helper that is the run (by an end that is none)",
        _HELPERS,
        ' and "Exit" in {one.text for one in body[brace:end]}',
        "",
    ),
    _lives(
        "Go: a helper that is the run (by the case of the run)",
        _HELPERS,
        " and said[1] not in _EMPTY",
        "",
    ),
    _tells(
        "a message that computes in Rust", _MESSAGES, "if asked else call", "if False else call"
    ),
    _tells(
        "a message that computes in JavaScript",
        _MESSAGES,
        '    "expect": 1,\n',
        "",
    ),
    _lives("Rust: a value in the message", _MESSAGES, '    "assert": 1,\n', ""),
    _lives("JavaScript: a value in the message", _MESSAGES, '    "assert": 1,\n', ""),
    _lives(
        "JavaScript: a plain assertion is gone",
        "javascript_assertions.py",
        " and whole is not matcher",
        "",
    ),
    _lives(
        "JavaScript: the same twice", "javascript_assertions.py", " or whole[0].text in _TAP", ""
    ),
]
