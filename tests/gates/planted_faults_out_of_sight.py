"""A fault for each guard of assertions in parts of objects, behind what is not there, and of what is said of itself."""

from tests.testkit.planting import PlantedFault

FOUND = "gates/test_tests_gate.py::test_weakened_tests_are_found"
HONEST = "gates/test_tests_gate.py::test_legitimate_work_on_tests_is_not_reported"


def _lives(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    name = case if case.startswith("tried") else f"hidden {case}"
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{FOUND}[{name}]")


def _blames(case: str, file: str, guard: str, fault: str) -> PlantedFault:
    return PlantedFault(f"test_guard/{file}.py", guard, fault, f"{HONEST}[{case}-]")


OUT_OF_SIGHT_FAULTS = [
    _lives("tried python: print(check)", "python_reach", '{"print", "repr"', '{"repr"'),
    _lives(
        "tried python: repr(check)",
        "python_reach",
        '"repr", "str", "callable"',
        '"str", "callable"',
    ),
    _lives(
        "tried python: print(f'{check}')",
        "python_reach",
        "ast.Compare | ast.FormattedValue)",
        "ast.Compare)",
    ),
    _lives(
        "tried python: assert check is not None",
        "python_reach",
        "ast.Compare | ast.FormattedValue)",
        "ast.FormattedValue)",
    ),
    _lives("tried python: assert callable(check)", "python_reach", '"callable", ', ""),
    _lives(
        "tried python: assert check.__name__ == 'check'",
        "python_reach",
        "return attribute in _OF_A_FUNCTION",
        "return False",
    ),
    _lives(
        "tried python: assert check.__name__ == 'check'",
        "python_strength",
        'attr="__name__" | "__qualname__"',
        'attr="__qualname__"',
    ),
    _blames(
        "a class that somebody has from its base",
        "python_reach",
        " or is_known:",
        ":",
    ),
    _lives("go: its type", "lexed_unused", '{"TypeOf", "len"}', '{"len"}'),
    _lives("go: how many", "lexed_unused", '{"TypeOf", "len"}', '{"TypeOf"}'),
    _lives(
        "go: one to sort",
        "lexed_conditions",
        'Language.GO: frozenset({"Slice", ',
        "Language.GO: frozenset({",
    ),
    _lives("jest: a double for nothing", "lexed_unused", '"freeze", "fn"}', '"freeze"}'),
    _lives("jest: a double that is not called", "lexed_unused", '"toHaveBeenCalledTimes", ', ""),
    _blames("a class that asserts as it is made in jest", "lexed_unused", " and not is_run", ""),
    _lives(
        "tried python: f'{x}' == str(x)",
        "python_copies",
        "case ast.JoinedStr(values=[ast.FormattedValue(value=inner)]):",
        "case ast.JoinedStr(values=[ast.FormattedValue(value=inner), _, _]):",
    ),
    _lives(
        "tried python: f'{x}-{x}' == f'{x!s}-{x!s}'",
        "python_copies",
        '_CONVERSION.sub("", ast.dump(',
        "str(ast.dump(",
    ),
    _lives(
        "tried python: '{}'.format(x) == str(x)", "python_copies", 'attr="format"', 'attr="other"'
    ),
    _lives("tried python: f'{x}' == str(x)", "python_copies", '{"str", "repr"', '{"repr"'),
    _lives("tried python: sorted([x]) == [x]", "python_copies", '"sorted", ', ""),
    _lives(
        "tried python: [*[x]] == tuple([x])",
        "python_copies",
        "return inner.value if isinstance(inner, ast.Starred) else inner",
        "return inner",
    ),
    _lives(
        "jest: a method", "lexed_unused", "case Language.JAVASCRIPT, _ if", "case _ if False and"
    ),
    _lives(
        "jest: a method that waits", "lexed_unused", 'frozenset({"async", "get"', 'frozenset({"get"'
    ),
    _lives("jest: a method with a type", "lexed_unused", 'in {"{", ":"}\n', 'in {"{"}\n'),
    _lives("jest: a method in a list", "lexed_unused", '":", "[", "return"', '":", "return"'),
    _lives(
        "jest: another method is called",
        "lexed_unused",
        'member = self._member(start) if self._text(opened) == "{" else ""',
        'member = ""',
    ),
    _blames(
        "a method by its name later in jest",
        "lexed_unused",
        'if self._text(start - 1) != ":":\n            near',
        "if False:\n            near",
    ),
    _blames(
        "a part by its name later in jest", "lexed_unused", "name = start - 2", "name = start - 1"
    ),
    _lives(
        "jest: a class",
        "lexed_unused",
        'case Language.JAVASCRIPT, "class" if self',
        'case Language.GO, "class" if self',
    ),
    _lives("jest: its keys", "lexed_unused", '"keys", "isArray"', '"isArray"'),
    _lives("jest: what it gives", "lexed_unused", 'in {"|", "||", "=>"}', 'in {"|", "||"}'),
    _lives(
        "rust: what it gives", "lexed_unused", '"move", "return", "|", "||"}', '"move", "return"}'
    ),
    _lives("rust: what nobody takes", "lexed_unused", '"repeat_with", ', ""),
    _lives("jest: nothing to call", "lexed_questions", 'token.text == "?."', 'token.text == "?"'),
    _lives(
        "jest: what a method of nothing gives",
        "lexed_questions",
        "place = self._end(place) + 1\n            elif",
        "return\n            elif",
    ),
    _lives(
        "jest: a method of nothing",
        "lexed_questions",
        'or (text and before in {"?.", "."}):',
        'or (text and before in {"?."}):',
    ),
    _lives(
        "jest: a part of nothing",
        "lexed_questions",
        'if text in {"(", "["}:',
        'if text in {"("}:',
    ),
    _lives("jest: its type at once", "lexed_unused", 'in {"void", "typeof"}:', 'in {"void"}:'),
    _lives("jest: its type", "lexed_unused", '(before == "typeof" and after != ".")\n', "False\n"),
    _lives(
        "jest: its name",
        "javascript_assertions",
        "return looked_at[1:] == ",
        "return looked_at[2:] == ",
    ),
    _lives(
        "jest: its text",
        "javascript_assertions",
        '    if given == ["undefined"]:\n',
        "    if given == []:\n",
    ),
    _lives("jest: that it is there", "lexed_unused", "in _LOOKING\n", "in EXACT\n"),
    _lives(
        "jest: that it is not null",
        "lexed_unused",
        'behind += 2 if self._text(behind + 1) == "not" else 0',
        "behind += 0",
    ),
    _lives("jest: one to sort", "lexed_conditions", "return is_perhaps or not", "return not"),
    _lives(
        "jest: nothing to replace",
        "lexed_conditions",
        '"replace", "replaceAll"}\n        #',
        '"replaceAll"}\n        #',
    ),
    _lives(
        "rust: one to sort", "lexed_conditions", '| {"sort_by", "sort_by_key", "', '| {"sort_by", "'
    ),
    _lives("rust: of none", "lexed_conditions", '"is_some_and", ', ""),
    _lives("rust: only for an error", "lexed_conditions", ', "ok_or_else"}', "}"),
    _lives(
        "rust: behind a question",
        "lexed_questions",
        "return [(first - 1, self._end(end + 2))] if",
        "return [] if",
    ),
    _lives(
        "rust: behind a question with a type",
        "lexed_questions",
        'or self._text(behind) == "->":',
        "or False:",
    ),
    _lives(
        "rust: a name behind a question",
        "lexed_questions",
        "name = self._text(first - 2) if",
        "name = name if",
    ),
    _lives(
        "rust: a function behind a question",
        "lexed_questions",
        'given[-2:] != ["drop", "("]',
        'given[-2:] != ["dropped", "("]',
    ),
    _blames(
        "it fails in other words in rust",
        "lexed_conditions",
        'return any(one.text.startswith("assert") for one in inside)',
        "return bool(inside)",
    ),
    _blames("either way in go", "lexed_statements", 'if text in {"case", "default"}:', "if False:"),
    _lives("rust: for nothing beside another", "lexed_unused", ' if name != "_" else []', ""),
    _blames(
        "a method by another in jest", "lexed_unused", 'not {"this", "..."} &', 'not {"..."} &'
    ),
    _blames(
        "a method for others in jest", "lexed_unused", 'not {"this", "..."} &', 'not {"this"} &'
    ),
    _blames(
        "a method by its name later in jest",
        "lexed_unused",
        "is_only = self.language is _J and len(self.places.get(self._text(name), ())) == 1",
        "is_only = self.language is _J",
    ),
    _blames(
        "a part of a shop in go",
        "lexed_unused",
        "is_only = self.language is _J and",
        "is_only =",
    ),
    _blames(
        "a text for JSON in jest",
        "lexed_unused",
        "        if self._text(at) in _CALLED_BY_OTHERS:\n",
        "        if False:\n",
    ),
    _blames(
        "a call in two lines in jest",
        "lexed_unused",
        "if self._text(opened - 1) not in _BEFORE_AN_OBJECT[_J]",
        "if False",
    ),
    _blames(
        "what it gives is called in jest",
        "lexed_unused",
        'if start == 0 or after in {"(", ".", "?."}:',
        'if start == 0 or after in {".", "?."}:',
    ),
    _blames(
        "behind a question that somebody answers in rust",
        "lexed_questions",
        "return not _TAKES.intersection(behind)",
        "return True",
    ),
    _blames(
        "a name behind a question that somebody answers in rust",
        "lexed_questions",
        "if calls and all(self",
        "if calls and any(self",
    ),
    _blames(
        "a function that is handed on behind a question in rust",
        "lexed_questions",
        'is_called = all(self._text(p + 1) == "(" for p in uses) and',
        "is_called =",
    ),
    _blames(
        "a question of another in rust",
        "lexed_questions",
        'place = self._end(place) + 1 if self._text(place) == "{" else place + 1',
        "place += 1",
    ),
]
