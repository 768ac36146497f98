"""A fault for each guard of tests that are tried again, are asked less often, or lose their names."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"
SOURCES = "gates/test_tests_gate.py::test_a_test_that_switches_to_other_code_is_found_while_the_tested_code_exists"
UNREAD = "gates/test_tests_gate.py::test_an_unreadable_test_file_never_passes_silently"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[tried {case}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


_WHOLE, _TESTS, _MARKS, _FIXTURES = (
    "python_whole",
    "python_tests",
    "python_marks",
    "python_fixtures",
)
_ROWS, _REACH, _CONDITIONS = "python_rows", "python_reach", "python_conditions"
_OPTIONS, _NEWER = "javascript_options", "python_newer"

TRIED_FAULTS = [
    _lives(
        "class: a value for its name",
        _TESTS,
        "for one in (name, *within.pop(name, ())):",
        "for one in (name,):",
    ),
    _lives(
        "class: a second class of its name",
        _TESTS,
        '                yield "::".join(inner.names), None, place\n',
        "",
    ),
    _lives(
        "class: a function of its name",
        _WHOLE,
        "            yield node.name\n            yield from given_to_all",
        "            yield from given_to_all",
    ),
    _blames(
        "a function has a name of its own that a test has, too",
        _WHOLE,
        "            yield from given_to_all(node)\n",
        "            yield from (n.id for n in walk(node) if isinstance(n, ast.Name))\n",
    ),
    _lives(
        "class: another method by its name",
        _WHOLE,
        "ctx=ast.Store() | ast.Del()) if owner",
        "ctx=ast.Del()) if owner",
    ),
    _lives(
        "class: set in the class",
        _WHOLE,
        'ast.Name(id="setattr" | "delattr")',
        'ast.Name(id="delattr")',
    ),
    _lives(
        "class: a method that is no test", _TESTS, 'dotted(of).replace(".", "::")', "dotted(of)"
    ),
    _lives("python: an exception of its name", _WHOLE, "ast.ExceptHandler(name=str(name)) | ", ""),
    _lives("python: a case of its name", _WHOLE, " | ast.MatchAs(name=str(name))", ""),
    _lives("python: a star behind it", _TESTS, "if test.line < star", "if star < 0"),
    _blames("a star at the top", _TESTS, "if test.line < star", "if star"),
    _lives(
        "python: tried again by a mark",
        _MARKS,
        "marks.add(Mark.TRIED_AGAIN)",
        "pass",
    ),
    _lives(
        "python: tried again under another name",
        "python_names",
        "    | TRIES_AGAIN\n",
        "",
    ),
    _lives(
        "python: tried again as a file",
        "compare",
        "Loss.WEAKENED if mark is Mark.TRIED_AGAIN else Loss.SKIPPED",
        "Loss.SKIPPED",
    ),
    _lives("class: a property", _MARKS, '"property", ', ""),
    _lives("python: it is printed", _MARKS, '"print", ', ""),
    _lives(
        "python: a lambda in its place",
        _MARKS,
        "isinstance(one, ast.Lambda)",
        "isinstance(one, ast.List)",
    ),
    _lives(
        "python: a fixture for a file", _FIXTURES, "asked |= asked_by_marks(\n", "asked_by_marks(\n"
    ),
    _lives("python: a fixture of a fixture", _FIXTURES, "_DEPTH_MAX = 20", "_DEPTH_MAX = 0"),
    _lives(
        "python: a fixture with another name",
        _FIXTURES,
        "if given else node.name",
        "if not given else node.name",
    ),
    _lives(
        "python: a fixture for all of a fixture",
        _FIXTURES,
        "asked.update(_fixture_names(node))",
        "pass",
    ),
    _lives("python: a fixture that is asked for", _FIXTURES, "asked.add(str(name))", "pass"),
    _lives(
        "python: a snapshot", "python_strength", "_SNAPSHOT.search(last_name(side))", "not side"
    ),
    _lives("examples: one example", _ROWS, "count = min(count, number)", "pass"),
    _blames("fewer of very many examples", _ROWS, "_EXAMPLES_MAX = 20", "_EXAMPLES_MAX = 200"),
    _lives("examples: no phase", _ROWS, "count = 0", "pass"),
    _lives("examples: one value", _ROWS, 'case "just" | "none"', 'case "none"'),
    _blames("two values", _ROWS, "len(said[0].elts) < 2", "len(said[0].elts) < 3"),
    _lives(
        "examples: one is let through",
        _ROWS,
        "_is_one_value(of) or is_one or",
        "_is_one_value(of) or",
    ),
    _lives(
        "examples: nothing is assumed",
        _REACH,
        "return _constant(condition) is False",
        "return False",
    ),
    _lives("examples: one is assumed", _CONDITIONS, " or _takes_few(node)", ""),
    _blames(
        "what looks at an example is assumed", _CONDITIONS, " and last_name(one) not in _LOOKS", ""
    ),
    _lives("examples: a profile for all", _WHOLE, 'attr="load_profile"', 'attr="load"'),
    _lives("jest: options last", _OPTIONS, 'body[at - 1].text == ","', "at == 1"),
    _blames(
        "options that ask for no other try",
        "javascript_options",
        'return any(text != "0" for text',
        "return any(True for text",
    ),
    _lives(
        "jest: options of a suite",
        "javascript_tests",
        "suites.append((call.end, call, call.marks | none))",
        "suites.append((call.end, call, none))",
    ),
    _lives("jest: set for all", "lexed_file", " or sets_for_all(tokens, at)", ""),
    _lives("jest: the end at a failure", "lexed_file", '"onTestFailed", ', ""),
    _lives("mocha: a suite is told", "javascript_tests", "is_tried_again[at] or ", ""),
    _lives("mocha: told behind it", "javascript_tests", "min(call.end + 3,", "min(call.end,"),
    _lives("go: a panic is caught", "lexed_tests", "if recovers_in_silence(body):", "if not body:"),
    _blames(
        "a panic is asked about",
        "go_recover",
        "if functions and not _says_so(",
        "if functions or not (",
    ),
    _lives("go: a panic is let go", "go_recover", "not is_let_go and ", ""),
    _lives("rust: tried again", "lexed_tests", '"flaky_test", ', ""),
    _lives("newer: an assertion less", _TESTS, "return ast.parse(in_older_words(source))", "raise"),
    _lives("newer: one that is not read", _NEWER, '"assert_unread" if', '"unread" if not text or'),
    _lives(
        "newer: no Python any more", _NEWER, "if _WITH_PARTS.search(text) is None:", "if not text:"
    ),
    _lives(
        "jest: one of two tests of a suite is another one",
        "partners",
        "were[suite] == are[suite] == 1",
        "were[suite] == are[suite]",
    ),
    _blames(
        "the one test of a suite is another one",
        "partners",
        "chain(much_alike.of(test), alone.of(test))",
        "chain(much_alike.of(test))",
    ),
    _blames("a row becomes a test that calls the test", _ROWS, " + len(also)", ""),
    _lives(
        "python: a row becomes a call of another row", _ROWS, "called - tables[0] if", "called if"
    ),
    _lives(
        "python: a row becomes a call that is not reached",
        _ROWS,
        "                    break\n    return {name",
        "                    pass\n    return {name",
    ),
    PlantedFault(
        "test_guard/compare.py",
        "            yield _not_compared(pair)\n",
        "            pass\n",
        f"{UNREAD}[def test_one(:\\n    assert price(1) == 6\\n-passed-could not be read and compared]",
    ),
    PlantedFault(
        "test_guard/compare.py",
        "if pair.after.is_readable and not pair.after.tests:",
        "if not pair:",
        f"{UNREAD}[-failed-1 unreadable]",
    ),
    _lives("python: submitted", _REACH, '"submit", ', ""),
    _lives("python: gathered", _REACH, '"run", ', ""),
    _lives("python: waited for", _REACH, '"wait", ', ""),
    _lives("python: at the exit", _REACH, " or is_registered else", " else"),
    _lives(
        "python: picked from two",
        "python_strength",
        "case ast.Subscript(value=ast.Tuple()",
        "case ast.Subscript(value=ast.Set()",
    ),
    _lives(
        "python: what it was just given", "python_strength", "node.id == target.id", "not target"
    ),
    _lives("python: a row with a name that is left out", _ROWS, "values.get(e.id, e) if", "e if"),
    _lives(
        "python: another failure of Python's",
        _WHOLE,
        'ast.Name(id="builtins"), attr=name',
        'ast.Name(id="builtin"), attr=name',
    ),
    _lives(
        "python: another failure by its name",
        _WHOLE,
        'args=[ast.Name(id="builtins"), ast',
        'args=[ast.Name(id="builtin"), ast',
    ),
    _lives(
        "python: a module for all",
        _WHOLE,
        '            yield "sys.modules"\n',
        "            pass\n",
    ),
    _lives(
        "class: left out by a value",
        _MARKS,
        '"__unittest_skip__": Mark.SKIPPED',
        '"__unittest__": Mark.SKIPPED',
    ),
    _lives("class: a decorator of the class", _TESTS, " or test.short_name in given", ""),
    _lives(
        "class: set as a class is made",
        _WHOLE,
        '            ) if name.startswith("test"):\n                found.add(name)',
        '            ) if name.startswith("test"):\n                pass',
    ),
    _blames("a name of its own that begins like a test", _WHOLE, ' and owner != "self"', ""),
    _lives(
        "jest: another expect for all",
        "lexed_file",
        'words[:2] == ["stubGlobal", "("]',
        'words[:2] == ["stub", "("]',
    ),
    _lives(
        "jest: after the file is read",
        "lexed_file",
        "token.text in _STARTS_LATER and",
        "not token and",
    ),
    _lives(
        "go: a panic is caught by another function",
        "lexed_tests",
        "if defers_one_of(body, calm) else",
        "if not body else",
    ),
    _blames("a panic is told by another function", "go_recover", "and not _says_so(body)\n", ""),
    _lives("rust: a row less", "lexed_tests", "max(len(rows), 1)", "1"),
    PlantedFault(
        "tests_gate.py",
        "    found += _other_sources(subject, paths)\n",
        "",
        f"{SOURCES}[was0-now0-True]",
    ),
    PlantedFault(
        "test_guard/sources.py",
        "if is_still_there and is_given:",
        "if is_given:",
        f"{SOURCES}[was3-now3-False]",
    ),
    PlantedFault(
        "test_guard/sources.py",
        "if is_still_there and is_given:",
        "if is_still_there:",
        f"{SOURCES}[was4-now4-False]",
    ),
    PlantedFault(
        "test_guard/sources.py",
        r"function(?:[ \t]*+\*)?|",
        "",
        f"{SOURCES}[was2-now2-True]",
    ),
]
