"""A fault for each guard that tells honest work on tests from what goes round them."""

from tests.testkit.planting import PlantedFault

_HERE = "gates/test_tests_gate.py::"


def _tells(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_legitimate_work_on_tests_is_not_reported[{case}-]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    killer = f"{_HERE}test_weakened_tests_are_found[honest {case}]"
    return PlantedFault(f"test_guard/{file}", guard, fault, killer)


_FILE, _ASSERTIONS, _RUST = "lexed_file.py", "lexed_assertions.py", "rust_files.py"
_SURROUNDINGS = "            and not _is_of_surroundings(tokens, at + 4)\n"
HONEST_FAULTS = [
    _tells("another platform in JavaScript", _FILE, _SURROUNDINGS, ""),
    _tells("another environment in JavaScript", _FILE, _SURROUNDINGS, ""),
    _tells("a double of what encrypts in JavaScript", _FILE, _SURROUNDINGS, ""),
    _tells(
        "a double of fetch in JavaScript",
        _FILE,
        "            and _is_no_part(tokens, at)\n            and not _is_a_double(token.text, words[2])\n",
        "            and _is_no_part(tokens, at)\n",
    ),
    _tells(
        "a register beside createRequire in JavaScript",
        _FILE,
        "            if any(one.text == tokens[at].text for one in tokens[first:place]):\n",
        "            if True:\n",
    ),
    _tells(
        "a remainder that is given in JavaScript",
        "lexed_strength.py",
        "if not any(calls):",
        "if True:",
    ),
    _tells(
        "an error and a value under one condition in Go",
        _ASSERTIONS,
        'ends = [at for at, one in enumerate(condition) if one.text == "||"]',
        "ends: list[int] = []",
    ),
    _tells(
        "a fake's method in Go",
        "lexed_names.py",
        "for name, _ in every if name in plain}",
        "for name, _ in every}",
    ),
    _tells("a main that looks for leaks in Go", _FILE, "or _is_handed_on(body, at, own)", ""),
    _tells("a main in two parts in Go", _FILE, "or _is_handed_on(body, at, own)", ""),
    _tells("a closure in Rust", "lexed_strength.py", "if not any(calls):", "if True:"),
    _tells(
        "what is waited for in an example of Rust",
        _RUST,
        " - bool(_RUNS_AT_ONCE.match(bare))",
        "",
    ),
    _tells("rows in an example of Rust", _RUST, " - bool(_RUNS_AT_ONCE.match(bare))", ""),
    _tells("a brace in a text in an example of Rust", _RUST, '_TEXT.sub("", line)', "line"),
    _lives(
        "go: a main that hands it on to nothing",
        _FILE,
        "return is_plain and words[0] in own and _runs_tests(own[words[0]], {})",
        "return is_plain",
    ),
    _lives("javascript: another exit", _FILE, "and named not in _ENDS_OF_PROCESS", ""),
    _lives(
        "javascript: another expect",
        _FILE,
        'and name.strip("\\"\'`") in _SURROUNDINGS',
        "",
    ),
    _lives("rust: rows that are none", _RUST, r"(?:&?(?:vec!)?\[[^\]]|0", r"(?:&?(?:vec!)?\[|0"),
]
