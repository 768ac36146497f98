"""A fault for each guard of what tests compare with, of swaps, and of what nobody waits for."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{FOUND}[compared {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{HONEST}[{case}-]")


COMPARED_FAULTS = [
    _lives(
        "python: a constant of the product",
        "compare.py",
        " or is_theirs or",
        " or",
    ),
    _lives(
        "python: rows of the product",
        "python_product.py",
        "product | set(self._rows(node, product))",
        "product",
    ),
    _lives(
        "python: another function of the product",
        "python_product.py",
        "any(kinds) or (self._is_answer(one) and self._is_answer(other))",
        "any(kinds)",
    ),
    _blames(
        "a constant of Python beside, in python",
        "python_product.py",
        "top in sys.stdlib_module_names or top in",
        "top in",
    ),
    _blames(
        "a value that is made beside, in python",
        "python_product.py",
        "is_made = last_name(node)[:1].isupper()",
        "is_made = False",
    ),
    _lives(
        "python: a helper that swaps",
        "python_tests.py",
        "module.renamed | module.swapped",
        "module.renamed",
    ),
    _lives("python: a part of a module", "python_tests.py", " | members)", ")"),
    _lives(
        "javascript: a constant of the product",
        "lexed_product.py",
        "return texts[0] in self.imports\n        if self.language is Language.GO:",
        "return False\n        if self.language is Language.GO:",
    ),
    _blames("an error with a name beside, in go", "lexed_product.py", r"|[eE]rr\w*|", "|"),
    _blames(
        "a value of the tests beside, in rust",
        "lexed_product.py",
        "and texts[-1] not in self.own",
        "",
    ),
    _lives(
        "javascript: a comma in what is looked at",
        "javascript_assertions.py",
        "looked_at = last_of_sequences(tokens[opened:end])",
        "looked_at = tokens[opened:end]",
    ),
    _lives(
        "javascript: all of them",
        "lexed_blocks.py",
        "return at, ends_statement(body, at)\n\n\ndef is_waited_for",
        "return at, at\n\n\ndef is_waited_for",
    ),
    _lives("javascript: what settles", "lexed_blocks.py", '"allSettled", ', ""),
    _lives(
        "javascript: a function before a comma",
        "lexed_unused.py",
        'case Language.JAVASCRIPT, "=>":',
        'case Language.JAVASCRIPT, "->":',
    ),
    _blames(
        "all have a name beside, in javascript",
        "lexed_blocks.py",
        "is_dropped |= len(said) == 1",
        "is_dropped |= bool(name)",
    ),
    _lives(
        "go: a method with a test's argument",
        "go_suites.py",
        "{Mark.CONDITIONAL} if takes_any else {Mark.SKIPPED}",
        "{Mark.SKIPPED}",
    ),
    _lives(
        "suite: another suite is run",
        "compare.py",
        "was.suite != now.suite or was.suite in ran",
        "was.suite != now.suite",
    ),
    _blames("a suite in a suite beside, in suite", "go_suites.py", "left += new", "pass"),
    _blames(
        "a suite is run from another file",
        "compare.py",
        "runs = frozenset[str]().union(*(pair.after.suites_run for pair in pairs))",
        "runs = frozenset[str]()",
    ),
    _lives(
        "rust: an equality that looks",
        "rust_equality.py",
        "if of not in own or not looks",
        "if not looks",
    ),
    _blames(
        "a type of the tests beside, in rust",
        "rust_equality.py",
        "if of not in own or not looks or",
        "if of or",
    ),
    _lives(
        "rust: a function of the product that says it asserts",
        "lexed_assertions.py",
        "tokens[at - 2].text in ASSERTING_CRATES",
        "tokens[at - 2].text",
    ),
    _lives(
        "python: one assertion for two",
        "compare.py",
        "if one.text not in stands_for",
        "if one",
    ),
    _lives(
        "python: a type that is equal to a kind",
        "python_whole.py",
        "bool(free) and not any(looks)",
        "False",
    ),
    _lives(
        "go: nobody is told",
        "go_suites.py",
        '{"new", "{", "&"} & set(first)',
        "set(first) & set()",
    ),
    _lives(
        "python: an end under a condition",
        "python_blocks.py",
        "ast.If | ast.Try) and any(map(_ends_here",
        "ast.Try) and any(map(_ends_here",
    ),
    _blames(
        "a test that is left out becomes two",
        "compare.py",
        "kept = stays if test.marks & _LEFT_OUT else runs",
        "kept = runs",
    ),
]
