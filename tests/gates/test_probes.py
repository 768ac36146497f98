"""What our probes in runners of Go and JavaScript record."""

import json
import re
from pathlib import Path

import pytest

from gates.go_probe import is_reported_as, statements
from gates.mutants import mutants
from gates.node_probe.__main__ import Reported, Selected, kind_of
from gates.node_probe.coverage import istanbul_lines, v8_lines

TEXT = 'const word = "für 🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂";\nfunction price(count) {\n  if (count) {\n    return 1;\n  }\n}\n'
ASKED = {"shop.js": frozenset({1, 2, 3, 4, 5})}


def offset(of: str) -> int:
    return len(TEXT[: TEXT.index(of)].encode("utf-16-le")) // 2


def test_v8_says_which_lines_of_functions_ran(tmp_path: Path) -> None:
    (tmp_path / "shop.js").write_text(TEXT)
    (tmp_path / "v8").mkdir()
    end = len(TEXT.encode("utf-16-le")) // 2
    whole = {"startOffset": 0, "endOffset": end, "count": 1}
    called = {"startOffset": offset("function"), "endOffset": end - 1, "count": 1}
    dead = {"startOffset": offset("{\n    return"), "endOffset": end - 3, "count": 0}
    functions = [
        {"functionName": "", "ranges": [whole]},
        {"functionName": "price", "ranges": [called, dead]},
    ]
    script = {"url": (tmp_path / "shop.js").as_uri(), "functions": functions}
    report = {"result": [script]}
    (tmp_path / "v8" / "c.json").write_text(json.dumps(report))

    assert v8_lines(tmp_path, tmp_path, ASKED) == (
        {("shop.js", 3)},
        {("shop.js", 3), ("shop.js", 4)},
    )

    mapped = {**report, "source-map-cache": {script["url"]: {}}}
    (tmp_path / "v8" / "c.json").write_text(json.dumps(mapped))
    assert v8_lines(tmp_path, tmp_path, ASKED) == (set(), set())


def at(first: int, last: int) -> dict[str, dict[str, int]]:
    return {"start": {"line": first, "column": 0}, "end": {"line": last, "column": 1}}


def test_istanbul_says_which_lines_of_functions_ran(tmp_path: Path) -> None:
    file = {
        "fnMap": {"0": {"loc": at(2, 6)}},
        "statementMap": {"0": at(1, 1), "1": at(2, 6), "2": at(3, 5), "3": at(4, 4)},
        "s": {"0": 1, "1": 1, "2": 1, "3": 0},
    }
    report = {str(tmp_path / "shop.js"): file}
    (tmp_path / "coverage-final.json").write_text(json.dumps(report))

    ran, can = istanbul_lines(tmp_path, tmp_path, ASKED)

    assert ran == {("shop.js", 3), ("shop.js", 5)}
    assert can == {("shop.js", 3), ("shop.js", 4), ("shop.js", 5)}


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        # From the brace of `func`, to its closing one.
        ((1, 12, 3, 2), (2, 2)),
        ((2, 2, 2, 10), (2, 2)),
        ((1, 5, 3, 2), (1, 2)),
    ],
)
def test_a_block_of_go_has_the_lines_with_statements(
    block: tuple[int, int, int, int], lines: tuple[int, int]
) -> None:
    text = ["func F() in {", "\treturn 1", "}"]
    assert statements(text, *block) == lines


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["--test"], "node"),
        (["--import=tsx", "--test", "test/"], "node"),
        (["/x/node_modules/.bin/vitest", "run"], "vitest"),
        (["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--ci"], "jest"),
        (["/usr/lib/node_modules/npm/bin/npm-cli.js", "test"], ""),
        (["build.js", "--test"], ""),
        (["-e", "1"], ""),
        ([], ""),
    ],
)
def test_a_runner_is_known_by_how_node_is_called(arguments: list[str], kind: str) -> None:
    assert kind_of(arguments) == kind


@pytest.mark.parametrize(
    ("name", "titles", "is_it"),
    [
        ("a.js::Shop::sums (up)", ["Shop", "sums (up)"], True),
        ("a.js::sums (up) #2", ["sums (up)"], True),
        ("a.js::adds %i and $b", ["adds 1 and 2"], True),
        ("a.js::it\\'s new", ["it's new"], True),
        ("a.js::sums", ["Shop", "sums"], False),
        ("a.js::Shop", ["Shop", "sums"], False),
        ("a.js::s.ms", ["sums"], False),
    ],
)
def test_a_test_is_found_by_all_its_titles(name: str, titles: list[str], *, is_it: bool) -> None:
    assert Selected(name).is_it("a.js", titles) is is_it
    assert not Selected(name).is_it("b.js", titles)


@pytest.mark.parametrize(
    ("line", "path", "fault"),
    [
        ("  if (a === 2) {", "a.ts", "  if (a !== 2) {"),
        ("  return a && b;", "a.js", "  return undefined;"),
        ("\tif err != nil && !ok {", "a.go", "\tif err != nil || !ok {"),
        ('\treturn "count"', "a.go", '\treturn "headgate"'),
        ("\treturn count", "a.go", None),
        ("import { b } from 'b';", "a.js", None),
        ("func F(a int) int {", "a.go", None),
        ("  return {", "a.js", None),
    ],
)
def test_a_fault_is_made_in_the_language_of_its_file(
    line: str, path: str, fault: str | None
) -> None:
    assert fault in mutants(line, path) if fault else not mutants(line, path)


@pytest.mark.parametrize(
    "reported",
    [
        # node --test, newer and older; vitest, and with addFileAttribute; jest-junit.
        "test/till.test.js::is 1 (or $2)",
        "test.is 1 (or $2)",
        "test/till.test.js.the till > is 1 (or $2)",
        "test/till.test.js::the till > is 1 (or $2)",
        "the till is 1 (or $2).the till is 1 (or $2)",
    ],
)
def test_a_test_is_found_by_the_name_in_its_report(reported: str) -> None:
    selected = Reported(reported)
    assert selected.is_it("test/till.test.js", ["the till", "is 1 (or $2)"])
    assert re.search(selected.pattern, "the till is 1 (or $2)")
    assert not selected.is_it("test/till.test.js", ["the till", "is 1 (or $3)"])
    assert not re.search(selected.pattern, "the till is 1 (or $3)")


@pytest.mark.parametrize(
    ("reported", "is_it"),
    [
        ("example.com/shop/till.TestSum", True),
        ("example.com/shop/till.TestSum/of_none/at_all", True),
        ("till.TestSum", True),
        ("example.com/shop/till.TestSums", False),
        ("ill.TestSum", False),
    ],
)
def test_a_test_of_go_is_found_by_the_name_in_its_report(reported: str, *, is_it: bool) -> None:
    assert is_reported_as(reported, "example.com/shop/till.TestSum") is is_it
