"""The gate `tests` where the rows of a test stand in another file."""

import pytest

from gates.builtin import BuiltinSubject, Judgement
from gates.contents import Contents
from gates.result import Ending
from gates.settings import JudgeSettings
from gates.tests_gate import check_tests
from gates.tree import ChangedFile, EntryKind, TreeDiff

_ROWS = "[(1, 5), (2, 10)]"
_PYTHON = f"""\
import pytest

from shop import price

ROWS = {_ROWS}


@pytest.mark.parametrize("count, cost", ROWS)
def test_price(count, cost):
    assert price(count) == cost


def test_each():
    for count, cost in ROWS:
        assert price(count) == cost
"""
_LISTS = "[[1, 5], [2, 10]]"
_JAVASCRIPT = f"""\
import {{ describe, expect, it, test }} from "vitest";
import {{ price }} from "./shop.js";

const ROWS = {_LISTS};

test("each", () => {{
  for (const [count, cost] of ROWS) {{
    expect(price(count)).toBe(cost);
  }}
}});

it.each(ROWS)("costs %i", (count, cost) => {{
  expect(price(count)).toBe(cost);
}});

describe.each(ROWS)("of %i", (count, cost) => {{
  it("costs", () => {{
    expect(price(count)).toBe(cost);
  }});
}});
"""


def _imports(text: str, said: str) -> str:
    list_line = next(line for line in text.splitlines() if "ROWS =" in line)
    return text.replace(f"{list_line}\n", f"{said}\n")


_FROM_PYTHON = _imports(_PYTHON, "from rows import ROWS")
_FROM_JAVASCRIPT = _imports(_JAVASCRIPT, 'import { ROWS } from "./rows";')
_JSON = _imports(_JAVASCRIPT, 'import ROWS from "./rows.json";')
_REQUIRED = _imports(_JAVASCRIPT, 'const ROWS = require("./rows.json");')


def judged(before: dict[str, str], after: dict[str, str]) -> Judgement:
    """What the gate says; a file that is the same in both is not in the diff."""
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    file = EntryKind.FILE
    diff = TreeDiff("0" * 40, tuple(ChangedFile(p, file, file, 1, 1, 1, None) for p in paths))

    def of(texts: dict[str, str]) -> Contents:
        return lambda wanted: {p: texts[p].encode() for p in wanted if p in texts}

    return check_tests(BuiltinSubject(diff, JudgeSettings(), tuple(after), of(before), of(after)))


HONEST = [
    ("a name", "test_shop.py", _PYTHON, _FROM_PYTHON, "tests/rows.py", f"ROWS = {_ROWS}\n"),
    (
        "a package's name",
        "test_shop.py",
        _PYTHON,
        _FROM_PYTHON.replace("from rows", "from tests.rows"),
        "tests/rows.py",
        f"ROWS: list[tuple[int, int]] = {_ROWS}\n",
    ),
    (
        "another name",
        "test_shop.py",
        _PYTHON,
        _FROM_PYTHON.replace("import ROWS", "import PRICES as ROWS").replace("rows", ".rows"),
        "tests/rows.py",
        f"PRICES = {_ROWS}\n",
    ),
    (
        "a name",
        "shop.test.ts",
        _JAVASCRIPT,
        _FROM_JAVASCRIPT,
        "tests/rows.ts",
        f"export const ROWS: [number, number][] = {_LISTS};\n",
    ),
    (
        "a default",
        "shop.test.ts",
        _JAVASCRIPT,
        _JSON.replace(".json", ".js"),
        "tests/rows.ts",
        f"export default {_LISTS};\n",
    ),
    ("a file of data", "shop.test.ts", _JAVASCRIPT, _JSON, "tests/rows.json", _LISTS),
    ("what is required", "shop.test.js", _JAVASCRIPT, _REQUIRED, "tests/rows.json", _LISTS),
]
_IDS = [f"{one[0]} in {one[1]}" for one in HONEST]


@pytest.mark.parametrize(("name", "test", "before", "after", "path", "rows"), HONEST, ids=_IDS)
def test_rows_may_move_into_another_file(
    name: str, test: str, before: str, after: str, path: str, rows: str
) -> None:
    said = judged({f"tests/{test}": before}, {f"tests/{test}": after, path: rows})
    assert said.ending is Ending.PASSED, said.sentence


@pytest.mark.parametrize(("name", "test", "before", "after", "path", "rows"), HONEST, ids=_IDS)
@pytest.mark.parametrize("cut", ["none", "fewer", "computed"])
def test_rows_lost_during_a_move_are_missed(
    name: str, test: str, before: str, after: str, path: str, rows: str, cut: str
) -> None:
    written = _ROWS if _ROWS in rows else _LISTS
    left = {"none": "[]", "fewer": f"{written[: written.index(',', 6)]}]", "computed": "made()"}
    said = judged(
        {f"tests/{test}": before}, {f"tests/{test}": after, path: rows.replace(written, left[cut])}
    )
    assert said.ending is Ending.FAILED


@pytest.mark.parametrize(("name", "test", "before", "after", "path", "rows"), HONEST, ids=_IDS)
def test_rows_removed_later_are_missed_in_an_unchanged_test(
    name: str, test: str, before: str, after: str, path: str, rows: str
) -> None:
    fewer = rows.replace(", (2, 10)", "").replace(", [2, 10]", "")
    assert fewer != rows
    same = {f"tests/{test}": after}
    assert judged({**same, path: rows}, {**same, path: fewer}).ending is Ending.FAILED
    more = rows.replace("(2, 10)", "(2, 10), (3, 15)").replace("[2, 10]", "[2, 10], [3, 15]")
    assert judged({**same, path: rows}, {**same, path: more}).ending is Ending.PASSED


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ("ROWS.clear()\n", "tests/rows.py"),
        ("ROWS = ROWS[:0]\n", "tests/rows.py"),
        ("ROWS = ROWS[:0]\n", "tests/test_shop.py"),
    ],
)
def test_rows_that_are_taken_out_again_do_not_count(more: str, path: str) -> None:
    after = {"tests/test_shop.py": _FROM_PYTHON, "tests/rows.py": f"ROWS = {_ROWS}\n"}
    after[path] = (
        after[path].replace("import ROWS\n", f"import ROWS\n{more}")
        if "test_" in path
        else after[path] + more
    )
    assert judged({"tests/test_shop.py": _PYTHON}, after).ending is Ending.FAILED


def test_a_name_defined_in_two_files_is_ambiguous() -> None:
    after = {
        "tests/test_shop.py": _FROM_PYTHON,
        "tests/rows.py": f"ROWS = {_ROWS}\n",
        "rows.py": "ROWS = [(1, 5)]\n",
    }
    assert judged({"tests/test_shop.py": _PYTHON}, after).ending is Ending.FAILED
