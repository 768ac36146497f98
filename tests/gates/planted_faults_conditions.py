"""A fault for each way in which a test may pass without what it asserts."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[condition {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{HONEST}[{case}-]")


_PYTHON, _STRENGTH, _REACH = "python_conditions.py", "python_strength.py", "python_reach.py"
_LEXED = "lexed_conditions.py"
CONDITION_FAULTS = [
    _lives(
        "python: of the environment",
        "compare.py",
        "is_wider or is_looser or",
        "is_wider or",
    ),
    _lives(
        "python: of what is asserted",
        _PYTHON,
        "inside |= not (_asserts(then)",
        "inside |= not (True or _asserts(then)",
    ),
    _lives("python: an early return", _PYTHON, "is_under |= _may_end(node) or", "is_under |="),
    _lives(
        "python: an early return where something raises",
        _PYTHON,
        "            return any(_leaves(one.body) and not _asserts(one.body) for one in handlers)",
        "            return False",
    ),
    _lives(
        "python: a loop over nothing by name",
        _PYTHON,
        "is_under or not _has_elements(each, values)",
        "is_under",
    ),
    _lives("python: a loop over what is left", _PYTHON, "not one.ifs and ", ""),
    _lives(
        "python: a loop that never begins",
        _PYTHON,
        "is_under or not is_for_ever",
        "is_under",
    ),
    _lives("python: a case that never comes", _PYTHON, "not (is_whole and", "not (True and"),
    _lives("python: of a helper that is called", _PYTHON, "names and names <= found", "False"),
    _lives("python: a failure that skips", _STRENGTH, " and not _skips_instead(node.msg)", ""),
    _lives(
        "python: a failure that is raised again now and then",
        _PYTHON,
        " and not _always_goes_on(one.body)",
        " and False",
    ),
    _lives(
        "python: a helper that is named only",
        _REACH,
        "            case ast.Name():\n                return\n",
        "            case ast.Constant():\n                return\n",
    ),
    _lives("python: a coroutine that nobody awaits", _REACH, "name in idle:", "not name:"),
    _lives(
        "python: a method that nobody calls", _REACH, "(node.bases or one.name", "(True or one.name"
    ),
    _lives(
        "python: without debugging",
        _REACH,
        '        case ast.Name(id="__debug__"):\n            return True\n',
        "",
    ),
    _lives(
        "python: a helper that asserts nothing",
        _STRENGTH,
        "and node.func.id in around.calm",
        "and False",
    ),
    PlantedFault(
        "test_guard/python_strength.py",
        "    if is_said_again(left, right, values.before):\n",
        "    if False:\n",
        f"{FOUND}[tried python: f'{{x}}' == str(x)]",
    ),
    _lives("python: of one value", _STRENGTH, " or was is wanted", ""),
    _lives(
        "python: with what is equal to all",
        _STRENGTH,
        "if around.equal_to_all.intersection(_called(node.test, values.before)):",
        "if not node:",
    ),
    _lives(
        "python: of a value given on the way",
        _STRENGTH,
        "        case ast.NamedExpr(value=value):\n            return value\n",
        "",
    ),
    _lives(
        "python: a warning with any words",
        _STRENGTH,
        'one.arg == "match" and not _matches_all(one.value)',
        'one.arg == "match"',
    ),
    _blames(
        "a failure is expected by its words", "compare.py", "(says_how_it_fails and", "(False and"
    ),
    _lives(
        "python: async for nothing",
        "python_tests.py",
        "if isinstance(node, ast.AsyncFunctionDef) and not any(",
        "if not node and not any(",
    ),
    _lives(
        "python: of another function's name",
        "python_tests.py",
        "own | module.put_in | module.renamed",
        "own | module.put_in",
    ),
    _lives(
        "python: of a fall-back",
        "python_tests.py",
        "for n in one.body if not _gives_nothing(n)",
        "for n in one.body if not n",
    ),
    _lives(
        "python: of a global of its own",
        "python_whole.py",
        'in {"globals", "vars", "locals"}',
        'in {"vars", "locals"}',
    ),
    _lives(
        "python: of an item that is set", "python_tests.py", '"setattr", "setitem"', '"setattr"'
    ),
    _blames(
        "a test that lives on in another by a helper",
        "python_functions.py",
        "calm = names - _callers(by_itself, calls)",
        "calm = names",
    ),
    _lives(
        "javascript: of the environment",
        _LEXED,
        "        yield start, end\n        if not self._is_asserted_before(at, start):\n",
        "        if not self._is_asserted_before(at, start):\n",
    ),
    _lives(
        "javascript: of the environment in one line",
        _LEXED,
        "yield start, min(start + _STATEMENT_TOKENS, len(self.body))",
        "yield start, start",
    ),
    _lives("javascript: and", _LEXED, "yield at + 1, min(at + 2, len(self.body))", "yield at, at"),
    _lives(
        "javascript: a block that returns",
        _LEXED,
        "yield end, max(end, min(self.outer_ends[start], len(self.body)))",
        "yield end, end",
    ),
    _lives(
        "javascript: each of nothing by name",
        "lexed_conditions.py",
        "elif word in _GOES_THROUGH[self.language] and",
        'elif word == "" and',
    ),
    _lives(
        "javascript: a loop over nothing by name",
        _LEXED,
        "if not self._goes_through(at, brace):",
        "if not brace:",
    ),
    _lives(
        "javascript: a case that never comes",
        _LEXED,
        "self._end(brace)) == 1:",
        "self._end(brace)) == -1:",
    ),
    _lives(
        "javascript: a failure that is thrown again now and then",
        _LEXED,
        "        if self._asserts(brace, inside):\n",
        "        if not body:\n".replace("body", "self"),
    ),
    _lives(
        "javascript: left of a block",
        "lexed_blocks.py",
        ' or _text(body, at + 2) in {";", "}"}',
        "",
    ),
    _lives(
        "javascript: or a default",
        "lexed_strength.py",
        'not {"||", "??", "%"}.isdisjoint(texts)\n',
        '"%" in texts\n',
    ),
    _lives("javascript: or true", "javascript_assertions.py", "if is_always_true(whole) or", "if"),
    PlantedFault(
        "test_guard/javascript_assertions.py",
        "if looked_at == wanted else one",
        "if not looked_at else one",
        f"{FOUND}[sampled jest: a helper that compares with itself]",
    ),
    _lives(
        "javascript: a snapshot that is still to be written",
        "javascript_assertions.py",
        "if not given and any(",
        "if given and any(",
    ),
    _lives(
        "javascript: a skip without a receiver",
        "lexed_blocks.py",
        'in {"pending", "skip"}',
        'in {"pending"}',
    ),
    _lives(
        "javascript: a parameter of its name",
        "lexed_names.py",
        'body[at - 1].text in {"(", ","}',
        "not at",
    ),
    _lives(
        "javascript: another function's name",
        "lexed_names.py",
        "own=own | (used & self.renamed)",
        "own=own",
    ),
    _lives(
        "javascript: a fake", "lexed_names.py", "_FAKE.search(module) is not None", "not module"
    ),
    _lives(
        "go: a loop over nothing",
        _LEXED,
        '        while self._text(self._end(place) + 1) == "{":\n',
        "        while not self.body:\n",
    ),
    _lives(
        "go: a loop that never begins", _LEXED, 'a == "<" and b == "0"', 'a == "<" and b == "-1"'
    ),
    _lives(
        "go: and something else",
        "lexed_assertions.py",
        'is_less = "&&" in texts or says_less(',
        "says_less = says_less(",
    ),
    _lives("go: a jump", "lexed_blocks.py", 'token.text == "goto"', "not token"),
    _lives(
        "go: told to another",
        "lexed_tests.py",
        'token.text == "t" and body[at - 1].text == "var"',
        "not token",
    ),
    _lives("rust: an arm", _LEXED, '"switch", "match"', '"switch"'),
    _lives(
        "rust: or true",
        "lexed_assertions.py",
        'if name == "assert" and is_always_true(said)',
        "if not said",
    ),
    _lives(
        "rust: a function that nobody calls",
        "lexed_unused.py",
        'case Language.RUST, "fn" if',
        'case Language.GO, "fn" if',
    ),
    _blames(
        "both ways of a condition in JavaScript",
        _LEXED,
        "if not (self._asserts(start, end) and self._asserts(end, last)):",
        "if end:",
    ),
    _blames(
        "a table in Go",
        _LEXED,
        'return brace >= 0 and texts[brace + 1 : brace + 2] != ["}"]',
        "return False",
    ),
    _blames(
        "an error first in Go",
        _LEXED,
        "if self._count(self.leaving, start, end) and not self._asserts(start, end):",
        "if self._count(self.leaving, start, end):",
    ),
    _blames(
        "a table with its type",
        "python_names.py",
        "            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):\n                yield name, value\n",
        "",
    ),
    _blames(
        "a table of the file with its type",
        "python_tests.py",
        "                values[name] = value\n",
        "                pass\n",
    ),
    _blames(
        "a table in the head of a loop in Go",
        _LEXED,
        "if _has_elements(self.body[head_at:brace], self.language):",
        "if not head:",
    ),
    _blames(
        "an early return that asserts",
        _PYTHON,
        "any(_leaves(block) and not _asserts(block)",
        "any(_leaves(block)",
    ),
    *(
        PlantedFault(
            "test_guard/aware.py",
            guard,
            fault,
            "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
        )
        for guard, fault in [
            ("|[\\\"']_pytest\\b", ""),
            ("|^[ \\t]*(?:from|import) _pytest\\b", ""),
            ("|(?<=[\\\"'])PYTEST(?:_\\w*|(?=[\\\"']))|", "|"),
            ("|{_WHO_CALLS}[^\\n]{{0,80}}?{_OF_TESTS}|", "|"),
            ("|{_OF_TESTS}[^\\n]{{0,80}}?{_WHO_CALLS}", ""),
            ("|\\bos\\._exit\\(|", "|"),
            ("|^[ \\t]*assert\\.\\w+\\s*=[^=>]", ""),
        ]
    ),
    *(
        PlantedFault(
            "test_guard/aware.py",
            guard,
            fault,
            "gates/test_tests_gate.py::test_code_that_mentions_tests_is_not_reported",
        )
        for guard, fault in [
            ("|\\binspect\\.stack\\b|", "|\\binspect\\.stack\\b|\\.filename\\b|"),
            ("\\bError\\([^()\\n]*\\)\\.stack", "\\.stack"),
            ("(?!-)", ""),
            ('(?!\\[[1-9]\\] == \\"tests?\\")', ""),
            ("(?<!\\blen\\()", ""),
        ]
    ),
    PlantedFault(
        "scope_check.py",
        "differing_in_case(diff.files, paths)",
        "differing_in_case(diff.files)",
        "gates/test_declared_scope.py::test_a_new_path_that_differs_only_in_case_from_an_existing_one_is_red",
    ),
    *(
        PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[condition python: {case}]")
        for file, guard, fault, case in [
            (
                "python_conditions.py",
                "return _has_elements(left, values) or _has_elements(right, values)",
                "return True",
                "a loop over two lists of nothing",
            ),
            (
                "python_conditions.py",
                "return all(_has_elements(one, values) for one in lists)",
                "return any(_has_elements(one, values) for one in lists)",
                "a loop over a product with nothing",
            ),
            (
                "python_tests.py",
                " or name in changed else value",
                " else value",
                "a loop over what a class has no more",
            ),
            (
                "python_tests.py",
                "ast.List(elts=[value for _, value in members], ctx=ast.Load())",
                "ast.Constant(value=True)",
                "a loop over an enum of nothing",
            ),
        ]
    ),
]
