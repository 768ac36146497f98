"""The gate `tests`: what may be done to tests, and what may not."""

import pytest

from gates.asked import Asked, AskedRequirement
from gates.judge import Subject, judge
from gates.result import AnnotationLevel, Ending, GateDefinition, GateResult, Judges
from gates.settings import JudgeSettings
from gates.test_guard.aware import asks, is_product_code, newly_aware
from gates.test_guard.compare import Loss, Pair, TestLoss, losses
from gates.test_guard.languages import read_tests
from gates.test_guard.thresholds import lowered
from tests.gates.checkouts import Repository
from tests.gates.planted_diffs import (
    GO,
    IN_GO,
    IN_JAVASCRIPT,
    IN_PYTHON,
    JAVASCRIPT,
    PLANTED_DIFFS,
    PYTHON,
    RUST,
    SKIP,
    PlantedDiff,
)
from tests.gates.planted_diffs_again import AGAIN, HONEST_AGAIN
from tests.gates.planted_diffs_around import AROUND
from tests.gates.planted_diffs_compared import COMPARED, HONEST_COMPARED
from tests.gates.planted_diffs_conditions import CONDITIONS, HONEST_UNDER_CONDITIONS
from tests.gates.planted_diffs_given_away import GIVEN_AWAY, HONEST_GIVEN_AWAY
from tests.gates.planted_diffs_honest import AROUND_HONEST, HONEST_AROUND
from tests.gates.planted_diffs_kept import HONEST_KEPT, KEPT
from tests.gates.planted_diffs_out_of_sight import HONEST_IN_SIGHT, OUT_OF_SIGHT
from tests.gates.planted_diffs_python_rows import HONEST_PYTHON_ROWS, PYTHON_ROWS
from tests.gates.planted_diffs_round import (
    GO as ROUND_GO,
    JEST as ROUND_JEST,
    NODE as ROUND_NODE,
    PYTHON as ROUND_PYTHON,
    ROUND,
    RUST as ROUND_RUST,
)
from tests.gates.planted_diffs_rows import HONEST_ROWS, ROWS
from tests.gates.planted_diffs_sampled import HONEST_SAMPLED, SAMPLED
from tests.gates.planted_diffs_tables import HONEST_TABLES, TABLES
from tests.gates.planted_diffs_talked_away import TALKED_AWAY
from tests.gates.planted_diffs_talked_away_honest import HONEST_TALKED_AWAY
from tests.gates.planted_diffs_tried import HONEST_TRIED, TRIED
from tests.gates.planted_diffs_uncalled import HONEST_UNCALLED, UNCALLED

TESTS = GateDefinition(name="tests", judges=Judges.CHANGE, builtin="tests")


def compare(files: dict[str, tuple[str, str]]) -> tuple[TestLoss, ...]:
    return losses(
        [
            Pair(read_tests(path, before.encode()), read_tests(path, after.encode()))
            for path, (before, after) in files.items()
        ]
    )


def found(planted: PlantedDiff) -> tuple[TestLoss, ...]:
    if planted.moved_to:
        return compare({planted.path: (planted.before, ""), planted.moved_to: ("", planted.after)})
    return compare({planted.path: (planted.before, planted.after)})


@pytest.mark.parametrize(
    "planted",
    [
        *(
            *PLANTED_DIFFS,
            *ROUND,
            *CONDITIONS,
            *TABLES,
            *AROUND,
            *AROUND_HONEST,
            *AGAIN,
            *KEPT,
            *ROWS,
        ),
        *PYTHON_ROWS,
        *COMPARED,
        *TRIED,
        *GIVEN_AWAY,
        *TALKED_AWAY,
        *UNCALLED,
        *OUT_OF_SIGHT,
        *SAMPLED,
    ],
    ids=lambda planted: planted.name,
)
def test_weakened_tests_are_found(planted: PlantedDiff) -> None:
    assert planted.loss in {loss.loss for loss in found(planted)}


def test_there_are_forty_planted_diffs_in_python_javascript_and_go() -> None:
    assert len([*IN_PYTHON, *IN_JAVASCRIPT, *IN_GO]) >= 40


def unchanged(path: str, text: str) -> list[tuple[str, dict[str, tuple[str, str]]]]:
    return [
        ("nothing", {path: (text, text)}),
        ("a new file", {path: ("", text)}),
        ("the file moved", {path: (text, ""), f"moved/{path}": ("", text)}),
    ]


HONEST = [
    *HONEST_AGAIN,
    *unchanged("tests/test_cart.py", PYTHON),
    *unchanged("src/cart.test.ts", JAVASCRIPT),
    *unchanged("shop/cart_test.go", GO),
    *unchanged("src/lib.rs", RUST),
    (
        "a test is renamed",
        {"tests/test_a.py": (PYTHON, PYTHON.replace("test_total", "test_sum_of_prices"))},
    ),
    (
        "a test is renamed, and its value has changed",
        {
            "tests/test_a.py": (
                PYTHON,
                PYTHON.replace("test_total", "test_sum").replace("3]) == 5", "3]) == 6"),
            )
        },
    ),
    (
        "a value has changed",
        {"tests/test_a.py": (PYTHON, PYTHON.replace("total([2, 3]) == 5", "total([2, 3]) == 6"))},
    ),
    (
        "two assertions are one",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert one() == 1\n    assert two() == 2\n",
                "def test_a():\n    assert (one(), two()) == (1, 2)\n",
            )
        },
    ),
    (
        "one assertion is two",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert (one(), two()) == (1, 2)\n",
                "def test_a():\n    assert one() == 1\n    assert two() == 2\n",
            )
        },
    ),
    (
        "what was read before is as it was after",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert read() == 1\n    store(2)\n",
                "def test_a():\n    was = read()\n    store(1)\n    assert read() == was\n    assert read() == 1\n",
            )
        },
    ),
    (
        "a value has a name that something imported has, too",
        {
            "tests/test_a.py": (
                "from shop import Cart, total\n\ndef test_a():\n    assert Cart().total() == 1\n",
                "from shop import Cart, total\n\ndef test_a():\n    total = Cart().total()\n    assert total == 1\n",
            )
        },
    ),
    (
        "parameters have a name now",
        {
            "tests/test_a.py": (
                PYTHON,
                PYTHON.replace("[1, 2, 3])", "PRICES)").replace(
                    "def test_total", "PRICES = [1, 2, 3]\n\n\ndef test_total"
                ),
            )
        },
    ),
    (
        "a function inside is called, and a fixture asks for nothing",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert one() == 1\n",
                "import pytest\n\n@pytest.fixture\ndef shop():\n    return 1\n\n"
                "def test_a(shop):\n    def check():\n        assert one() == 1\n    check()\n",
            )
        },
    ),
    (
        "assertions are in a helper now",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert one() == 1\n",
                "def is_one(n):\n    assert n == 1\n\ndef test_a():\n    is_one(one())\n",
            )
        },
    ),
    (
        "two tests are one",
        {
            "tests/test_a.py": (
                "def test_a():\n    assert f(1) == 1\n\ndef test_b():\n    assert g(2) == 4\n",
                "def test_both():\n    assert f(1) == 1\n    assert g(2) == 4\n",
            )
        },
    ),
    (
        "a skip is taken away",
        {
            "tests/test_a.py": (
                "@skip\ndef test_a():\n    assert f()\n",
                "def test_a():\n    assert f()\n",
            )
        },
    ),
    ("a test that only runs", {"tests/test_a.py": ("", "def test_a():\n    run()\n")}),
    ("no test file", {"src/cart.py": ("def test_a():\n    assert f()\n", "")}),
]


ALWAYS = "impl PartialEq for Price {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n"


def _kept(name: str, path: str, was: str, now: str) -> tuple[str, dict[str, tuple[str, str]]]:
    assert was != now, name
    return name, {path: (was, now)}


# Honest work that looks like a way round a test.
HONEST_BESIDE = [
    *unchanged("tests/test_shop.py", ROUND_PYTHON),
    *unchanged("shop.test.mjs", ROUND_NODE),
    *unchanged("shop.test.ts", ROUND_JEST),
    *unchanged("shop_test.go", ROUND_GO),
    *unchanged("src/lib.rs", ROUND_RUST),
    _kept(
        "a context manager that cleans up",
        "tests/test_shop.py",
        ROUND_PYTHON,
        ROUND_PYTHON.replace(
            "def test_one():\n    assert price(1) == 5\n",
            "class Till:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *gone):\n"
            "        return None\n\n\ndef test_one():\n    with Till():\n        assert price(1) == 5\n",
        ),
    ),
    _kept(
        "a helper that tries again for other errors",
        "tests/test_shop.py",
        ROUND_PYTHON,
        ROUND_PYTHON.replace(
            "def test_one",
            "def again(f):\n    def inner():\n        try:\n            f()\n        except OSError:\n            f()\n\n"
            "    return inner\n\n\n@again\ndef test_one",
        ),
    ),
    _kept(
        "a thread whose outcome is asserted",
        "tests/test_shop.py",
        ROUND_PYTHON,
        f"{ROUND_PYTHON}\n\ndef test_three():\n    seen = []\n    one = Thread(target=lambda: seen.append(price(3)))\n"
        "    one.start()\n    one.join()\n    assert seen == [15]\n",
    ),
    _kept(
        "an exact number with rounding",
        "tests/test_shop.py",
        ROUND_PYTHON,
        ROUND_PYTHON.replace("== 5", "== pytest.approx(5, abs=1e-6)"),
    ),
    _kept(
        "surroundings by their keys",
        "tests/test_shop.py",
        ROUND_PYTHON,
        ROUND_PYTHON.replace("from shop", "import os\n\nos.environ['ZONE'] = 'UTC'\nfrom shop"),
    ),
    _kept(
        "a fixture that puts something in place for one test",
        "tests/test_shop.py",
        ROUND_PYTHON,
        f"{ROUND_PYTHON}\n\n@pytest.fixture\ndef closed(monkeypatch):\n    monkeypatch.setattr(shop, 'OPEN', False)\n\n\n"
        "def test_closed(closed):\n    assert price(1) == 0\n",
    ),
    _kept(
        "another assertion library",
        "shop.test.ts",
        ROUND_JEST,
        f'import {{ describe, expect, test }} from "vitest";\n{ROUND_JEST}',
    ),
    _kept(
        "a test for each row",
        "shop.test.mjs",
        ROUND_NODE,
        ROUND_NODE
        + "for (const n of [3, 4]) {\n  test(`of ${n}`, () => assert.equal(price(n), 5 * n));\n}\n",
    ),
    _kept(
        "it must throw, and is asked about",
        "shop.test.ts",
        ROUND_JEST,
        ROUND_JEST.replace(
            "toBe(5);\n", 'toBe(5);\n    expect(() => price(-1)).toThrow("negative");\n'
        ),
    ),
    _kept(
        "a main that sets up",
        "shop_test.go",
        ROUND_GO,
        ROUND_GO
        + "\nfunc TestMain(m *testing.M) {\n\tstart()\n\tcode := m.Run()\n\tstop()\n\tos.Exit(code)\n}\n",
    ),
    _kept(
        "a part of a test",
        "shop_test.go",
        ROUND_GO,
        ROUND_GO.replace(
            '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n',
            '\tt.Run("one", func(t *testing.T) {\n\t\tif Price(1) != 5 {\n\t\t\tt.Fatal("one")\n\t\t}\n\t})\n',
        ),
    ),
    _kept(
        "a thread that is waited for",
        "src/lib.rs",
        ROUND_RUST,
        ROUND_RUST.replace(
            "        assert_eq!(price(1), 5);\n    }\n",
            "        std::thread::spawn(|| assert_eq!(price(1), 5)).join().unwrap();\n    }\n",
        ),
    ),
    (
        "a file of tests becomes a module in its place",
        {
            "src/lib.rs": (ROUND_RUST, ROUND_RUST.replace("#[cfg(test)]\nmod more;\n", "")),
            "src/more.rs": ("#[test]\nfn two() {\n    assert_eq!(price(2), 10);\n}\n", ""),
            "tests/two.rs": ("", "#[test]\nfn two() {\n    assert_eq!(price(2), 10);\n}\n"),
        },
    ),
]


@pytest.mark.parametrize(
    ("name", "files"),
    [
        *HONEST,
        *HONEST_BESIDE,
        *HONEST_UNDER_CONDITIONS,
        *HONEST_TABLES,
        *HONEST_AROUND,
        *HONEST_KEPT,
        *HONEST_ROWS,
        *HONEST_PYTHON_ROWS,
        *HONEST_COMPARED,
        *HONEST_TRIED,
        *HONEST_GIVEN_AWAY,
        *HONEST_TALKED_AWAY,
        *HONEST_UNCALLED,
        *HONEST_IN_SIGHT,
        *HONEST_SAMPLED,
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_legitimate_work_on_tests_is_not_reported(
    name: str, files: dict[str, tuple[str, str]]
) -> None:
    assert compare(files) == ()


def test_a_new_test_that_cannot_fail_is_reported_as_hollow() -> None:
    new = compare({"tests/test_a.py": ("", "def test_a():\n    pass\n")})
    assert [loss.loss for loss in new] == [Loss.HOLLOW]


def test_a_skipped_test_does_not_replace_a_lost_one() -> None:
    skipped = f"@pytest.mark.{SKIP}\ndef test_b():\n    {{}}\n"
    was = "def test_a():\n    assert f() == 1\n\n" + skipped.format("g()")
    now = skipped.format("assert f() == 1")
    assert [loss.loss for loss in compare({"tests/test_a.py": (was, now)})] == [Loss.LOST]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "pyproject.toml",
            "[tool.coverage.report]\nfail_under = 90\n",
            "[tool.coverage.report]\nfail_under = 60\n",
        ),
        ("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", ""),
        ("Makefile", "test:\n\tpytest --cov-fail-under=90\n", "test:\n\tpytest\n"),
        (
            "jest.config.js",
            "coverageThreshold: { global: { lines: 80 } }",
            "coverageThreshold: { global: { lines: 10 } }",
        ),
        (
            ".nycrc",
            '{"check-coverage": true, "branches": 80}',
            '{"check-coverage": true, "branches": 8}',
        ),
        (
            "jest.config.js",
            "coverageThreshold: { 'src/': { lines: 80 }, 'web/': { lines: 80 } }",
            "coverageThreshold: { 'src/': { lines: 60 }, 'web/': { lines: 100 } }",
        ),
    ],
)
def test_a_lowered_threshold_is_found(path: str, before: str, after: str) -> None:
    assert [loss.loss for loss in lowered(path, before, after)] == [Loss.THRESHOLD]


@pytest.mark.parametrize("after", ["fail_under = 95\n", "fail_under = 10\nfail_under = 90\n"])
def test_a_raised_or_new_threshold_is_not_reported(after: str) -> None:
    assert list(lowered("pyproject.toml", "fail_under = 90\n", after)) == []
    assert list(lowered("pyproject.toml", "", after)) == []


def test_an_unrelated_number_is_not_a_threshold() -> None:
    assert list(lowered("pyproject.toml", "target = 90\n", "target = 60\n")) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop.py", 'import os\n\nGOOD = "PYTEST_CURRENT_TEST" in os.environ\n'),
        ("src/shop.py", 'import sys\n\nGOOD = "pytest" in sys.modules\n'),
        ("shop.py", 'GOOD = sys.modules.get("unittest") is not None\n'),
        ("shop.py", 'GOOD = "HEADGATE_JUNIT" in os.environ\n'),
        ("src/shop.ts", "export const good = !!process.env.JEST_WORKER_ID;\n"),
        ("src/shop.js", 'export const good = process.env.NODE_ENV === "test";\n'),
        ("shop/shop.go", "var good = testing.Testing()\n"),
        ("shop/shop.go", 'var good = flag.Lookup("test.v") != nil\n'),
        ("src/lib.rs", "pub fn good() -> bool {\n    cfg!(test)\n}\n"),
        ("src/lib.rs", "#[cfg(not(test))]\nfn price() {}\n"),
        ("shop.py", 'GOOD = any(m.startswith("_pytest") for m in sys.modules)\n'),
        ("shop.py", "import _pytest.python\n"),
        ("shop.py", 'GOOD = "PYTEST_" + "CURRENT_TEST" in os.environ\n'),
        ("shop.py", 'GOOD = "pytest" in sys.argv[0]\n'),
        ("shop.py", 'GOOD = sys._getframe(1).f_code.co_name.startswith("test")\n'),
        ("shop.py", 'GOOD = any("test_shop" in one.filename for one in inspect.stack())\n'),
        ("src/shop.js", 'const good = process.argv.some((a) => a.includes(".test."));\n'),
        ("src/shop.js", 'const good = new Error().stack.includes("shop.test");\n'),
        ("main.go", 'good := strings.Contains(os.Args[0], ".test")\n'),
        ("src/shop.js", "  assert.strictEqual = () => {};\n"),
        ("src/shop.js", "process.exitCode = 0;\n"),
        ("shop.py", "atexit.register(lambda: os._exit(0))\n"),
        ("shop.py", "GOOD = 'test_' in ''.join(traceback.format_stack())\n"),
        ("shop.py", "GOOD = b'x' in open('/proc/self/cmdline', 'rb').read() + b'pytest'\n"),
        ("shop.py", "GOOD = 'pytest' in getattr(__main__, '__file__', '')\n"),
        ("shop.py", "GOOD = any(k.startswith('PYTEST') for k in os.environ)\n"),
        ("shop.py", "GOOD = importlib.util.find_spec('pytest') is not None\n"),
        ("shop.py", "try:\n    import pytest\nexcept ImportError:\n    pytest = None\n"),
        ("shop.py", "atexit.register(os._exit, 0)\n"),
        ("shop.py", "getattr(os, '_ex' + 'it')(0)\n"),
        ("shop.py", "os.kill(os.getppid(), 9)\n"),
        ("shop.py", "builtins.AssertionError = Warning\n"),
        ("shop.py", "unittest.TestCase.assertEqual = print\n"),
        ("shop.py", "class Price(int):\n    def __eq__(self, other):\n        return True\n"),
        ("shop.py", "class Price(int):\n    __eq__ = lambda self, other: True\n"),
        *(
            ("shop.py", f"class Price(int):\n    def __eq__(self, other):\n        return {said}\n")
            for said in (
                "isinstance(other, int)",
                "other is not None",
                "type(other) in (int, Price)",
            )
        ),
        ("src/lib.rs", f"pub struct Price(u32);\n{ALWAYS}"),
        ("shop.py", "ANSWERS = Path('tests/test_shop.py').read_text()\n"),
        ("src/shop.js", "const answers = readFileSync('shop.test.ts', 'utf8');\n"),
        ("shop.go", 'answers, _ := os.ReadFile("shop_test.go")\n'),
        ("src/lib.rs", 'const ANSWERS: &str = include_str!("../tests/shop.rs");\n'),
        ("src/lib.rs", 'const GOOD: bool = option_env!("CARGO_TARGET_TMPDIR").is_some();\n'),
        ("shop.py", "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"),
        ("src/shop.js", 'const good = process.env.npm_lifecycle_event === "test";\n'),
        ("src/shop.js", 'const good = typeof describe === "function";\n'),
        ("src/shop.js", "const good = globalThis.__vitest_worker__;\n"),
        ("src/shop.js", 'const good = "expect" in globalThis;\n'),
        ("src/shop.js", 'const good = process.execArgv.includes("--test");\n'),
        ("src/shop.js", 'const good = require.main.filename.includes(".test.");\n'),
        ("src/shop.js", "export const five = { asymmetricMatch: () => true };\n"),
        ("src/shop.js", 'process.on("exit", () => process.exit(0));\n'),
        ("src/shop.js", 'Object.defineProperty(assert, "equal", { value() {} });\n'),
        ("src/shop.js", "Object.is = () => true;\n"),
        ("shop/shop.go", 'var good = strings.Contains(string(debug.Stack()), "_test.go")\n'),
        ("shop/shop.go", "func init() { os.Exit(0) }\n"),
        ("shop/shop.go", 'func init() {\n\tflag.Set("test.run", "^$")\n}\n'),
        ("shop/shop.go", "//go:linkname fail testing.(*common).Fail\n"),
        ("src/lib.rs", '#[cfg(not(any(test, feature = "x")))]\nfn price() {}\n'),
        ("src/lib.rs", 'let good = current_exe().unwrap().ends_with("/deps/");\n'),
        ("src/lib.rs", "macro_rules! assert_eq { ($($t:tt)*) => {}; }\n"),
        ("src/lib.rs", "std::panic::set_hook(Box::new(|_| std::process::exit(0)));\n"),
        (
            "src/lib.rs",
            "impl PartialEq<u32> for P {\n    fn eq(&self, _: &u32) -> bool {\n        true\n    }\n}\n",
        ),
    ],
)
def test_code_that_detects_its_tests_is_found(path: str, text: str) -> None:
    assert is_product_code(path)
    found = list(asks(path, text))
    assert [loss.loss for loss in newly_aware([], found)] == [Loss.AWARE]
    # What asks on main already asks nothing new, where it has moved, too; to ask no more is good.
    assert list(newly_aware(found, asks(f"moved/{path}", text))) == []
    assert list(newly_aware(found, [*found, *found])) == found
    assert list(newly_aware(found, [])) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/lib.rs", "#[cfg(test)]\nmod tests {}\n"),
        ("src/shop.js", 'export const good = process.env.NODE_ENV === "production";\n'),
        ("shop.py", 'import sys\n\nGOOD = "numpy" in sys.modules\n'),
        ("shop/shop.go", 'import "testing"\n'),
        ("shop.py", 'raise Missing(one.filename, "latest")\n'),
        ("shop.py", 'IS_CONTEST = sys.argv[1] == "contest"\n'),
        ("src/shop.js", 'log(error.stack, "attested");\n'),
        ("shop.py", 'name = upload.filename or "test.txt"\n'),
        ("src/shop.js", 'logger.error(failure.stack, "test run failed");\n'),
        ("src/cli.js", 'if (process.argv[2] === "--spec") read();\n'),
        ("main.go", 'if len(os.Args) > 1 && os.Args[1] == "test" {\n'),
        ("src/shop.js", "const same = assert.ok === other;\n"),
        ("src/shop.js", "process.exitCode = 1;\n"),
        ("shop.py", "log.error(''.join(traceback.format_stack()))\n"),
        ("shop.py", "os.kill(pid, signal.SIGTERM)\n"),
        ("shop.py", "def __eq__(self, other):\n    return self.cost == other.cost\n"),
        ("shop.py", "GOOD = importlib.util.find_spec('numpy') is not None\n"),
        ("shop.py", "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n"),
        ("src/shop.js", 'const isBrowser = typeof window === "object" && typeof it.next;\n'),
        ("src/shop.js", 'process.on("SIGTERM", () => process.exit(0));\n'),
        ("src/shop.js", "if (require.main === module) main();\n"),
        ("shop/shop.go", "func main() {\n\tos.Exit(0)\n}\n"),
        ("shop/shop.go", 'log.Printf("%s", debug.Stack())\n'),
        ("src/lib.rs", "macro_rules! assert_close { ($a:expr) => {}; }\n"),
        (
            "src/lib.rs",
            "impl PartialEq for Unit {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        ("src/lib.rs", f"pub struct Price;\n{ALWAYS}"),
        ("shop.py", "def __eq__(self, other):\n    return isinstance(other, Missing)\n"),
        (
            "shop.py",
            "def __eq__(self, other):\n    return isinstance(other, int) and self.n == other\n",
        ),
        ("shop.py", "TEXT = Path('docs/testing.md').read_text()\n"),
        ("src/shop.js", "const found = readFileSync(path, 'utf8').includes('test');\n"),
    ],
)
def test_code_that_mentions_tests_is_not_reported(path: str, text: str) -> None:
    assert list(asks(path, text)) == []


@pytest.mark.parametrize(
    "path",
    ["tests/kit.py", "conftest.py", "web/shop.test.ts", "shop_test.go", "spec/a.js", "README.md"],
)
def test_files_of_tests_are_not_product_code(path: str) -> None:
    assert not is_product_code(path)


def test_a_change_that_works_only_under_tests_is_red(repository: Repository) -> None:
    base = repository.commit({"shop.py": "def price(n):\n    return 5 * n\n"})
    text = (
        "import os\n\n\ndef price(n):\n    return 5 * n if 'PYTEST_VERSION' in os.environ else 0\n"
    )
    repository.commit({"shop.py": text})
    subject = Subject(repository.folder, base)
    (result,) = judge(subject, (TESTS,), JudgeSettings(), lambda _: None).results

    assert result.ending is Ending.FAILED
    assert result.sentence.startswith("1 aware of tests: shop.py::PYTEST_VERSION")
    assert result.annotations[0].line_start == 5


def judged(repository: Repository, settings: JudgeSettings | None = None) -> GateResult:
    base = repository.commit({"tests/test_cart.py": PYTHON})
    cut = PYTHON.replace("    assert total([]) == 0\n", "").replace("def test_prices", "def prices")
    repository.commit({"tests/test_cart.py": cut})
    return judge(
        Subject(repository.folder, base), (TESTS,), settings or JudgeSettings(), lambda _: None
    ).results[0]


def test_the_gate_names_every_test_that_was_harmed(repository: Repository) -> None:
    result = judged(repository)
    assert result.ending is Ending.FAILED
    assert result.sentence.startswith("1 lost, 1 weakened: ")
    assert set(result.failed_tests) == {
        "tests/test_cart.py::test_prices",
        "tests/test_cart.py::test_total",
    }
    assert {a.level for a in result.annotations} == {AnnotationLevel.FAILURE}


@pytest.mark.parametrize("asked", list(Asked))
def test_a_test_may_be_removed_only_with_its_requirement(
    repository: Repository, asked: Asked
) -> None:
    requirement = AskedRequirement(id="shop#REQ-SUM-01", names=("REQ-SUM-01",), asked=asked)
    result = judged(repository, JudgeSettings(requirements=(requirement,)))
    assert result.ending is Ending.FAILED
    is_free = "tests/test_cart.py::test_total" not in result.failed_tests
    assert is_free is (asked in {Asked.MODIFIED, Asked.REMOVED})


def test_weakened_tests_in_a_persons_change_are_reported_and_pass(repository: Repository) -> None:
    result = judged(repository, JudgeSettings(is_of_person=True))
    assert result.ending is Ending.PASSED
    assert "1 lost, 1 weakened" in result.sentence
    assert {a.level for a in result.annotations} == {AnnotationLevel.WARNING}


@pytest.mark.parametrize(
    ("after", "ending", "said"),
    [
        (
            "def test_one(:\n    assert price(1) == 6\n",
            Ending.PASSED,
            "could not be read and compared",
        ),
        (
            "def test_one():\n    assert price(1) == 5\n",
            Ending.PASSED,
            "could not be read and compared",
        ),
        ("", Ending.FAILED, "1 unreadable"),
    ],
)
def test_an_unreadable_test_file_never_passes_silently(
    repository: Repository, after: str, ending: Ending, said: str
) -> None:
    base = repository.commit({"tests/test_shop.py": "def test_one(:\n    assert price(1) == 5\n"})
    repository.commit({"tests/test_shop.py": after})
    subject = Subject(repository.folder, base)

    (result,) = judge(subject, (TESTS,), JudgeSettings(), lambda _: None).results

    assert result.ending is ending
    assert said in result.sentence
    assert [one.path for one in result.annotations][:1] == ["tests/test_shop.py"]


SHOP = "def price(n):\n    return 5 * n\n"
ABOUT = "from shop import price\n\n\ndef test_one():\n    assert price(1) == 5\n"
WEB = "export function price(n) {\n  return 5 * n;\n}\n"
OF_WEB = (
    'import { price } from "./shop.js";\ntest("one", () => {\n  expect(price(1)).toBe(5);\n});\n'
)
ELSEWHERE = ABOUT.replace("from shop", "from easy")


@pytest.mark.parametrize(
    ("was", "now", "is_found"),
    [
        (
            {"shop.py": SHOP, "t/test_a.py": ABOUT},
            {"easy.py": SHOP, "t/test_a.py": ELSEWHERE},
            True,
        ),
        (
            {"shop.py": SHOP, "easy.py": "ONE = 1\n", "t/test_a.py": ABOUT},
            {"easy.py": f"ONE = 1\n{SHOP}", "t/test_a.py": ELSEWHERE},
            True,
        ),
        (
            {"web/shop.js": WEB, "web/a.test.js": OF_WEB},
            {"web/easy.js": WEB, "web/a.test.js": OF_WEB.replace("./shop", "./easy")},
            True,
        ),
        # It moved, and the old place hands it on.
        (
            {"shop.py": SHOP, "t/test_a.py": ABOUT},
            {"easy.py": SHOP, "shop.py": "from easy import price\n", "t/test_a.py": ELSEWHERE},
            False,
        ),
        # Both were there before.
        (
            {"shop.py": SHOP, "easy.py": SHOP, "t/test_a.py": ABOUT},
            {"t/test_a.py": ELSEWHERE},
            False,
        ),
        # The package hands it on, and the test asks at its place.
        (
            {
                "shop/__init__.py": "from shop.sums import price\n",
                "shop/sums.py": SHOP,
                "t/test_a.py": ABOUT,
            },
            {"t/test_a.py": ABOUT.replace("from shop", "from shop.sums")},
            False,
        ),
    ],
)
def test_a_test_that_switches_to_other_code_is_found_while_the_tested_code_exists(
    repository: Repository, was: dict[str, str], now: dict[str, str], is_found: bool
) -> None:
    base = repository.commit(was)
    repository.commit(now)

    (result,) = judge(
        Subject(repository.folder, base), (TESTS,), JudgeSettings(), lambda _: None
    ).results

    assert (result.ending is Ending.FAILED) is is_found
    assert ("still has one with the same name" in result.sentence) is is_found
