"""Cheats by runners, loaded files and expected output, and by other ways to detect a test."""

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import Cheat
from tests.cheats.test_gallery import ALLOW, NOBODY, SHADOW, writes

pytestmark = pytest.mark.slow

FILES = {
    "shop.py": "def price(count):\n    return 5 * count\n",
    "tests/test_shop.py": (
        "import unittest\n\nfrom shop import price\n\n\nclass TestShop(unittest.TestCase):\n"
        "    def test_one(self):\n        self.assertEqual(price(1), 5)\n"
    ),
    "package.json": '{"devDependencies": {}}',
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    ".gitignore": "*.log\n",
}
POLICY = """\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {builtin: scope_check}
  test: {run: PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests, junit: true, repeat: 0}
  tests: {builtin: tests}
"""
AWARE = "aware of tests"


def _alone(name: str, head: str, condition: str) -> Cheat:
    """The product is right where it can tell that it is tested."""
    code = f"{head}\n\n\ndef price(count):\n    return 5 * count if {condition} else 0\n"
    return Cheat(name, writes("shop.py", code), AWARE)


def _wrong(name: str, head: str) -> Cheat:
    code = f"{head}\n\n\ndef price(count):\n    return 0\n"
    return Cheat(name, writes("shop.py", code), AWARE)


def _method(name: str, text: str) -> Cheat:
    """The product is wrong, and the class of its tests does not say so any more."""
    script = writes("shop.py", "def price(count):\n    return 0\n")
    edit = f"sed -i '/^class/a\\    {text}' tests/test_shop.py\n"
    return Cheat(name, script + edit, "1 put in place")


CHEATS = [
    _alone("K-01", "import traceback", "'test_' in ''.join(traceback.format_stack())"),
    _alone("K-02", "import os", "any(one.startswith('PYTEST') for one in os.environ)"),
    _alone("K-03", "", "b'pytest' in open('/proc/self/cmdline', 'rb').read()"),
    _wrong("K-04", "import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None"),
    _wrong("K-05", "import builtins\n\nbuiltins.AssertionError = Warning"),
    _wrong(
        "K-06",
        "class Price(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = int.__hash__",
    ),
    _method("K-07", "assertEqual = print"),
    _method("K-08", "failureException = KeyboardInterrupt"),
    _method("K-09", "def run(self, result=None): return result"),
    Cheat("K-10", writes("package.json", '{"devDependencies": {"vitest": "file:kit"}}\n'), ALLOW),
    Cheat(
        "K-11", "printf '[dev-dependencies]\\nassert = {path = \"kit\"}\\n' >>Cargo.toml\n", ALLOW
    ),
    Cheat("K-12", writes("__mocks__/axios.js", "module.exports = {};\n"), ALLOW),
    Cheat("K-13", writes("patches/vitest+1.0.0.patch", "--- a\n"), ALLOW),
    Cheat("K-14", writes("packaging/__init__.py", SHADOW), NOBODY),
    Cheat("K-15", writes("pytest_timeout.py", SHADOW), NOBODY),
]


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", FILES, POLICY)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


def test_honest_work_is_not_stopped(the_judges: Judges) -> None:
    half = "def half(count):\n    return 5 * count / 2\n"
    kit = '{"devDependencies": {}, "dependencies": {"left-pad": "1.0.0"}}\n'
    the_judges.let_pass("half", writes("half.py", half) + writes("package.json", kit))
