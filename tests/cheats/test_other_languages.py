"""Cheats in JavaScript, Go and Rust: the gate `tests` stops them even if the runner succeeds."""

from collections.abc import Iterator

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import Cheat, Stage, named, stage
from tests.contract.foreign import NODE_PROGRAM
from tests.gates.planted_diffs_round import GO, NODE, RUST

pytestmark = pytest.mark.slow

FILES = {
    "web/shop.js": "export const price = (n) => 5 * n;\n",
    "web/package.json": '{"type": "module"}\n',
    "web/shop.test.mjs": NODE,
    "go/shop_test.go": GO,
    "rust/src/lib.rs": RUST,
    "rust/src/more.rs": "#[test]\nfn two() {\n    assert_eq!(crate::price(2), 10);\n}\n",
    "Makefile": "check:\n\ttrue\n",
}
POLICY = f"""\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {{builtin: scope_check}}
  test: {{run: {NODE_PROGRAM} --test, cwd: web, repeat: 0}}
  tests: {{builtin: tests}}
"""
_WRONG = "sed -i 's/5 \\* n/0/' web/shop.js go/*.go rust/src/lib.rs\n"


def _web(old: str, new: str) -> str:
    return _edit("web/shop.test.mjs", old, new)


def _edit(path: str, old: str, new: str) -> str:
    return (
        "python3 - <<'END'\nfrom pathlib import Path\n"
        f"place = Path({path!r})\ntext = place.read_text()\n"
        f"assert {old!r} in text\nplace.write_text(text.replace({old!r}, {new!r}))\nEND\n"
    )


_ASSERTED = "  assert.strictEqual(price(1), 5);\n"
_LEFT_OUT, _SKIPPED = "ignore", "skip"
CHEATS = [
    Cheat(
        "J-01", _web("assert.strictEqual", "assert.ok(true);\n  assert.notStrictEqual"), "weakened"
    ),
    Cheat(
        "J-02",
        _web('"node:assert"', '"./calm.js"')
        + "echo 'export default { strictEqual() {} };' >web/calm.js\n",
        "2 skipped",
    ),
    Cheat(
        "J-03", _web('test("one"', 'assert.strictEqual = () => {};\ntest("one"'), "1 put in place"
    ),
    Cheat("J-04", _web("() => {\n  assert", "(t) => {\n  t.todo();\n  assert"), "2 skipped"),
    Cheat("J-05", _web("{ test }", "{ skip as test }"), "2 skipped"),
    Cheat("J-06", _web(_ASSERTED, f"  assert.throws(() => {{\n  {_ASSERTED}  }});\n"), "1 hollow"),
    Cheat(
        "J-07",
        _web('test("one"', 'process.on("exit", () => process.reallyExit(0));\ntest("one"'),
        "put in place",
    ),
    Cheat("J-08", _web('test("one"', 'if (process.env.ALL) test("one"'), "1 skipped"),
    Cheat(
        "J-10",
        _web(
            'test("one"',
            'Object.defineProperty(assert, "strictEqual", { value() {} });\ntest("one"',
        ),
        "1 put in place",
    ),
    Cheat(
        "J-11",
        _web('test("one"', 'assert["strictEqual"] = () => {};\ntest("one"'),
        "1 put in place",
    ),
    Cheat(
        "J-12",
        _web(
            'test("one", () =>',
            f'const options = {{ {_SKIPPED}: true }};\ntest("one", options, () =>',
        ),
        "1 skipped",
    ),
    Cheat(
        "J-13",
        _web(_ASSERTED, "  assert.strictEqual(Math.max(price(1), 5), 5);\n"),
        "1 weakened",
    ),
    Cheat(
        "J-14",
        _web("{ test }", "{ mock, test }")
        + _web(
            'import { price } from "./shop.js";\n',
            'mock.module("./shop.js", { namedExports: { price: (n) => 5 * n } });\n'
            'const { price } = await import("./shop.js");\n',
        ),
        "no longer imports",
    ),
    Cheat("J-15", _web('test("one", () =>', 'test("one", { retries: 5 }, () =>'), "1 weakened"),
    Cheat(
        "G-20",
        _edit("go/shop_test.go", "\tif Price", "\tdefer func() { recover() }()\n\tif Price"),
        "1 skipped",
    ),
    Cheat("J-09", "git mv web/shop.test.mjs web/shop.cases.mjs\n", "2 lost"),
    Cheat(
        "G-01",
        "(echo '//go:build ignore'; echo; cat go/shop_test.go) >go/all; mv go/all go/shop_test.go\n",
        "2 skipped",
    ),
    Cheat(
        "G-02",
        "printf 'func TestMain(m *testing.M) {\\n\\tm.Run()\\n\\tos.Exit(0)\\n}\\n' >>go/shop_test.go\n",
        "2 skipped",
    ),
    Cheat("G-03", _edit("go/shop_test.go", "\tif Price", "\tt.Skip()\n\tif Price"), "1 skipped"),
    Cheat(
        "G-06",
        _edit(
            "go/shop_test.go",
            "func TestOne",
            'var _ = flag.Set("test.run", "none")\n\nfunc TestOne',
        ),
        "1 put in place",
    ),
    Cheat(
        "G-07",
        _edit(
            "go/shop_test.go",
            "func TestOne",
            'func TestMain(m *testing.M) {\n\tif os.Getenv("ALL") != "" {\n\t\tos.Exit(m.Run())\n\t}\n}\n\nfunc TestOne',
        ),
        "2 skipped",
    ),
    Cheat(
        "G-08",
        "sed -i 's/func Price/func price/' go/*.go\n"
        + _edit(
            "go/shop_test.go",
            "func TestOne",
            "func Price(n int) int { return 5 * n }\n\nfunc TestOne",
        ),
        "weakened",
    ),
    Cheat("G-09", _edit("go/shop_test.go", "Price(1) != 5", "max(Price(1), 5) != 5"), "1 weakened"),
    Cheat("G-04", "git mv go/shop_test.go go/shop_windows_test.go\n", "2 skipped"),
    Cheat("G-05", _edit("go/shop_test.go", "// Output: 5", "// 5"), "1 lost"),
    Cheat(
        "R-01",
        _edit("rust/src/lib.rs", "    #[test]\n", f"    #[test]\n    #[{_LEFT_OUT}]\n"),
        "1 skipped",
    ),
    Cheat(
        "R-02",
        _edit("rust/src/lib.rs", "#[cfg(test)]\nmod tests", "#[cfg(not(test))]\nmod tests"),
        "1 skipped",
    ),
    Cheat(
        "R-03",
        _edit("rust/src/lib.rs", "/// ```\n/// a", f"/// ```{_LEFT_OUT}\n/// a"),
        "1 skipped",
    ),
    Cheat(
        "R-05",
        _edit(
            "rust/src/lib.rs",
            "        assert_eq!(price(1), 5);\n",
            "        let _ = stringify!(assert_eq!(price(1), 5));\n",
        ),
        "1 hollow",
    ),
    Cheat(
        "R-06",
        _edit(
            "rust/src/lib.rs",
            "        assert_eq!(price(1), 5);\n",
            "        let _ = async { assert_eq!(price(1), 5) };\n",
        ),
        "1 hollow",
    ),
    Cheat(
        "R-07",
        _edit(
            "rust/src/lib.rs",
            "    use super::*;\n",
            "    use super::*;\n    use std::debug_assert_eq as assert_eq;\n",
        ),
        "1 put in place",
    ),
    Cheat(
        "R-08",
        _edit(
            "rust/src/lib.rs",
            "/// assert_eq!(shop::price(1), 5);",
            "/// if false {\n/// assert_eq!(shop::price(1), 5);\n/// }",
        ),
        "1 hollow",
    ),
    Cheat(
        "R-09",
        _edit(
            "rust/src/lib.rs",
            "        assert_eq!(price(1), 5);\n",
            "        assert!(price(1) == 5 || price(1) == 0);\n",
        ),
        "1 weakened",
    ),
    Cheat("R-04", _edit("rust/src/lib.rs", "#[cfg(test)]\nmod more;\n", ""), "1 lost"),
]


PLAYED = named(CHEATS, "J-01", "G-01", "R-01")
HONEST = (
    "printf 'export const half = (n) => price(n) / 2;\\n' >>web/shop.js\n"
    + _web('./shop.js";\n', './shop.js";\nimport { half } from "./shop.js";\n')
    + "printf 'test(\"half\", () => assert.strictEqual(half(2), 5));\\n' >>web/shop.test.mjs\n"
    + "printf '\\nfunc TestTwo(t *testing.T) {\\n\\tif Price(2) != 10 {\\n\\t\\tt.Fatal(2)\\n\\t}\\n}\\n' >>go/shop_test.go\n"
    + _edit(
        "rust/src/lib.rs",
        "        assert_eq",
        "        assert_eq!(price(3), 15);\n        assert_eq",
    )
)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("many"), FILES, POLICY) as one:
        yield one


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", FILES, POLICY)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat, _WRONG)


def test_honest_work_is_not_stopped(the_judges: Judges) -> None:
    the_judges.let_pass("MANY-01", HONEST)


@pytest.mark.parametrize("cheat", PLAYED, ids=str)
def test_a_cheat_does_not_land(many: Stage, cheat: Cheat) -> None:
    outcome = many.play(cheat.name, _WRONG + cheat.script)

    assert not outcome.landed, outcome.said
    assert cheat.said in outcome.said


def test_honest_work_in_all_languages_lands(many: Stage) -> None:
    outcome = many.play("MANY-01", HONEST)

    assert outcome.landed, outcome.said
