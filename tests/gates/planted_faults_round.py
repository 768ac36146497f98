"""A fault for each way round a test that the guard sees: what catches, replaces, rebinds or never starts it."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[round {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{HONEST}[{case}-]")


ROUND_FAULTS = [
    PlantedFault(
        "test_guard/aware.py",
        r"|\btraceback\.(?:format|extract|walk)_stack\b",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"|\bnpm_lifecycle_event\b",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"\bdebug\.Stack\b|",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"|\bregister\(os\._exit\b",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"|\bbuiltins\.AssertionError\s*=[^=]",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"|macro_rules!\s*(?:assert(?:_eq|_ne)?|panic)\b",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"\btypeof (?:describe|jest|expect|beforeEach)\b|",
        "",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"|\basymmetricMatch\b",
        r"|\bnothing_at_all\b",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        r"(?:assert(?:_eq|_ne)?|panic)\b",
        r"\w+",
        "gates/test_tests_gate.py::test_code_that_mentions_tests_is_not_reported",
    ),
    PlantedFault(
        "test_guard/aware.py",
        'if match["of"] and match["of"] not in with_parts:',
        "if False:",
        "gates/test_tests_gate.py::test_code_that_mentions_tests_is_not_reported",
    ),
    PlantedFault(
        "tests_gate.py",
        "    found += _aware(subject)\n",
        "",
        "gates/test_tests_gate.py::test_a_change_that_works_only_under_tests_is_red",
    ),
    PlantedFault(
        "test_guard/aware.py",
        "        seen = match.start()\n",
        "",
        "gates/test_linear_time_of_tests.py::test_code_that_asks_in_every_line_is_read_in_linear_time",
    ),
    PlantedFault(
        "test_guard/aware.py",
        "        if known[one.said]:\n",
        "        if not one:\n",
        "gates/test_tests_gate.py::test_code_that_detects_its_tests_is_found",
    ),
    PlantedFault(
        "test_guard/aware.py",
        "bool(_FOR_TESTS & set(folders)) or",
        "",
        "gates/test_tests_gate.py::test_files_of_tests_are_not_product_code",
    ),
    _lives(
        "python: its own context manager",
        "python_swallow.py",
        "managers.add(node.name)\n            case",
        "pass\n            case",
    ),
    _lives(
        "python: its own generator",
        "python_swallow.py",
        "any(isinstance(one, ast.Yield) for one in caught)",
        "not caught",
    ),
    _lives("python: its own decorator", "python_swallow.py", "decorators.add(node.name)", "pass"),
    _blames(
        "a helper that tries again for other errors",
        "python_swallow.py",
        "caught = [inner for one in tries if swallows(one)",
        "caught = [inner for one in tries if one",
    ),
    _lives(
        "python: in a thread", "python_reach.py", "last_name(node.func) in _ELSEWHERE", "not node"
    ),
    _lives(
        "python: if True: return",
        "python_reach.py",
        "return any(_ends(one) for one in (node.body if known else node.orelse))",
        "return False",
    ),
    _lives(
        "python: another import of its name",
        "python_whole.py",
        'yield from ((one.asname or one.name).partition(".")[0] for one in names)',
        "yield from ()",
    ),
    _lives(
        "python: a class of its name",
        "python_whole.py",
        "            yield name\n        case _:\n            for inner",
        '            yield ""\n        case _:\n            for inner',
    ),
    _lives(
        "python: deleted by its module", "python_whole.py", "if words & {\n", "if not words & {\n"
    ),
    _lives(
        "python: an end that is registered",
        "python_whole.py",
        "            case ast.Attribute() if dotted(one) in _ENDS:\n",
        "            case ast.Attribute() if not one:\n",
    ),
    _lives(
        "python: a plugin",
        "python_whole.py",
        'found.setdefault("pytest_plugins", node.lineno)',
        "pass",
    ),
    _lives(
        "python: a module of its own",
        "python_whole.py",
        '            yield f"sys.modules[{ast.unparse(node.slice)}]"\n',
        "            yield from ()\n",
    ),
    _lives(
        "python: a hidden folder",
        "python_tests.py",
        "    if is_left_out_folder(path):",
        "    if not path:",
    ),
    _lives(
        "python: another module's price",
        "python_tests.py",
        'is_of_tests(node.module or "")',
        "not node.module",
    ),
    _lives(
        "python: a mark that is added",
        "python_marks.py",
        "marks |= marks_of([_plain_mark(one) for one in value.args])",
        "pass",
    ),
    _lives("python: a plugin", "compare.py", "    found += _put_in_place(readable)\n", ""),
    _lives(
        "rust: a file that is not compiled",
        "compare.py",
        "    found += _undeclared(readable)\n",
        "",
    ),
    _blames(
        "the file moved-8",
        "compare.py",
        "sorted(pair.before.declared - declared)",
        "sorted(pair.before.declared - pair.after.declared)",
    ),
    _lives(
        "python: a wide tolerance",
        "compare.py",
        "was = _ROUNDED if gone.tolerance is None",
        "was = 1e9 if gone.tolerance is None",
    ),
    _blames(
        "an exact number with rounding",
        "compare.py",
        "was = _ROUNDED if gone.tolerance is None",
        "was = 0 if gone.tolerance is None",
    ),
    _lives(
        "go: for another system",
        "lexed_file.py",
        "                or _GO_ELSEWHERE.search(path)\n",
        "",
    ),
    _lives(
        "go: in a folder that is left out",
        "lexed_file.py",
        "                or _GO_LEFT_OUT.search(path)\n",
        "",
    ),
    _lives(
        "jest: surroundings of the tree",
        "lexed_file.py",
        "                or _JAVASCRIPT_SURROUNDINGS.search(source)\n",
        "",
    ),
    _lives(
        "rust: a file under a condition", "lexed_file.py", "_is_conditional_file(tokens) or ", ""
    ),
    _lives("rust: a macro of its own", "lexed_file.py", " or _has_own_macro(tokens)", ""),
    _lives(
        "go: a main that ends well",
        "lexed_file.py",
        're.search(r"os \\. Exit \\( 0 \\)", text)',
        "not text",
    ),
    _lives("go: an init that chooses", "lexed_file.py", 'if "flag . Set" in text or re', "if re"),
    _lives(
        "node: an assert of the tree",
        "lexed_file.py",
        'words[-1].startswith(".") and _RUNNERS',
        "not words and _RUNNERS",
    ),
    _blames(
        "another assertion library",
        "lexed_file.py",
        'words[-1].startswith(".") and _RUNNERS',
        "_RUNNERS",
    ),
    _lives(
        "node: in a function that nobody calls",
        "lexed_file.py",
        "            _names_a_function(tokens, at) and times",
        "            not tokens and times",
    ),
    _lives(
        "rust: in a thread", "lexed_blocks.py", '    Language.RUST: frozenset({"spawn"}),\n', ""
    ),
    _blames(
        "a thread that is waited for", "lexed_blocks.py", '*("join", "recv"', '*("recv", "recv"'
    ),
    _lives(
        "node: nobody waits for it",
        "lexed_blocks.py",
        "closing(body, at - 1) if _is_unawaited(body, at) else at",
        "at",
    ),
    _lives(
        "jest: a matcher that is not called",
        "javascript_assertions.py",
        "_is_never_asked(matcher) or _has_same_arguments(whole)",
        "_has_same_arguments(whole)",
    ),
    _lives("node: it must throw", "javascript_assertions.py", " or _throws_its_own(whole)", ""),
    _lives(
        "go: an example without its output",
        "lexed_tests.py",
        "        blocks += _go_examples(tokens, source)\n",
        "        blocks += []\n",
    ),
    _lives(
        "go: a t that says nothing",
        "lexed_tests.py",
        'is_other = body[at - 1].text == "(" and after.kind is Kind.WORD',
        "is_other = False",
    ),
    _lives(
        "rust: a price of its own",
        "lexed_names.py",
        "            return cls(None, _rust_own(tokens), renamed)\n",
        "            return cls(None, frozenset(), renamed)\n",
    ),
    _lives(
        "rust: an example that is ignored",
        "rust_files.py",
        "is_test = _STILL_TESTS.fullmatch(words) is not None",
        "is_test = bool(path)",
    ),
    _lives(
        "rust: an example that returns",
        "rust_files.py",
        "for one in _at_once(body[:stops]) if",
        "for one in _at_once(body) if",
    ),
]
