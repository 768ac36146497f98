"""What a judge imports before it knows its gates: one process starts for every gate."""

from tests.testkit.imports import imported_by

# Each costs more processor time than the rest of a judge's start.
NOT_AT_START = {
    *("pydantic", "pydantic_core", "asyncio", "xml.etree.ElementTree"),
    *("junitparser", "defusedxml", "pathspec", "gates.junit", "gates.scope_check"),
}


def test_the_judge_starts_without_imports_of_single_gates() -> None:
    imported = imported_by("import gates.__main__")
    assert "gates.judge" in imported
    assert imported & NOT_AT_START == set()
