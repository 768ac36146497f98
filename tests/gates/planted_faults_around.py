"""A fault for each guard against what stands around tests."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[around {case}]")


_TESTS, _STRENGTH, _REACH = "python_tests.py", "python_strength.py", "python_reach.py"
_WHOLE, _CONDITIONS = "python_whole.py", "python_conditions.py"
_FILE, _LEXED, _ASSERTIONS = "lexed_file.py", "lexed_tests.py", "lexed_assertions.py"
AROUND_FAULTS = [
    _lives("python: a function's parts", _WHOLE, 'attr="__setattr__"', 'attr="__set__"'),
    _lives(
        "python: a module that is no test",
        "python_blocks.py",
        'id="__test__")], value=value) if is_false',
        'id="__tests__")], value=value) if is_false',
    ),
    _lives(
        "python: a hook that gives no rows",
        "python_blocks.py",
        "if generates_none(node):",
        "if False:",
    ),
    _lives("python: a global of set-up", _WHOLE, "return said & given", "return set()"),
    _lives(
        "python: rows of an empty range",
        "python_rows.py",
        "                cases = 0\n",
        "                pass\n",
    ),
    _lives("python: a patch that is started", _WHOLE, 'attr="start"', 'attr="stop"'),
    _lives("python: another way to pass", _STRENGTH, "(*each, Strength.RELATION)", "each"),
    _lives("python: a stack that lets nothing out", _REACH, 'attr="push"', 'attr="pop"'),
    _lives(
        "python: behind a loop that breaks", _CONDITIONS, " or is_for_ever or _breaks(node)", ""
    ),
    _lives(
        "python: behind what may fail",
        _CONDITIONS,
        "may_skip = is_under or not all(",
        "may_skip = is_under and not all(",
    ),
    _lives("python: what is left of a division", _STRENGTH, "ast.Mod() | ", ""),
    _lives("python: times nothing", _STRENGTH, "one.value == 0 for", "one.value == 1 for"),
    _lives("python: the larger of two", _STRENGTH, '"len" | "max"', '"len"'),
    _lives("python: a name that is free again", _TESTS, "(imports | hidden)", "imports"),
    _lives(
        "python: a coroutine that nobody waits for",
        _TESTS,
        "if id(call) in unread and",
        "if False and",
    ),
    _lives("node: a property that is defined", _FILE, '"defineProperty", ', ""),
    _lives("node: a matcher by brackets", _FILE, 'and words[1] == "["', 'and words[1] == "("'),
    _lives("node: a matcher by reflection", _FILE, '{"Object", "Reflect"}', '{"Object"}'),
    _lives(
        "node: an option by its name",
        "javascript_options.py",
        '(before is None or before.text == ",")',
        "(not before and before)",
    ),
    _lives(
        "node: options by their name", "javascript_tests.py", "lists.with_options(body)", "body"
    ),
    _lives("node: a module that is put in", "lexed_names.py", '["await", "import", "("],', ""),
    _lives(
        "node: a loader of modules", _FILE, '{"register", "registerHooks"}', '{"registerHooks"}'
    ),
    _lives("node: times nothing", "lexed_strength.py", '("*", "0"), ', ""),
    _lives("node: the larger of two", "lexed_strength.py", ', ("max", "(")', ""),
    _lives("node: or what is expected", "lexed_strength.py", '{"||", "??", "%"}', '{"??", "%"}'),
    _lives(
        "javascript: with what is equal to all",
        "javascript_assertions.py",
        'if "asymmetricMatch" in given or ',
        "if ",
    ),
    _lives(
        "javascript: a snapshot",
        "javascript_assertions.py",
        ' or "toMatchSnapshot" in {one.text for one in matcher}',
        "",
    ),
    _lives("go: its own price", "lexed_names.py", "*own, ", ""),
    _lives("go: its own variable", "lexed_names.py", ", *_go_values(tokens)}", "}"),
    _lives("go: an option of the runner", _FILE, "if words[4].strip(", "if not words[4].strip("),
    _lives("go: a run under a condition", _FILE, "not conditional[at] and (", "("),
    _lives("go: a choice that is made at once", "lexed_conditions.py", ', "select"})', "})"),
    _lives(
        "go: not another value",
        _ASSERTIONS,
        "any(t.kind is Kind.NUMBER for t in condition)",
        "False",
    ),
    _lives("rust: another macro's name", _FILE, "after[1] in _RUST_ASSERTS", "not after"),
    _lives(
        "rust: only as text", "lexed_blocks.py", "return closing(body, at + 2) if", "return at if"
    ),
    _lives(
        "rust: a future that nobody asks",
        "lexed_blocks.py",
        "ends_statement(body, at) if is_let_go else at",
        "at",
    ),
    _lives(
        "rust: another way to pass",
        "lexed_assertions.py",
        "        if says_less([t.text for t in said]):\n",
        "        if False:\n",
    ),
    _lives("rust: what runs before", _FILE, '== "link_section"', '== "link"'),
    _lives(
        "rust: an example that only defines",
        "rust_files.py",
        "_ASSERTS.match(one)",
        "_ASSERTS.search(one)",
    ),
    _lives(
        "rust: an example under a condition", "rust_files.py", "if depth <= 0:", "if depth <= 9:"
    ),
    *(
        PlantedFault(file, guard, fault, f"gates/test_hard_coded_answers.py::{killer}")
        for file, guard, fault, killer in [
            (
                "test_guard/answers.py",
                "not all(",
                "not any(",
                "test_code_that_computes_its_result_is_not_hard_coded",
            ),
            (
                "test_guard/answers.py",
                "{a, given} <= values",
                "given in values",
                "test_code_that_computes_its_result_is_not_hard_coded",
            ),
            (
                "test_guard/answers.py",
                "if (test.name, test.body) in known:",
                "if not test.name:",
                "test_values_that_no_new_test_checks_are_not_hard_coded_answers",
            ),
            (
                "test_guard/answers.py",
                "for _, other in added if other != text",
                "for _, other in added",
                "test_hard_coded_answers_of_a_test_are_found_in_the_product",
            ),
            (
                "tests_gate.py",
                "    found += _answers(subject, pairs)\n",
                "",
                "test_hard_coded_answers_are_red_except_in_a_persons_change",
            ),
            (
                "tests_gate.py",
                "yield TestLoss(Loss.ANSWER, name",
                "yield TestLoss(Loss.ANSWER, one.path",
                "test_hard_coded_answers_are_red_except_in_a_persons_change",
            ),
        ]
    ),
]
