"""A fault for each guard of tests in Python that become rows, and of twins."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"

PYTHON_ROWS_FAULTS = [
    PlantedFault(
        "test_guard/python_by_rows.py",
        "value if times[name] == 1 else None for",
        "value for",
        f"{FOUND}[python rows: a name that has two values]",
    ),
    PlantedFault(
        "test_guard/python_by_rows.py",
        'not isinstance(one, ast.Call) or any(k.arg == "indirect" for k in one.keywords)',
        "not isinstance(one, ast.Call)",
        f"{FOUND}[python rows: rows that go through something]",
    ),
    PlantedFault(
        "test_guard/python_by_rows.py",
        "text=text, atoms=frozenset()",
        "text=one.text, atoms=one.atoms",
        f"{HONEST}[tests become rows with a name in Python-]",
    ),
    PlantedFault(
        "test_guard/compare.py",
        "len(set(test.by_rows)) >= max(test.cases, test.rows or 0) > 1",
        "test.by_rows",
        f"{FOUND}[python rows: a row that says what another one says]",
    ),
    PlantedFault(
        "test_guard/compare.py",
        "return folder, around, suite, test.head,",
        "return folder, around, suite,",
        f"{FOUND}[python rows: a twin with other rows]",
    ),
    PlantedFault(
        "test_guard/compare.py",
        "return folder, around, suite,",
        "return folder, around,",
        f"{FOUND}[python rows: a twin of another class]",
    ),
    PlantedFault(
        "test_guard/compare.py",
        " or twins.has(test)",
        "",
        f"{HONEST}[a twin goes-]",
    ),
]
