"""A fault for each way round a test that the guard sees: what catches, replaces, rebinds or never starts it."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_what_is_taken_from_tests_is_found"
HONEST = "gates/test_tests_gate.py::test_honest_work_on_tests_is_no_finding"


def _lives(file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, FOUND)


def _blames(file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, HONEST)


ROUND_FAULTS = [
    _lives(
        "python_swallow.py", "managers.add(node.name)\n            case", "pass\n            case"
    ),
    _lives("python_swallow.py", "any(isinstance(one, ast.Yield) for one in caught)", "not caught"),
    _lives("python_swallow.py", "decorators.add(node.name)", "pass"),
    _blames(
        "python_swallow.py",
        "caught = [inner for one in tries if swallows(one)",
        "caught = [inner for one in tries if one",
    ),
    _lives("python_reach.py", "last_name(node.func) in _ELSEWHERE", "not node"),
    _lives(
        "python_reach.py",
        "return any(_ends(one) for one in (node.body if known else node.orelse))",
        "return False",
    ),
    _lives(
        "python_whole.py",
        'yield from ((one.asname or one.name).partition(".")[0] for one in names)',
        "yield from ()",
    ),
    _lives(
        "python_whole.py",
        "            yield name\n        case _:\n            for inner",
        '            yield ""\n        case _:\n            for inner',
    ),
    _lives("python_whole.py", "if words & {\n", "if not words & {\n"),
    _lives(
        "python_whole.py",
        "            case ast.Attribute() if dotted(one) in _ENDS:\n",
        "            case ast.Attribute() if not one:\n",
    ),
    _lives("python_whole.py", 'found.setdefault("pytest_plugins", node.lineno)', "pass"),
    _lives(
        "python_whole.py",
        '            yield f"sys.modules[{ast.unparse(node.slice)}]"\n',
        "            yield from ()\n",
    ),
    _lives("python_tests.py", "    if is_left_out_folder(path):", "    if not path:"),
    _lives("python_tests.py", 'is_of_tests(node.module or "")', "not node.module"),
    _lives("python_tests.py", "marks |= _marks([_plain_mark(one) for one in value.args])", "pass"),
    _lives("compare.py", "    found += _put_in_place(readable)\n", ""),
    _lives("compare.py", "    found += _undeclared(readable)\n", ""),
    _blames(
        "compare.py",
        "sorted(pair.before.declared - declared)",
        "sorted(pair.before.declared - pair.after.declared)",
    ),
    _lives(
        "compare.py",
        "was = _ROUNDED if gone.tolerance is None",
        "was = 1e9 if gone.tolerance is None",
    ),
    _blames(
        "compare.py",
        "was = _ROUNDED if gone.tolerance is None",
        "was = 0 if gone.tolerance is None",
    ),
    _lives("lexed_file.py", "                or _GO_ELSEWHERE.search(path)\n", ""),
    _lives("lexed_file.py", "                or _GO_LEFT_OUT.search(path)\n", ""),
    _lives("lexed_file.py", "                or _JAVASCRIPT_SURROUNDINGS.search(source)\n", ""),
    _lives("lexed_file.py", "_is_conditional_file(tokens) or ", ""),
    _lives("lexed_file.py", " or _has_own_macro(tokens)", ""),
    _lives("lexed_file.py", 're.search(r"os \\. Exit \\( 0 \\)", text)', "not text"),
    _lives("lexed_file.py", 'if "flag . Set" in text or re', "if re"),
    _lives("lexed_file.py", 'words[-1].startswith(".") and _RUNNERS', "not words and _RUNNERS"),
    _blames("lexed_file.py", 'words[-1].startswith(".") and _RUNNERS', "_RUNNERS"),
    _lives(
        "lexed_file.py",
        "            _names_a_function(tokens, at) and times",
        "            not tokens and times",
    ),
    _lives("lexed_blocks.py", '    Language.RUST: frozenset({"spawn"}),\n', ""),
    _blames("lexed_blocks.py", '*("join", "recv"', '*("recv", "recv"'),
    _lives(
        "lexed_blocks.py", 'case "async" if _is_unawaited(body, at):', 'case "async" if not body:'
    ),
    _lives(
        "lexed_assertions.py",
        "_is_never_asked(matcher) or _has_same_arguments(whole)",
        "_has_same_arguments(whole)",
    ),
    _lives("lexed_assertions.py", " or _throws_its_own(whole)", ""),
    _lives(
        "lexed_tests.py",
        "        blocks += _go_examples(tokens, source)\n",
        "        blocks += []\n",
    ),
    _lives(
        "lexed_tests.py",
        'is_other = body[at - 1].text == "(" and after.kind is Kind.WORD',
        "is_other = False",
    ),
    _lives(
        "lexed_tests.py",
        "            return cls(None, _rust_own(tokens))\n",
        "            return cls(None)\n",
    ),
    _lives(
        "rust_files.py",
        "is_test = _STILL_TESTS.fullmatch(words) is not None",
        "is_test = bool(path)",
    ),
    _lives("rust_files.py", "for one in body[:stops] if", "for one in body if"),
]
