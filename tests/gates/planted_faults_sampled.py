"""A fault for each guard of what honest commits of public repositories do to tests."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"
RUST = "gates/test_replaced_product.py::test_tests_in_rust_keep_their_product[a method]"
_CONDITIONS = "lexed_conditions"
_JAVASCRIPT = "javascript_assertions"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[sampled {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


SAMPLED_FAULTS = [
    PlantedFault("test_guard/rust_sources.py", "\\b{_NO_METHOD}", "\\b", RUST),
    PlantedFault("test_guard/rust_sources.py", "(?:mut\\s++)?self", "self", RUST),
    PlantedFault("test_guard/rust_sources.py", "(?:'\\w++\\s++)?", "", RUST),
    PlantedFault("test_guard/rust_sources.py", "(?:<[^>(]{0,100}>\\s*+)?", "", RUST),
    _blames("a name in a text of rust", "lexed_closed", "_IN_FORMAT.finditer(text))", "())"),
    _blames("a name with its form", "lexed_closed", "+)[:}]", "+)[}]"),
    _blames("a text with a value", "lexed_closed", "in _IN_TEMPLATE.finditer(text):", "in ():"),
    _lives(
        "jest: a text with a name in a text",
        "lexed_closed",
        "yield from _words(tokens_of(found[1], language) or (), language)",
        'yield from re.findall("[a-z]+", found[1])',
    ),
    _blames("true in other words", "lexed_tests", "        if is_of_ava:\n", "        if False:\n"),
    _lives(
        "tape: it may be anything true",
        "lexed_tests",
        "        if is_of_ava:\n",
        "        if True:\n",
    ),
    _lives(
        "ava: it may be anything",
        _JAVASCRIPT,
        "strength=min(one.strength, Strength.RELATION)",
        "strength=Strength.PRESENCE",
    ),
    _blames(
        "out of what does not throw",
        _JAVASCRIPT,
        "in _outside_functions(matcher) if",
        "in matcher if",
    ),
    _blames(
        "false of a name that says something",
        _JAVASCRIPT,
        "elif named & PRESENT",
        "elif words & PRESENT",
    ),
    _blames(
        "an example that was no test",
        "rust_files",
        "if example.assertions or not example.marks:",
        "if example:",
    ),
    _lives(
        "rust: an example is left out",
        "rust_files",
        "if example.assertions or not example.marks:",
        "if not example.marks:",
    ),
    _blames(
        "what the product asserts itself",
        "lexed_asserted",
        ' if not one.text.startswith("debug_")',
        "",
    ),
    _lives(
        "jest: some failures are let go",
        _CONDITIONS,
        "                if self._count(self.leaving, opened, at):\n                    break\n",
        "",
    ),
    _blames(
        "expect(got.ok).toBe(true); in front of it",
        _CONDITIONS,
        'given in ([], ["true"])',
        "given in ([],)",
    ),
    _blames(
        "expect(got.ok).toBeTruthy(); in front of it",
        _CONDITIONS,
        'given in ([], ["true"])',
        'given in (["true"],)',
    ),
    _blames("assert(got.ok); in front of it", _CONDITIONS, '{"assert", "ok"', '{"ok"'),
    _blames(
        'assert.ok(got.ok, "closed"); in front of it',
        _CONDITIONS,
        'in (asked[1:], [*asked[1:], ","])',
        "in (asked[1:],)",
    ),
    _lives(
        "jest: it leaves behind another",
        _CONDITIONS,
        ' == "expect" and given == asked[1:]',
        ' == "expect"',
    ),
    _lives("jest: it leaves behind the other way", _CONDITIONS, ' or asked[:1] != ["!"]', ""),
    _lives(
        "jest: it leaves behind what is no assertion",
        _CONDITIONS,
        "return is_told and self._text(opened - 1) in _SAYS_TRUE",
        "return is_told",
    ),
]
