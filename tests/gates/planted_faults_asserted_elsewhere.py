"""A fault for each guard of helpers in JavaScript, Go and Rust that stand in another file."""

from tests.testkit.planting import PlantedFault

_METHODS = "javascript_methods"
_TESTS = "gates/test_assertions_of_other_files.py"
FOUND = f"{_TESTS}::test_a_helper_that_asserts_less_is_found_where_it_is_called"
HONEST = f"{_TESTS}::test_legitimate_work_on_helpers_of_other_files_is_not_reported"


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
    _lives("rust: all of a module", 'f"{found[1]}/mod.rs"', 'f"{found[1]}/lib.rs"'),
    _lives(
        "jest: a method",
        "    if language is Language.JAVASCRIPT:\n",
        "    if False:\n",
    ),
    _lives(
        "jest: a method in the file",
        "called += methods(tokens) if language is Language.JAVASCRIPT else ()",
        "called += ()",
        "lexed_tests",
    ),
    _lives("jest: a method by another", '("this", name, ', "(name, ", _METHODS),
    _lives("jest: a part", "_TYPE_TOKENS_MAX, close))\n    sign", "1, close))\n    sign", _METHODS),
    _lives("jest: a part that is a value", 'p].text in {"=", ";"', 'p].text in {";"', _METHODS),
    _lives("jest: a method of a class", "*made.get(name, ())[:_NAMES_MAX]", "*()", _METHODS),
    _lives("jest: a method of the class itself", '"macro_rules", "class"}', '"macro_rules"}'),
    _lives(
        "jest: a method that nobody waits for",
        "return two.text if is_method else",
        "return two.text + two.text if is_method else",
        "lexed_tests",
    ),
    _lives(
        "jest: a method that nobody waits for",
        "return at - 2 if is_member else at",
        "return at",
        "lexed_tests",
    ),
    _lives(
        "jest: a method",
        "return name if name in known else tokens[at].text",
        "return tokens[at].text",
        _METHODS,
    ),
    _blames(
        "jest: a method of another",
        'name = "".join(one.text for one in tokens[max(at - 2, 0) : at + 1])',
        'name = next((one for one in ("shop.check",) if tokens[at].text == "check"), "")',
        _METHODS,
    ),
    PlantedFault(
        "test_guard/asserted_elsewhere.py",
        "if not is_own or tokens_of(whole, language) is None:",
        "if False:",
        f"{_TESTS}::test_anonymous_functions_are_not_helpers",
    ),
]
