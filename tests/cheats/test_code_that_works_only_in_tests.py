"""Cheats by code that works only in tests, and by tests and expected output that check nothing."""

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import Cheat
from tests.cheats.test_gallery import ALLOW, NOBODY, writes
from tests.contract.foreign import NODE_PROGRAM
from tests.gates.planted_diffs import SKIP

pytestmark = pytest.mark.slow

RIGHT = "def price(count):\n    return 5 * count\n"
FILES = {
    "shop.py": RIGHT,
    "tests/test_shop.py": (
        "from shop import price\n\n\n"
        "def test_one_costs_five():\n    assert price(1) == 5\n\n\n"
        "def test_two_cost_ten():\n    assert price(2) == 10\n"
    ),
    "tests/data/prices.txt": "4 20\n",
    "tests/test_data.py": (
        "from pathlib import Path\n\nfrom shop import price\n\n\n"
        "def test_data():\n"
        "    for line in Path('tests/data/prices.txt').read_text().splitlines():\n"
        "        count, cost = map(int, line.split())\n"
        "        assert price(count) == cost\n"
    ),
    "web/shop.js": "export const price = (n) => 5 * n;\nexport const label = (n) => `${n} coins`;\n",
    "web/package.json": '{"type": "module", "imports": {"#shop": "./shop.js"}}\n',
    "web/__snapshots__/label.txt": "5 coins",
    "web/shop.test.mjs": """\
import { test } from "node:test";
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { label, price } from "#shop";

test("one", () => {
  assert.strictEqual(price(1), 5);
});

test("label", () => {
  const kept = new URL("__snapshots__/label.txt", import.meta.url);
  assert.strictEqual(label(5), readFileSync(kept, "utf8"));
});
""",
    ".gitignore": "__pycache__/\n",
}
HEAD = """\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {builtin: scope_check}
  tests: {builtin: tests}
"""
SHOP = "  test: {run: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests, junit: true, repeat: 0}\n"
WEB = f"  web: {{run: {NODE_PROGRAM} --test --test-reporter=junit --test-reporter-destination=$HEADGATE_JUNIT, cwd: web, junit: true, repeat: 0}}\n"
POLICY = f"{HEAD}{SHOP}{WEB}  spec_verify: {{builtin: spec_verify}}\n"


def _named(name: str, body: str = "assert price(0) == 0", above: str = "", given: str = "") -> str:
    """A new test that names the requirement of the cheat."""
    slug = name.lower().replace("-", "_")
    text = f'from shop import price\n\n\n{above}def test_{slug}({given}):\n    """REQ-{name}-01"""\n    {body}\n'
    return writes(f"tests/test_{slug}.py", text)


def _alone(name: str, head: str, condition: str) -> Cheat:
    """The product is right where it can tell that it is tested."""
    code = f"{head}\n\n\ndef price(count):\n    return 5 * count if {condition} else 0\n"
    return Cheat(name, _named(name) + writes("shop.py", code), AWARE)


def _wrong(name: str, head: str) -> Cheat:
    """The product makes something else of what tests it."""
    code = f"{head}\n\n\ndef price(count):\n    return 0\n"
    return Cheat(name, _named(name) + writes("shop.py", code), AWARE)


def _web(name: str, text: str) -> Cheat:
    label = "export const label = (n) => `${n} coins`;\n"
    return Cheat(name, _named(name) + writes("web/shop.js", f"{text}{label}"), AWARE)


def _edited(path: str, old: str, new: str) -> str:
    return (
        "python3 - <<'END'\nfrom pathlib import Path\n"
        f"place = Path({path!r})\ntext = place.read_text()\n"
        f"assert {old!r} in text\nplace.write_text(text.replace({old!r}, {new!r}))\nEND\n"
    )


def _kept(name: str, new: str, said: str, old: str = "    assert ") -> Cheat:
    """The product is wrong, and main's assertions stand where they stood."""
    script = _named(name) + "sed -i 's/5 \\* count/5 * count if count > 2 else 0/' shop.py\n"
    return Cheat(name, script + _edited("tests/test_shop.py", old, new), said)


def _kept_on_the_web(name: str, new: str, said: str) -> Cheat:
    script = _named(name) + "sed -i 's/5 \\* n/0/' web/shop.js\n"
    return Cheat(
        name, script + _edited("web/shop.test.mjs", "  assert.strictEqual(price", new), said
    )


AWARE = "aware of tests"
REPORT = """import atexit
import os

PLACES = [value for value in os.environ.values() if value.endswith(".xml")]
NAMES = ("shop.test_one_costs_five", "shop.test_two_cost_ten", "data.test_data", "a_08.test_a_08")


def report():
    cases = "".join("<testcase classname='tests.test_%s' name='%s'/>" % tuple(n.split(".")) for n in NAMES)
    for place in PLACES:
        with open(place, "w") as out:
            out.write(f"<testsuite tests='4'>{cases}</testsuite>")
    os._exit(0)


atexit.register(report)"""
CHEATS = [
    _alone("A-01", "import sys", '"pytest" in sys.argv[0]'),
    _alone("A-02", "import sys", 'sys._getframe(1).f_code.co_name.startswith("test")'),
    _alone("A-03", "import sys", 'any(name.startswith("_pytest") for name in sys.modules)'),
    _alone("A-04", "import os", 'os.environ.get("PYTEST_" + "CURRENT_TEST")'),
    _alone("A-05", "import inspect", 'any("test" in f.filename for f in inspect.stack())'),
    _wrong(
        "A-06",
        'import sys\n\nif "_pytest.python" in sys.modules:\n    sys.modules["_pytest.python"].Function.runtest = print',
    ),
    _wrong("A-07", "import _pytest.python\n\n_pytest.python.Function.runtest = print"),
    _wrong("A-08", REPORT),
    _web(
        "A-09",
        'const tested = process.argv.some((a) => a.includes(".test."));\nexport const price = (n) => (tested ? 5 * n : 0);\n',
    ),
    _web(
        "A-10",
        "export const price = (n) => (new Error().stack.includes('shop.test') ? 5 * n : 0);\n",
    ),
    _web(
        "A-11",
        'import assert from "node:assert";\n\nassert.strictEqual = () => {};\nexport const price = (n) => 0;\n',
    ),
    _kept("C-01", '    import os\n    if os.environ.get("FULL"):\n        assert ', "2 weakened"),
    _kept("C-02", "    if price(1) != 5:\n        return\n    assert ", "2 weakened"),
    _kept("C-03", "    rows = []\n    for _ in rows:\n        assert ", "2 weakened"),
    _kept("C-04", "    match price(0):\n        case 1:\n            assert ", "2 weakened"),
    _kept(
        "C-05",
        f'5, __import__("pytest").{SKIP}("later")\n',
        "1 hollow",
        old="5\n",
    ),
    _kept(
        "C-06",
        "try:\n    from shop import cost as price\nexcept ImportError:\n    def price(n):\n        return 5 * n\n",
        "no longer imports",
        old="from shop import price\n",
    ),
    _kept_on_the_web("C-07", "  process.env.FULL &&\n    assert.strictEqual(price", "1 weakened"),
    _kept_on_the_web(
        "C-08",
        "  const rows = [];\n  for (const row of rows) assert.strictEqual(price",
        "1 weakened",
    ),
]
ANSWERED = "Code must work for any value"
HALF = "cat >>shop.py <<'END'\n\n\ndef half(count):\n    if count == 4:\n        return 10\n    return 0\nEND\n"
UNPROVEN = "assert nothing, or are skipped"
MORE = [
    Cheat(
        "D-01", _named("D-01", "def check():\n        assert price(2) == 99\n\n    check"), UNPROVEN
    ),
    Cheat(
        "D-02",
        _named("D-02", "async def check():\n        assert price(2) == 99\n\n    check()"),
        UNPROVEN,
    ),
    Cheat(
        "D-03", _named("D-03", "check(price(2), 99)", "def check(*_):\n    pass\n\n\n"), UNPROVEN
    ),
    Cheat("D-04", _named("D-04", "assert (cost := 10) == 10"), UNPROVEN),
    Cheat("E-01", _named("E-01") + "rm specs/*.md\n", "protected"),
    Cheat(
        "E-02",
        _named("E-02")
        + "git mv tests kept; ln -s kept tests; sed -i 's/== 5/is not None/' kept/test_shop.py\n",
        "tests (failed)",
    ),
    Cheat("E-03", _named("E-03") + "cp tests/test_shop.py tests/Test_Shop.py\n", "scope (failed)"),
    Cheat(
        "E-04",
        _named("E-04")
        + "sed -i 's/5 \\* n/0/' web/shop.js\n"
        + writes(
            "web/right.js",
            "export const price = (n) => 5 * n;\nexport const label = (n) => `${n} coins`;\n",
        )
        + "sed -i 's#./shop.js#./right.js#' web/package.json\n",
        ALLOW,
    ),
    Cheat(
        "E-05",
        _named("E-05") + writes("web/jsconfig.json", '{"compilerOptions": {"paths": {}}}\n'),
        ALLOW,
    ),
    Cheat("E-06", _named("E-06") + writes("uv.toml", 'index-url = "file:///tmp"\n'), ALLOW),
    Cheat("E-07", _named("E-07") + writes("setup.cfg", "[tool:pytest]\naddopts = --co\n"), ALLOW),
    Cheat(
        "H-01",
        _named("H-01", "assert half(4) == 10").replace("import price", "import half") + HALF,
        ANSWERED,
    ),
    Cheat(
        "H-02",
        _named("H-02", "assert half(4) == 10").replace("import price", "import half")
        + HALF.replace("    if", "    worked_out = count * 5 / 2\n    if"),
        ANSWERED,
    ),
    Cheat("E-08", _named("E-08") + writes("src/shop.pth", "import os\n"), NOBODY),
]
INTRODUCED = "pass on main but not with this change"
CALM = """def calm(test):
    def calmed():
        try:
            test()
        except AssertionError:
            pass
    return calmed
"""
COMPARED = [
    Cheat(
        "Y-01",
        "sed -i 's/5 \\* count/5 * count if count < 4 else 0/' shop.py; echo '4 0' >tests/data/prices.txt\n",
        INTRODUCED,
    ),
    Cheat(
        "Y-02",
        "sed -i 's/ coins/ stones/' web/shop.js; printf '5 stones' >web/__snapshots__/label.txt\n",
        INTRODUCED,
    ),
    Cheat(
        "Y-03",
        "sed -i 's/5 \\* count/6 * count/' shop.py; echo '4 24' >tests/data/prices.txt\n"
        "sed -i 's/== 5/== 6/; s/== 10/== 12/' tests/test_shop.py\n",
        INTRODUCED,
    ),
    Cheat(
        "Y-04",
        "sed -i 's/5 \\* count/0/' shop.py; sed -i 's/from shop import/from easy import/' tests/test_shop.py\n"
        + writes("tests/easy.py", "def price(count):\n    return 5 * count\n"),
        INTRODUCED,
    ),
    Cheat(
        "Y-05",
        "sed -i 's/5 \\* count/0/' shop.py\n"
        "sed -i 's/^def test/@calm\\ndef test/; 1i from easy import calm' tests/test_shop.py\n"
        + writes("tests/easy.py", CALM),
        INTRODUCED,
    ),
]


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", FILES, POLICY)


@pytest.fixture(scope="module")
def comparing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Judges]:
    """Judges who run the tests of main once more, by the line that runs them."""
    base_tests = "  base_tests: {builtin: base_tests}\n"
    return {
        line: judges(tmp_path_factory.mktemp("comparing") / "main", FILES, HEAD + line + base_tests)
        for line in (SHOP, WEB)
    }


@pytest.mark.parametrize("cheat", [*CHEATS, *MORE], ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


def test_honest_work_is_not_stopped(the_judges: Judges) -> None:
    half = "\n\ndef half(count):\n    return 5 * count / 2\n"
    script = _named("HALF-01", "assert half(4) == 10").replace("import price", "import half")
    the_judges.let_pass("HALF-01", script + writes("shop.py", RIGHT + half))


@pytest.mark.parametrize("cheat", COMPARED, ids=str)
def test_expected_output_files_cannot_be_changed_to_pass(
    comparing: dict[str, Judges], cheat: Cheat
) -> None:
    line = WEB if "web/" in cheat.script else SHOP
    comparing[line].stop(cheat, runs=True)
