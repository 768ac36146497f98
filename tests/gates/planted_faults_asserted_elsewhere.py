"""A fault for each guard of helpers in JavaScript, Go and Rust that stand in another file."""

from tests.testkit.planting import PlantedFault

_TESTS = "gates/test_asserted_elsewhere.py"
FOUND = f"{_TESTS}::test_a_helper_that_asserts_less_is_found_where_it_is_called"
HONEST = f"{_TESTS}::test_honest_work_on_helpers_of_other_files_is_no_finding"


def _lives(case: str, guard: str, fault: str, file: str = "asserted_elsewhere") -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[{case}]")


def _blames(case: str, guard: str, fault: str, file: str = "asserted_elsewhere") -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}]")


HELPERS_FAULTS = [
    PlantedFault(
        "pairs_of_tests.py",
        "if said and not set(others)",
        "if False and not set(others)",
        f"{FOUND}[jest: nothing now]",
    ),
    PlantedFault(
        "pairs_of_tests.py",
        "return raw if written == text else written.encode()",
        "return raw",
        f"{HONEST}[jest: into a helper]",
    ),
    _lives("jest: a helper of a helper", "return found | _calling(was, found)", "return found"),
    _lives("jest: under another name", "renamed.get(name, name)", "name"),
    _lives("jest: required", "found[1] or found[2]", 'found[1] or "."'),
    _lives("jest: required", 'in {"=", ":"} else ""', 'in {":"} else ""', "lexed_names"),
    _lives(
        "jest: it returns first",
        "reached = living(body, language)",
        "reached = body",
        "lexed_asserted",
    ),
    _blames(
        "jest: a helper of a helper",
        "if one.kind is Kind.WORD and after",
        "if False and after",
        "lexed_asserted",
    ),
    _lives("go: nothing now", "found = [*beside, *_go_paths", "found = [*_go_paths"),
    _lives(
        "go: in a package for tests",
        "found = [*beside, *_go_paths(source, folders)]",
        "found = [*beside]",
    ),
    _blames("go: into a helper", "if has_type or behind", "if behind", "lexed_product"),
    _lives(
        "rust: beside the product",
        "is_named or not is_product_code(path)",
        "not is_product_code(path)",
    ),
    _lives("rust: nothing now", 'f"{found[1]}/mod.rs"', 'f"{found[1]}/lib.rs"'),
    PlantedFault(
        "test_guard/asserted_elsewhere.py",
        "if not is_own or tokens_of(whole, language) is None:",
        "if False:",
        f"{_TESTS}::test_functions_without_a_name_are_no_helpers",
    ),
]
