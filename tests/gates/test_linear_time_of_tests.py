"""Reading and comparing test files takes linear time."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from gates.failure_locations import FailureLocations
from gates.sarif import read_sarif
from gates.test_guard import lexed_unused
from gates.test_guard.aware import asks
from gates.test_guard.compare import Pair, losses
from gates.test_guard.languages import read_tests
from gates.test_guard.thresholds import lowered
from tests.testkit.linear import grows_with_the_text, repeated

_SMALL, _LARGE = 4_000, 32_000

# A file of each language: its path, what stands in front, what is repeated, what stands behind.
MANY_TESTS = {
    "python": ("test_a.py", "", "def test_{n}():\n    got = f({n})\n    assert got == {n}\n", ""),
    "javascript": (
        "a.test.ts",
        "",
        '// {n}\nit("t{n}", () => {{\n  const a{n} = () => {{ g(); }};\n  expect(f({n})).toBe({n});\n}});\n',
        "",
    ),
    "go": (
        "a_test.go",
        "package a\n",
        'func TestA{n}(t *testing.T) {{\n\tif got := F({n}); got != {n} {{\n\t\tt.Errorf("x")\n\t}}\n}}\n',
        "",
    ),
    "go names": (
        "a_test.go",
        "func TestA(t *testing.T) {\n\tassert.Equal(t, ",
        "a{n}, ",
        "b)\n}\n",
    ),
    "rust": ("a.rs", "", "#[test]\nfn t{n}() {{ let a = 1; assert_eq!(f({n}), {n}); }}\n", ""),
}
ONE_TEST = {
    "python": ("test_a.py", "def test_a():\n", "    a{n} = lambda: g()\n    assert f({n}) == {n}\n", ""),
    "python copies": ("test_a.py", "def test_a():\n", "    a = f(a)\n    assert f'{{a}}' == str([a])\n", ""),
    "python tries": (
        "test_a.py", "def test_a():\n", "    try:\n        assert a\n    except ValueError:\n        pass\n", "",
    ),
    "javascript": (
        "a.test.ts", 'it("t", () => {\n',
        "  const a{n} = () => { g(); };\n  load().then(() => { h(); });\n  expect(f({n})).toBe({n});\n", "});\n",
    ),
    "javascript else ifs": ("a.test.ts", 'it("t", () => {\n  if (a) { b(); }', " else if (c) {{ expect(a).toBe({n}); }}", "\n});\n"),
    "python functions": ("test_a.py", "def test_a():\n", "    def g{n}():\n        assert f() == {n}\n    g{n}()\n", ""),
    "python helpers": ("test_a.py", "def test_a():\n    check_0()\n", "def check_{n}():\n    check_1{n}()\n", ""),
    "javascript chain": ("a.test.ts", 'it("t", () => {\n  a()', ".then(() => b({n}))", ";\n});\n"),
    "javascript maps": ("a.test.ts", 'it("t", () => {\n  a', ".map(() => b({n}))", ";\n});\n"),
    "javascript timers": ("a.test.ts", 'it("t", () => {\n', "  setTimeout(() => expect(a).toBe(1));\n", "});\n"),
    "javascript ifs": ("a.test.ts", 'it("t", () => {\n', "  if (false) expect(a).toBe(1);\n  return;\n", "});\n"),
    "javascript hooks": (
        "a.test.ts", 'describe("t", () => {\n',
        '  beforeEach(function () { this.skip(); });\n  it("{n}", () => { expect(a).toBe(1); });\n', "});\n",
    ),
    "javascript methods": ("a.test.ts", 'it("t", () => {\n  const shop = {\n', "    check{n}() {{ expect(a).toBe({n}); }},\n", "  };\n  shop.open();\n});\n"),
    "javascript classes": (
        "a.test.ts", "", "class A{n} {{ check() {{ expect(a).toBe({n}); }} }}\nconst b = new A{n}();\nlet c = new B();\n",
        'it("t", () => {\n  b.check();\n});\n',
    ),
    "javascript objects": ("a.test.ts", "", "const a{n} = {{ b: (c) => d, e: {{", ""),
    "javascript texts": ("a.test.ts", 'it("t", () => {\n  const a = `', "${{b{n}", "`;\n  expect(a).toBe(1);\n});\n"),
    "javascript leaves": ("a.test.ts", 'it("t", () => {\n', "  assert(a.b(c));\n  if (!a.b(c)) {{ return; }}\n", "});\n"),
    "javascript functions in calls": ("a.test.ts", 'it("t", () => {\n  t.throws(', "() => function () {{ t.is(a, {n}), ", ");\n});\n"),
    "rust formats": ("a.rs", '#[test]\nfn a() {\n\tlet b = format!("', "{{a{n}", '");\n\tassert_eq!(b, 1);\n}\n'),
    "javascript parts of nothing": ("a.test.ts", 'it("t", () => {\n  a', "?.b(expect(a).toBe(1))", ";\n});\n"),
    "javascript comments": ("a.test.ts", 'it("t", () => {\n', "  /* a */ a();\n", "});\n"),
    "javascript brackets": ("a.test.ts", "a(", "/[", ""),
    "go": ("a_test.go", "func TestA(t *testing.T) {\n", "\tgo f({n})\n\ta{n} := func() {}\n\tt.Error({n})\n", "}\n"),
    "rust": ("a.rs", "#[test]\nfn a() {\n", "\tlet a{n} = || 1;\n\tassert_eq!(a, b);\n", "}\n"),
    "rust questions": ("a.rs", "#[test]\nfn a() {\n", "\tlet check = || {{ open()?; assert!(a); Some(1) }};\n\tlet _ = check();\n", "}\n"),
    "rust closures": ("a.rs", "#[test]\nfn a() {\n\tlet _ = ", "|a{n}| (|| ", "1;\n}\n"),
    "rust catches": ("a.rs", "#[test]\nfn a() {\n", "\tlet _ = catch_unwind(|| assert!(a));\n", "}\n"),
    "rust modules": ("a.rs", "", "#[cfg(windows)]\nmod m{n} {\n #[test]\n fn a(); }\n", ""),
    "rust strings": ("a.rs", "fn a() {\n", 'r#" ', "}\n"),
    "rust characters": ("a.rs", "fn a() {\n", "'\\u{ ", "}\n"),
}  # fmt: skip


def _file(shape: tuple[str, str, str, str], size: int) -> str:
    _, head, piece, tail = shape
    return repeated(head, piece.replace("{{", "{").replace("}}", "}"), size) + tail


@pytest.mark.parametrize("name", [*MANY_TESTS, *(f"one {name}" for name in ONE_TEST)])
def test_a_test_file_is_read_in_linear_time(name: str) -> None:
    shape = MANY_TESTS.get(name) or ONE_TEST[name.removeprefix("one ")]
    small, large = (_file(shape, size) for size in (_SMALL, _LARGE))
    assert grows_with_the_text(lambda text: read_tests(shape[0], text.encode()), small, large)


@pytest.mark.parametrize("edit", ["renamed", "asserts another thing", "gone"])
@pytest.mark.parametrize("name", MANY_TESTS)
def test_an_edit_of_all_tests_is_compared_in_linear_time(name: str, edit: str) -> None:
    shape = MANY_TESTS[name]
    path = shape[0]

    def work(text: str) -> None:
        after = {
            "renamed": text.replace("test_", "test_of_")
            .replace('it("t', 'it("of')
            .replace("fn t", "fn of"),
            "asserts another thing": text.replace("f(", "other(").replace("F(", "Other("),
            "gone": shape[1],
        }[edit]
        losses([Pair(read_tests(path, text.encode()), read_tests(path, after.encode()))])

    small, large = (_file(shape, size) for size in (_SMALL, _LARGE))
    assert grows_with_the_text(work, small, large)


def test_handlers_inside_handlers_are_each_looked_through_once() -> None:
    def source(depth: int) -> str:
        lines = ["def test_a():"]
        for place in range(1, depth):
            indent = "    " * place
            lines += [f"{indent}try:", f"{indent}    a()", f"{indent}except ValueError:"]
        return "\n".join((*lines, f"{'    ' * depth}assert b\n"))

    assert grows_with_the_text(
        lambda text: read_tests("test_a.py", text.encode()), source(8), source(64)
    )


def test_a_long_chain_of_assignments_is_followed_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    is_real = lexed_unused._Read._is_real

    def counted(read: lexed_unused._Read, at: int, deep: int) -> bool:
        looked.append(at)
        return is_real(read, at, deep)

    monkeypatch.setattr(lexed_unused._Read, "_is_real", counted)
    names = "abcd"
    lines = ["  let a = () => { expect(f()).toBe(1); };", *(f"  let {name};" for name in "bcd")]
    lines += [f"  {{ {to} = {one}; }}" for one, to in pairwise(names) for _ in range(20)]
    source = "\n".join(('it("t", () => {', *lines, "});\n"))

    assert read_tests("a.test.ts", source.encode()).tests

    assert 0 < len(looked) < 3 * len(source)


def test_absurdly_deep_brackets_are_unreadable() -> None:
    source = 'it("a", () => {' * 300 + "expect(a).toBe(1);" + "});" * 300
    assert not read_tests("a.test.ts", source.encode()).is_readable


def test_code_that_asks_in_every_line_is_read_in_linear_time() -> None:
    small, large = (
        repeated("", "a = NODE_ENV == 'test'\n" * 3, size) for size in (80_000, 640_000)
    )
    assert grows_with_the_text(lambda text: list(asks("a.js", text)), small, large)


def test_a_threshold_of_blanks_is_read_in_linear_time() -> None:
    small, large = (repeated("[coverage]\nfail_under", " ", size) for size in (2_000, 16_000))
    assert grows_with_the_text(lambda text: list(lowered("setup.cfg", text, text)), small, large)


@pytest.mark.parametrize("named", ["r{n}", "other{n}"])
def test_results_of_many_rules_are_read_in_linear_time(named: str) -> None:
    def read(text: str) -> None:
        names = text.split()
        rules = [{"id": name} for name in names]
        found = [{"ruleId": named.replace("{n}", name)} for name in names]
        run = {"tool": {"driver": {"rules": rules}}, "results": found}
        read_sarif([json.dumps({"runs": [run]}).encode()], FailureLocations((), Path("/tree")))

    small, large = (repeated("", "r{n} ", size) for size in (12_000, 96_000))
    assert grows_with_the_text(read, small, large)
