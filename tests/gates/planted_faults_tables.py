"""A fault for each way in which tables of tests are read, and for what each kind of project is proposed."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"
STORY = (
    "scenarios/test_projects_of_each_kind.py::"
    "test_the_proposed_policy_judges_a_project_by_its_own_tools"
)
IN_PYTHON = (
    "scenarios/test_projects_of_each_kind.py::"
    "test_the_proposed_policy_sees_that_a_project_in_python_is_red"
)


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{HONEST}[{case}-]")


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[table {case}]")


_CONDITIONS, _TESTS = "lexed_conditions.py", "lexed_tests.py"
TABLE_FAULTS = [
    _blames("a comprehension that becomes a list", "python_tests.py", " and one.is_async)", ")"),
    _blames(
        "a test that imports once more", "python_whole.py", "return said & given", "return said"
    ),
    _blames(
        "a loop of as many turns in new Go", _CONDITIONS, "texts[0].isdigit()", "texts[0] is None"
    ),
    _blames(
        "a table of nested structs in Go",
        _CONDITIONS,
        "close = closing(value, brace)",
        'close = texts.index("}")',
    ),
    _blames(
        "each object of a typed list in TypeScript", _CONDITIONS, "depth < 0 or", 'text == "}" or'
    ),
    _blames(
        "rows with a type in TypeScript",
        "javascript_tests.py",
        "place = _after_type(tokens, place)",
        "pass",
    ),
    _blames(
        "a list of rows with a type in TypeScript",
        "javascript_tests.py",
        "if len(argument) == 1 else None",
        "if not argument else None",
    ),
    _blames(
        "rows that are constants in TypeScript",
        "javascript_tests.py",
        "argument[1 : closing(argument, 0)]",
        "argument[1:-1]",
    ),
    _lives(
        "javascript: a list of another name is empty",
        "javascript_tests.py",
        "if len(argument) == 1 else",
        "if argument else",
    ),
    _lives("go: no turn", _CONDITIONS, 'texts[0] != "0" and', "True and"),
    _lives(
        "go: a number that comes to nothing", _CONDITIONS, "value[0].line < value[1].line", "True"
    ),
    _lives("go: room for turns", _CONDITIONS, '{"filter", "make"}', '{"filter"}'),
    PlantedFault("profiles/python.py", "python3 -m venv .venv && ", "", IN_PYTHON),
    PlantedFault(
        "profiles/python.py",
        "return [name for name in _FOR_TESTS if name in extras]",
        "return []",
        "gates/test_profiles.py::test_the_proposed_setup_installs_the_projects_test_dependencies",
    ),
    PlantedFault(
        "profiles/rust.py",
        "if _needs_packages(text) else",
        "if not text else",
        "gates/test_profiles.py::test_the_proposed_setup_installs_the_projects_test_dependencies",
    ),
    PlantedFault(
        "profiles/node.py",
        '        setup = "npm install"\n',
        "        pass\n",
        "gates/test_profiles.py::test_the_proposed_setup_installs_the_projects_test_dependencies",
    ),
    PlantedFault("profiles/go.py", '"go test ./..."', '"go test -run none ./..."', f"{STORY}[go]"),
    PlantedFault("profiles/generic.py", '"build", "lint"', '"lint"', f"{STORY}[generic]"),
]
