"""Small faults in a line of Python."""

import ast

import pytest

from gates.mutants import MUTANTS_OF_A_LINE, mutants


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("    return 5 * count", "    return None"),
        ("    if count == 2:", "    if count != 2:"),
        ("    if count <= 2:", "    if count > 2:"),
        ("    if a and b:", "    if a or b:"),
        ("    if not a:", "    if a:"),
        ("    done = True", "    done = False"),
        ("    total = a + b", "    total = a - b"),
        ("    total = 5", "    total = 987654321"),
        ('    word = "hello"', '    word = "headgate"'),
        ("    word = f'hello'", "    word = 'headgate'"),
    ],
)
def test_a_fault_in_a_python_line_is_valid_python(line: str, fault: str) -> None:
    assert fault in mutants(line, "shop.py")
    ast.parse("def f():\n  if 1:\n" + fault + ("\n        pass" if fault.endswith(":") else ""))


@pytest.mark.parametrize(
    "line",
    ["", "   ", "# count == 2", "import a, b", "def f(a=1):", "class A:", "@x(1)", "    pass"],
)
def test_a_line_that_is_not_a_statement_gets_no_fault(line: str) -> None:
    assert mutants(line, "shop.py") == ()


def test_a_line_gets_a_few_faults() -> None:
    faults = mutants("    return 1 if a == 2 and b < 3 or not c else 'word'", "shop.py")
    assert len(faults) == MUTANTS_OF_A_LINE == len(set(faults))
