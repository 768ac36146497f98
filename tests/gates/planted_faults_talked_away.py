"""A fault for each guard of tests that say the same words and mean less, or are given another product."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"
HELPERS = "gates/test_weakened_other_files.py::test_a_helper_that_swallows_failures_is_found_where_it_is_used"
HELPED = "gates/test_weakened_other_files.py::test_legitimate_work_on_helpers_is_not_reported"
OUT = "gates/test_left_out_by_configuration.py::test_a_test_that_the_configuration_leaves_out_now_is_skipped"
MOVED = "gates/test_left_out_by_configuration.py::test_a_test_moved_out_of_the_collected_folders_counts_as_skipped"
OTHER = "gates/test_replaced_product.py::test_another_module_of_the_products_name_is_found"
PATHS = "gates/test_replaced_product.py::test_legitimate_paths_and_modules_are_not_reported"
RUST = "gates/test_replaced_product.py::test_tests_in_rust_keep_their_product"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[away {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


def _of(test: str, case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{test}[{case}]")


TALKED_AWAY_FAULTS = [
    _lives(
        "python: less itself",
        "python_strength",
        "op=ast.Sub() | ast.BitXor() | ast.Div()",
        "op=ast.BitXor() | ast.Div()",
    ),
    _lives(
        "python: to the power of nothing",
        "python_strength",
        "op=ast.Pow(), right=ast.Constant(value=0)",
        "op=ast.Pow(), right=ast.Constant(value=None)",
    ),
    _lives(
        "jest: as objectContaining({})",
        "javascript_assertions",
        'if given[:2] == ["expect", "."]:',
        "if not given:",
    ),
    _lives("jest: either way", "javascript_assertions", 'frozenset({"?"})', 'frozenset({"??"})'),
    _lives(
        "jest: a sum of its own",
        "javascript_assertions",
        "t.kind in {Kind.NUMBER, Kind.STRING, Kind.SIGN} or",
        "t.kind in {Kind.NUMBER, Kind.STRING} or",
    ),
    _blames(
        "a comparison by a matcher of its own",
        "javascript_assertions",
        'given in (["true"], ["false"]) and',
        "False and",
    ),
    _lives("jest: at an event", "lexed_conditions", '{"on", "once", ', '{"once", '),
    _lives("jest: again and again", "lexed_blocks", '"setInterval", ', ""),
    _lives("jest: when it will be so", "lexed_blocks", ', "waitFor"}', "}"),
    _lives(
        "python: {**got}",
        "python_strength",
        "if any(is_made_of(a, b, values.before)",
        "if any(False",
    ),
    _lives(
        "python: a copy in unittest's words",
        "python_strength",
        "sides = node.args[:2] if len(node.args) > 1 else ()",
        "sides = ()",
    ),
    _lives(
        "python: it wants what it is told",
        "compare",
        "(new.text == gone.text or _has_a_value(gone))",
        "_has_a_value(gone)",
    ),
    _lives("jest: it wants what it is told", "compare", "one.is_by_product, ", ""),
    _lives(
        "python: off by abs=WIDE",
        "python_tolerance",
        "        case _:\n            return sys.float_info.max\n",
        "        case _:\n            return 0.0\n",
    ),
    _blames(
        "a tolerance that has a name now", "python_tolerance", "    ast.Pow: operator.pow,\n", ""
    ),
    _lives(
        "python: off by rel=0.4", "python_tolerance", "_OF_RELATIVE = 10.0", "_OF_RELATIVE = 1.0"
    ),
    _lives("python: off by a thousand", "python_tolerance", '{"places", "decimal"}', '{"places"}'),
    _lives(
        "python: a wider distance",
        "python_tolerance",
        "        ) if _is_distance(small):",
        "        ) if not small:",
    ),
    _blames(
        "a tolerance that has a name now",
        "python_tolerance",
        "case ast.Name(id=name) if name in values:",
        'case ast.Name(id=name) if name == "":',
    ),
    _lives(
        "jest: fewer digits by a name",
        "lexed_tolerance",
        'token.text == "toBeCloseTo"',
        'token.text == ""',
    ),
    _lives("go: a larger share", "lexed_tolerance", "_DISTANCES | _SHARES and", "_DISTANCES and"),
    _lives(
        "rust: a wider epsilon",
        "lexed_tolerance",
        "elif token.text in _NAMED and",
        "elif False and",
    ),
    _lives("go: a wider bound", "lexed_tolerance", '{"<", "<=", ">", ">="}', '{"<", "<="}'),
    _blames(
        "a distance that has a name now",
        "lexed_tolerance",
        "if len(value) != 1 or value[0].text not in values:",
        "if values:",
    ),
    _lives(
        "jest: { ...got }",
        "lexed_copies",
        'if texts[0] in {"[", "{"} and',
        'if texts[0] == "[" and',
    ),
    _lives("jest: got.slice()", "lexed_copies", '"slice", ', ""),
    _lives("go: a copy into nothing", "lexed_copies", "_is_nothing(given[0]))", "False)"),
    _lives(
        "rust: a clone",
        "lexed_product",
        "replace(one, strength=min(one.strength, Strength.RELATION))",
        "one",
    ),
    _lives(
        "jest: polled",
        "javascript_assertions",
        'frozenset({"resolves", "rejects", "poll"})',
        'frozenset({"resolves", "rejects"})',
    ),
    _lives(
        "jest: let go",
        "javascript_promises",
        "return word in _WAITS\n",
        'return word in {*_WAITS, "void"}\n',
    ),
    _lives("jest: behind a comma", "javascript_promises", 'return text != "{" and', "return"),
    _lives("jest: nobody waits for it any more", "compare", " or is_let_go", ""),
    _blames(
        "a promise that is waited for later",
        "javascript_promises",
        "return _is_asked_for(tokens, tokens[start - 2].text, end)",
        "return False",
    ),
    _blames(
        "an await that was for nothing", "javascript_assertions", " and not words & _AT_ONCE", ""
    ),
    _lives("jest: [].map", "lexed_conditions", '{"forEach", "map", ', '{"forEach", '),
    _lives(
        "rust: a list of nothing",
        "lexed_conditions",
        'self.language is Language.RUST and (";", "0")',
        'self.language is Language.GO and (";", "0")',
    ),
    _lives(
        "go: each of a map of nothing", "lexed_conditions", 'texts[-2:] == ["{", "}"]', "not texts"
    ),
    _lives(
        "python: a range of nothing",
        "python_conditions",
        "return bool(first != last)",
        "return True",
    ),
    _blames(
        "each of a list by another method",
        "lexed_conditions",
        'a in {"[", "{"} and b not in _CLOSES | {"..."}',
        "False",
    ),
    _lives("class: a metaclass", "python_classes", 'one.arg == "metaclass" and', "False and"),
    _lives(
        "class: a metaclass of its base",
        "python_classes",
        " or _is_made_otherwise(one, classes, depth + 1)",
        "",
    ),
    _lives("class: its base takes its tests", "python_classes", "_reshapes_its_heirs(one) or ", ""),
    _lives(
        "class: a decorator takes its tests", "python_classes", "or decorators & reshaping or", "or"
    ),
    _lives(
        "class: a decorator empties it",
        "python_classes",
        '{"pop", "clear", "popitem"}',
        '{"pop", "popitem"}',
    ),
    _lives(
        "class: a decorator gives another",
        "python_classes",
        "        if lost:\n",
        "        if not lost and False:\n",
    ),
    _lives("class: a loop over its names", "python_classes", "name in given_to or ", ""),
    _blames("an abstract class", "python_classes", '"ABCMeta", ', ""),
    _blames(
        "a decorator with a value for it",
        "python_classes",
        "plain = {one.id for one in node.decorator_list if isinstance(one, ast.Name)}",
        "plain = decorators",
    ),
    _lives("python: more runs", "compare", "if now.tries > test.tries > 0:", "if False:"),
    _lives("python: fewer that pass", "python_marks", "most - must_pass + 1", "most"),
    _blames("it waits longer between its runs", "python_marks", '"reruns_delay", ', ""),
    _lives("jest: more tries of a file", "javascript_tests", "                told[at],\n", ""),
    _lives(
        "jest: more tries of a suite",
        "javascript_tests",
        "*(suite.tries for _, suite, _ in suites),",
        "",
    ),
    _lives(
        "mocha: more tries behind it",
        "javascript_tests",
        "tries_behind(tokens, at, call.end + 3)",
        "0",
    ),
    _lives(
        "rust: more tries", "lexed_tests", "(int(one) for one in words if one.isdecimal())", "()"
    ),
    _lives("python: its own price by a name", "compare", " or is_made_up", ""),
    _lives(
        "python: another value by its own name",
        "python_tests",
        "is_closed=closed.is_closed(at)",
        "is_closed=False",
    ),
    _lives(
        "jest: a price by a double",
        "lexed_product",
        "is_closed=is_closed(tokens, made, self.made, self.language)",
        "is_closed=False",
    ),
    _blames(
        "a list that the product fills in jest", "lexed_closed", "(name in own.handed_on)", "False"
    ),
    _of(
        HELPERS,
        "a decorator catches now",
        "taken_elsewhere",
        "    return any(\n        name not in now",
        "    return False and any(\n        name not in now",
    ),
    _of(
        HELPERS,
        "a decorator at the top catches now",
        "taken_elsewhere",
        "bool(_swallowing(after) - _swallowing(before))",
        "False",
    ),
    _of(
        HELPERS,
        "under another name",
        "taken_elsewhere",
        "if name == one.name != one.own:",
        "if False:",
    ),
    _of(
        HELPERS,
        "a helper of a helper asserts nothing now",
        "taken_elsewhere",
        "        left += sorted(new)\n",
        "",
    ),
    _of(
        HELPED,
        "an assertion is in a helper now",
        "taken_elsewhere",
        "not is_product_code(one.path) or",
        "False or",
    ),
    _of(OUT, "a mark", "python_selection", "return not _is_true(inner, is_said)", "return True"),
    _of(
        OUT,
        "its name",
        "python_selection",
        "_holds(self.names, lambda word: word.lower() in said)",
        "True",
    ),
    _of(OUT, "its whole name", "python_selection", "own == one or", "False or"),
    _of(
        OUT,
        "a mark under another name",
        "python_marks",
        "values.get(one.id, one) if isinstance(one, ast.Name) else one for",
        "one for",
    ),
    _of(
        MOVED,
        "another folder",
        "python_selection",
        "any(_is_below(path, one) for one in self.folders)",
        "True",
    ),
    _of(MOVED, "another name", "python_selection", "not self.files or any(", "True or any("),
    _of(
        MOVED,
        "a folder that is left out",
        "python_selection",
        "any(_is_below(path, one) for one in self.ignored)",
        "False",
    ),
    _of(
        OTHER,
        "beside the tests",
        "python_shadows",
        "            if folder in first:\n",
        "            if False:\n",
    ),
    _of(
        OTHER,
        "a path in a helper",
        "python_shadows",
        "near or posixpath.basename(folder) in line",
        "near",
    ),
    _of(OTHER, "a folder of sites", "python_shadows", r"|\bsite\.addsitedir\(", ""),
    _of(OTHER, "a module before the tests", "python_shadows", "if not is_kept and", "if False and"),
    PlantedFault(
        "pairs_of_tests.py",
        "    pairs += _helpers(subject)\n",
        "",
        f"{OTHER}[another price in a helper]",
    ),
    _of(
        PATHS,
        "tests in folders of its name",
        "python_shadows",
        "not text.strip() or is_test_path(path)",
        "is_test_path(path)",
    ),
    _of(
        PATHS,
        "it is put back",
        "python_shadows",
        "            if not is_kept and",
        "            if",
    ),
    _of(RUST, "another use", "rust_sources", "yield (other.strip() or steps[-1]), steps", "pass"),
    _of(
        RUST,
        "one of several",
        "rust_sources",
        '        if sign == "," and depth == 0:\n',
        "        if False:\n",
    ),
    _of(RUST, "by its path", "rust_sources", "yield steps[-1], steps", "pass"),
    _of(RUST, "it has moved here", "rust_sources", "(one == now)", "0"),
    _of(RUST, "both were there", "rust_sources", '> _count(was.get(one, ""), name)', "> 0"),
]
