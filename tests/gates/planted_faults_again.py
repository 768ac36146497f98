"""A fault for each guard against what tests are run, caught or compared by."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[again {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


_NAMES, _TESTS, _STRENGTH = "python_names", "python_tests", "python_strength"
_WHOLE, _REACH, _FILE = "python_whole", "python_reach", "lexed_file"
AGAIN_FAULTS = [
    _lives("python: a class that is equal to all", _WHOLE, 't.id == "__eq__"', 't.id == ""'),
    _lives(
        "python: a type that is made on the spot",
        _STRENGTH,
        "            one = before.get(one.id, one)\n",
        "            pass\n",
    ),
    _lives(
        "python: another import in the test",
        _TESTS,
        "case ast.ImportFrom(names=names):",
        "case ast.ImportFrom(names=names) if not names:",
    ),
    _lives(
        "python: a mark in parts",
        _NAMES,
        'ast.Attribute(of, "skip", ast.Load())',
        'ast.Attribute(of, "slow", ast.Load())',
    ),
    _lives("python: a part of a mark", _NAMES, '== "partial"', '== ""'),
    _lives("python: too few places", _STRENGTH, 'id="round"', 'id="rounded"'),
    _lives(
        "python: a rate",
        "python_tolerance",
        "yield from (_number(one, values) for one in more)",
        "pass",
    ),
    _lives(
        "python: a hidden limit",
        "python_tolerance",
        "yield from (sys.float_info.max for one in named if one.arg is None)",
        "pass",
    ),
    _lives(
        "python: another name for failures",
        _NAMES,
        "                node.type = self._catching[name]\n",
        "                pass\n",
    ),
    _lives(
        "python: a manager with a name",
        _NAMES,
        "                    item.context_expr = self._catching[name]\n",
        "                    pass\n",
    ),
    _lives("python: a task that nobody waits for", _REACH, '"ensure_future", ', ""),
    _lives(
        "python: the right answer or another",
        _STRENGTH,
        "case ast.IfExp() | ast.BoolOp(op=ast.Or()) |",
        "case",
    ),
    _lives("python: a finder of modules", _WHOLE, '"sys.meta_path", ', ""),
    _lives("unittest: its own comparison", _WHOLE, "in _MACHINERY | _ASSERTS)", "in _MACHINERY)"),
    _lives("unittest: its own run", _WHOLE, '{"run", ', "{"),
    _lives("unittest: how it went", _WHOLE, 'attr="_outcome" as name', 'attr="_come" as name'),
    _lives(
        "unittest: equal by type", _WHOLE, 'attr="addTypeEqualityFunc", value', 'attr="add", value'
    ),
    _lives("unittest: no tests at all", _WHOLE, 'name="load_tests"', 'name="load"'),
    _lives(
        "unittest: places before the point",
        "python_tolerance",
        "            return -_number(inner, values, depth + 1)\n",
        "            return _number(inner, values, depth + 1)\n",
    ),
    _lives(
        "node: it must fail",
        "javascript_options",
        '    "expectFailure": Mark.EXPECTED_TO_FAIL,\n',
        "",
    ),
    _lives("node: an end after all", _FILE, '{"after", "afterAll", "afterEach", ', "{"),
    _lives("node: a double", "lexed_names", "|doubles?", ""),
    _lives("jest: tried again", _FILE, '"retryTimes" and', '"retry" and'),
    _lives("jest: all are equal", _FILE, '("=>", "true") in', '("=>", "false") in'),
    _lives("jest: how it went", _FILE, '["task", ".", "result"', '["task", ".", "results"'),
    _lives("jest: a global in brackets", _FILE, 'words[1:2] == ["as"]', 'words[1:2] == ["is"]'),
    _lives("jest: every number", _FILE, 'frozenset({"Number", ', "frozenset({"),
    _lives(
        "go: an end before the start", _FILE, '("os", ".", "Exit") in _threes(inside)', "not inside"
    ),
    _lives("go: an option of all", _FILE, "if is_of_runner else", "if not is_of_runner else"),
    _lives(
        "go: a link to the runner", _FILE, "or _GO_LINKS_RUNNER.search(source)", "or not source"
    ),
    _lives("rust: a macro of the crate", _FILE, '{"crate", "super", "self"}', "set()"),
    _lives("rust: before main", _FILE, '{"ctor", "test_runner"}', '{"test_runner"}'),
    _blames(
        "a comparison that goes on in unittest",
        _WHOLE,
        'last_name(n) == "super"',
        'last_name(n) == ""',
    ),
    _blames("examples beside the tests in unittest", _WHOLE, "n.id == given.arg", "not n.id"),
    _blames(
        "a comparison of dates in jest",
        _FILE,
        '"expect.addEqualityTesters" if',
        '"expect.addEqualityTesters" if inside or',
    ),
]
