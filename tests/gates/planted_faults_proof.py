"""A fault for every guard of the gate `tests`, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

HERE = "test_tests_gate.py::"
LINEAR = "test_linear_time_of_tests.py::test_a_test_file_is_read_in_linear_time"
VERIFY = "test_spec_verify.py::"
PLANTED = HERE + "test_weakened_tests_are_found"
HONEST = HERE + "test_legitimate_work_on_tests_is_not_reported"


def _found(diff: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{PLANTED}[{diff}]")


def _honest(file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, HONEST)


def _slow(shape: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}", guard, fault, f"{LINEAR}[{shape}]")


PROOF_FAULTS = [
    PlantedFault(
        "test_guard/python_reach.py",
        "is_caught=_swallows(node, handled)",
        "is_caught=_swallows(node, [_living(h.body, used) for h in node.handlers])",
        "test_linear_time_of_tests.py::test_handlers_inside_handlers_are_each_looked_through_once",
    ),
    _slow(
        "one javascript chain",
        "lexed_blocks.py",
        "        if at in dead:\n            continue\n",
        "",
    ),
    _slow(
        "one go",
        "lexed_assertions.py",
        "            condition = conditions[at]\n",
        "            condition = list(_conditions(tokens))[at]\n",
    ),
    _slow(
        "one javascript hooks",
        "javascript_options.py",
        "    for start in found:\n",
        "    for start in (s for s in found for _ in tokens):\n",
    ),
    _slow("one rust strings", "tokens.py", '(?:.*?"\\1(?!#)|.*)', '.*?"\\1(?!#)'),
    _slow("one javascript brackets", "tokens.py", "\\n]){0,1000}", "\\n])*"),
    _slow("one rust characters", "tokens.py", "{0,16}", "*"),
    PlantedFault(
        "test_guard/tokens.py",
        "if len(opened) > _DEPTH_MAX:",
        "if False:",
        "test_linear_time_of_tests.py::test_absurdly_deep_brackets_are_unreadable",
    ),
    _found(
        "python: its name stands for nothing",
        "python_tests.py",
        "found.pop(one, None)",
        "pass",
    ),
    _found(
        "python: a class has __test__", "python_tests.py", "and not one.value.value", "and False"
    ),
    _found(
        "python: or True",
        "python_strength.py",
        "            if None in each:\n                return None\n",
        "",
    ),
    _found(
        "python: it compares with itself",
        "python_strength.py",
        "    one, other = map(ast.dump, sides)\n",
        "    return Strength.VALUE\n",
    ),
    _found(
        "condition python: of one value",
        "python_strength.py",
        "            return {target.id: value for target in targets if isinstance(target, ast.Name)}\n",
        "            return {}\n",
    ),
    _found("python: its type", "python_strength.py", '"bool" | "type" | "callable"', '"bool"'),
    _found("python: anything", "python_strength.py", 'last_name(side) == "ANY"', "False"),
    _found("python: any failure", "python_strength.py", "& _ANY_FAILURE:", "& frozenset():"),
    _found("python: any words", "python_strength.py", "if says_how else", "if True else"),
    _found("python: a wide tolerance", "compare.py", "is_less = is_wider or", "is_less ="),
    _found(
        "python: failures are caught",
        "python_reach.py",
        "is_caught=_swallows(node, handled)",
        "is_caught=False",
    ),
    _found(
        "python: failures are suppressed",
        "python_reach.py",
        "is_caught=_suppresses(node)",
        "is_caught=False",
    ),
    _found(
        "python: it returns first",
        "python_reach.py",
        "        if _ends(node):\n            break\n",
        "",
    ),
    _found(
        "python: in a function that nobody calls",
        "python_reach.py",
        "if node.name in used or node.decorator_list or is_known:",
        "if True:",
    ),
    _found(
        "python: in a lambda", "python_reach.py", "if not isinstance(node, ast.Lambda):", "if True:"
    ),
    _found(
        "python: in a loop over nothing", "python_reach.py", "if _is_empty(node.iter):", "if False:"
    ),
    _found(
        "python: failures end in a return",
        "python_reach.py",
        "ast.Return | ast.Break | ast.Continue)",
        "ast.Break)",
    ),
    _found(
        "python: failures of a group are caught",
        "python_reach.py",
        "ast.Try() | ast.TryStar():",
        "ast.Try():",
    ),
    _found(
        "python: it raises what it expects",
        "python_reach.py",
        "if not _raises_itself(n, node)",
        "if True",
    ),
    _found(
        "python: a skip under another name",
        "python_tests.py",
        "without_aliases(_parsed(source))",
        "_parsed(source)",
    ),
    _found("python: an import that skips", "python_names.py", '"importor' + 'skip"', '""'),
    _found("python: the run ends", "python_marks.py", "dotted(value.func) in ENDS", "False"),
    _found(
        "python: the file ends", "python_blocks.py", "if dotted(func) in _ENDS_A_FILE:", "if False:"
    ),
    _found("python: a fixture skips", "python_tests.py", "module.fixtures.get(name, ())", "()"),
    _found(
        "python: a fixture for all skips",
        "python_fixtures.py",
        "if _is_for_all(node)",
        "if not _is_for_all",
    ),
    _found("python: before the class it skips", "python_blocks.py", '"setup_method", ', ""),
    _found(
        "python: a decorator never calls it", "python_tests.py", "one.id in module.idle", "False"
    ),
    _found(
        "python: names are taken out", "python_blocks.py", "if changes_names(node) or (", "if ("
    ),
    _found(
        "python: it has __test__",
        "python_tests.py",
        "                if is_false(value):",
        "                if False:",
    ),
    _found("python: it yields", "python_tests.py", "isinstance(one, ast.Yield)", "False"),
    _found("python: cases are left out", "python_rows.py", "if not is_left_out(row)", "if True"),
    _found(
        "python: what it tests is replaced",
        "python_tests.py",
        " if last_name(func) in _PUTS_IN:",
        " if False:",
    ),
    _found(
        "python: what it tests is its own",
        "compare.py",
        "test.about & (now.own - test.own) & asserted",
        "set()",
    ),
    _found(
        "python: a helper of its own",
        "python_tests.py",
        "{last_name(call.func)} - own",
        "{last_name(call.func)}",
    ),
    _found(
        "python: under a condition",
        "python_tests.py",
        "inner = replace(place, marks=place.marks | {Mark.CONDITIONAL})",
        "inner = replace(place, marks=place.marks)",
    ),
    _found("python: at least", "compare.py", "new.strength >= gone.strength and", ""),
    _found("python: cases are dropped", "compare.py", "is_now < was", "is_now < 1"),
    _found("python: no Python any more", "compare.py", "not pair.after.is_readable", "False"),
    _found("javascript: in a function that nobody calls", "lexed_blocks.py", "== 1\n", "== 0\n"),
    _found(
        "javascript: later", "lexed_blocks.py", "and whole.waits_from == len(body):", "and False:"
    ),
    _found(
        "javascript: in a promise that is dropped",
        "lexed_blocks.py",
        "not is_kept and whole",
        "False and whole",
    ),
    _found(
        "javascript: in a promise that lets nothing through",
        "lexed_blocks.py",
        'if body[at].text == "catch":',
        "if False:",
    ),
    _found("javascript: if not true", "lexed_blocks.py", '["!", "true"], ', ""),
    _found("javascript: false and", "lexed_blocks.py", "if _decides_alone(body, at):", "if False:"),
    _found(
        "javascript: for each of none", "lexed_conditions.py", '== ["[", "]"]:', '== ["]", "["]:'
    ),
    _found(
        "javascript: it goes on to nothing",
        "lexed_blocks.py",
        'if body[at - 1].text == "{" and _leaves_at_once(body, at):',
        "if False:",
    ),
    _found(
        "javascript: failures end in a return",
        "lexed_blocks.py",
        'if last & {"return", ',
        "if last & {",
    ),
    _found(
        "javascript: it compares with itself",
        "javascript_assertions.py",
        "looked_at == given and whole",
        "False and whole",
    ),
    _found(
        "javascript: nobody waits",
        "javascript_assertions.py",
        "if words & _PROMISES and",
        "if False and",
    ),
    _found(
        "javascript: it throws itself",
        "javascript_assertions.py",
        'throws == ["{", "throw"]',
        "False",
    ),
    _found(
        "javascript: the run ends",
        "lexed_blocks.py",
        '"process.exit", "process.abort"}),\n    Language.RUST',
        '"process.abort"}),\n    Language.RUST',
    ),
    _found(
        "javascript: the file ends",
        "lexed_file.py",
        "elif depth == 0 and skips(",
        "elif False and skips(",
    ),
    _found(
        "javascript: an option",
        "javascript_options.py",
        'if name in MARKS and value != "false"',
        "if False",
    ),
    _found(
        "javascript: before each it skips",
        "javascript_tests.py",
        "if is_skipped[at] else set()",
        "if False else set()",
    ),
    _found(
        "javascript: expect is its own",
        "lexed_file.py",
        "                or _has_own_runner(tokens)\n",
        "",
    ),
    _found("javascript: its type", "javascript_assertions.py", '["typeof"], ', ""),
    _found(
        "sampled jest: anything",
        "javascript_assertions.py",
        'if given[:1] == ["expect"] and',
        "if False and",
    ),
    _found("javascript: its length", "javascript_assertions.py", '== [".", "length"]', "== []"),
    _found(
        "javascript: any failure",
        "javascript_assertions.py",
        "elif words & _THROWS and",
        "elif False and",
    ),
    _found(
        "javascript: what it tests is replaced",
        "lexed_names.py",
        "own = (used & self.put_in) | _assigned(body)",
        "own = _assigned(body)",
    ),
    _found(
        "javascript: what it tests is replaced",
        "lexed_names.py",
        "} | doubled(tokens, modules)",
        "}",
    ),
    _found(
        "javascript: cases are the same",
        "javascript_tests.py",
        "max(len({tuple(row) for row in rows if row}), 1)",
        "max(len(rows), 1)",
    ),
    _found("go: nobody waits", "lexed_blocks.py", 'frozenset({"go", ', "frozenset({"),
    _found(
        "go: it compares with itself",
        "lexed_assertions.py",
        "if not is_same(after, COMPARED) and",
        "if",
    ),
    _found("go: a bound and false", "lexed_assertions.py", '{"&&", "false"} <= texts', "False"),
    _found(
        "go: nothing is run",
        "lexed_file.py",
        "not _runs_tests(body, own) or re",
        "re",
    ),
    _found("go: a row is dropped", "compare.py", ", (test.rows, now.rows)", ","),
    _found(
        "rust: it compares with itself",
        "lexed_assertions.py",
        'if is_same(said[3:-1], COMPARED if name == "assert" else COMMA):',
        "if False:",
    ),
    _found(
        "rust: nobody looks at the panic",
        "lexed_blocks.py",
        "or _is_forgotten(whole, at):",
        "or False:",
    ),
    _found("rust: for none", "lexed_conditions.py", "return bool(dots) and", "return False and"),
    _found("rust: if never", "lexed_blocks.py", 'if words[:2] == ["cfg", "!"]:', "if False:"),
    _found(
        "rust: it is expected to panic",
        "lexed_tests.py",
        "marks.add(Mark.EXPECTED_TO_FAIL)",
        "pass",
    ),
    _found(
        "rust: its tests are never compiled",
        "lexed_tests.py",
        "if is_for_some else under",
        "if False else under",
    ),
    _found("rust: any panic", "lexed_tests.py", 'if "expected" in words else', "if True else"),
    _found("javascript: a test is a comment", "tokens.py", 'source.startswith("/*", at)', "False"),
    _found("javascript: only another one", "compare.py", "if Mark.ONLY in new_marks:", "if False:"),
    _found(
        "javascript: a constant is expected",
        "javascript_assertions.py",
        "or _is_of_constants(whole) or",
        "or",
    ),
    _found(
        "javascript: failures are caught",
        "lexed_blocks.py",
        "closing(body, at + 1) if _is_swallowed(body, at) else at",
        "at",
    ),
    _found("go: if false", "lexed_blocks.py", "if _is_never(whole.tokens, at):", "if False:"),
    _found(
        "go: it returns first",
        "lexed_statements.py",
        'frozenset({"return", ',
        "frozenset({",
    ),
    _found(
        "go: a build tag",
        "lexed_file.py",
        "                _GO_TAG.search(source)\n                or",
        "                ",
    ),
    _found("rust: ignored", "lexed_tests.py", 'if words[0] == "ignore":', "if False:"),
    _honest("compare.py", "if kept.has(one) or", "if"),
    _honest("compare.py", "if kept.has_all(test):", "if False:"),
    _honest("partners.py", "partners[id_] = now", "pass"),
    PlantedFault(
        "test_guard/compare.py",
        "if not test.marks & left_out:",
        "if True:",
        HERE + "test_a_skipped_test_does_not_replace_a_lost_one",
    ),
    PlantedFault(
        "tests_gate.py",
        "if one.frees_tests",
        "if True",
        HERE + "test_a_test_may_be_removed_only_with_its_requirement",
    ),
    PlantedFault(
        "tests_gate.py",
        "    if subject.settings.is_of_person:\n",
        "    if not subject.settings:\n",
        HERE + "test_weakened_tests_in_a_persons_change_are_reported_and_pass",
    ),
    PlantedFault(
        "test_guard/thresholds.py",
        "return len(new) >= len(old) and all(now >= was for was, now in pairs)",
        "return sum(new) >= sum(old) or not pairs",
        HERE + "test_a_lowered_threshold_is_found",
    ),
    PlantedFault(
        "test_guard/thresholds.py",
        "return len(new) >= len(old) and all",
        "return len(new) == len(old) and all",
        HERE + "test_a_raised_or_new_threshold_is_not_reported",
    ),
    PlantedFault(
        "test_guard/thresholds.py",
        "if has_section or _SURE",
        "if True or _SURE",
        HERE + "test_an_unrelated_number_is_not_a_threshold",
    ),
    PlantedFault(
        "spec_verify.py",
        "if r.asked is not Asked.REMOVED",
        "if r.asked",
        VERIFY + "test_a_requirement_that_is_removed_needs_no_test",
    ),
    PlantedFault(
        "spec_verify.py",
        " and not test.marks & _NOT_RUN",
        "",
        VERIFY + "test_a_skipped_test_counts_as_without_assertions",
    ),
    PlantedFault(
        "spec_verify.py",
        "bool(test.assertions) and",
        "True and",
        VERIFY + "test_a_test_without_assertions_is_marked",
    ),
    PlantedFault(
        "test_guard/allowance.py",
        r"(?![\w-])",
        "",
        VERIFY + "test_text_that_is_not_a_test_of_the_requirement_proves_nothing",
    ),
]
