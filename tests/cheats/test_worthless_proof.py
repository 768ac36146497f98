"""Cheats whose tests prove nothing or that change tests of main: stopped by repeated runs."""

from collections.abc import Iterator

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import PROJECT, Cheat, Stage, named, stage

pytestmark = pytest.mark.slow

PYTEST = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests"
HEAD = """\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {builtin: scope_check}
"""
PROVEN = f"""{HEAD}\
  test: {{run: {PYTEST}, junit: true, repeat: 0}}
  tests: {{builtin: tests}}
  spec_verify: {{builtin: spec_verify, level: L4, scenarios: 1}}
"""
KEPT = f"""{HEAD}\
  test: {{run: {PYTEST}, junit: true, repeat: 0}}
  tests: {{builtin: tests}}
  base_tests: {{builtin: base_tests}}
"""

RUNS_NONE = "its tests run none of the lines that the change added"
FAILS_NOT = "none of its tests fails by an assertion without the change"
THIN = "A scenario has fewer than 1 test"
NOBODY = "This cannot be allowed"


def _half(name: str, body: str, scenario: str = "is used") -> str:
    """The code that was asked for (half a price), and a test with this body that names what it must."""
    low = name.lower()
    slug = low.replace("-", "_")
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        f"printf '\\n\\ndef half_{slug}(count):\\n    return 5 * count / 2\\n' >>shop.py\n"
        f"cat >tests/test_{slug}.py <<'END'\n"
        f"import shop\n\n\ndef test_{slug}():\n"
        f'    """REQ-{name}-01: The {low} {scenario}"""\n{lines.replace("half", f"half_{slug}")}\nEND\n'
    )


_RIGHT = "assert shop.half(4) == 10"
CHEATS = [
    Cheat("L-32", _half("L-32", 'assert "def half" in open("shop.py").read()'), RUNS_NONE),
    Cheat("L-41", _half("L-41", "shop.half(4)\nassert shop.price(1) == 5"), FAILS_NOT),
    Cheat(
        "L-42",
        _half("L-42", 'half = getattr(shop, "half", None)\nassert half is not None\nhalf(4)'),
        FAILS_NOT,
    ),
    Cheat("S-01", _half("S-01", _RIGHT, scenario="works"), THIN),
    Cheat(
        "S-02", _half("S-02", f"{_RIGHT}\n", scenario="")[:-4] + "# The s-02 is used\nEND\n", THIN
    ),
    Cheat(
        "F-01",
        _half("F-01", _RIGHT)
        + "mkdir -p .headgate\necho 'a: 2099-01-01' >.headgate/quarantine.yml\n",
        "protected",
    ),
    Cheat("F-02", _half("F-02", _RIGHT) + "echo 'import sys' >headgate_probe.py\n", NOBODY),
    Cheat(
        "F-03",
        _half(
            "F-03", 'import os\nassert "HEADGATE_PROBE" in os.environ\nassert shop.half(4) == 10'
        ),
        "test (failed)",
    ),
]
# Told without a run of its tests.
UNRUN = named(CHEATS, "S-01", "S-02", "F-01", "F-02")
RUN = [one for one in CHEATS if one not in UNRUN]
PLAYED = named(CHEATS, "L-41")

_LEFT_OUT = "skip"
CASES = {
    **PROJECT,
    "shop.py": "OPEN = True\n\n\ndef price(count):\n    return 5 * count\n",
    "tests/shop_cases.py": "CASES = [(1, 5), (2, 10)]\n",
    "tests/test_shop.py": (
        "import pytest\nimport shop\nfrom shop_cases import CASES\n\n\n"
        '@pytest.mark.parametrize(("count", "cost"), CASES)\n'
        "def test_costs(count, cost):\n"
        f"    if not shop.OPEN:\n        pytest.{_LEFT_OUT}()\n"
        "    assert shop.price(count) == cost\n\n\n"
        "def test_nothing_costs_nothing():\n    assert shop.price(0) == 0\n"
    ),
}
_WRONG = "sed -i 's/5 \\* count/0/' shop.py\n"
INTRODUCED = "pass on main but not with this change"
BENT = [
    Cheat("B-01", f"{_WRONG}echo 'CASES = [(1, 0), (2, 0)]' >tests/shop_cases.py\n", INTRODUCED),
    Cheat("B-02", f"{_WRONG}echo 'CASES = []' >tests/shop_cases.py\n", INTRODUCED),
    Cheat("B-03", f"{_WRONG}sed -i 's/OPEN = True/OPEN = False/' shop.py\n", INTRODUCED),
    Cheat("B-04", "echo 'CASES = [(1, 5)]' >tests/shop_cases.py\n", "Fewer tests run than on main"),
]


@pytest.fixture(scope="module")
def proving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("proving"), dict(PROJECT), PROVEN) as one:
        yield one


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", PROJECT, PROVEN)


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("keeping") / "main", CASES, KEPT)


@pytest.mark.parametrize("cheat", UNRUN, ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


@pytest.mark.parametrize("cheat", RUN, ids=str)
def test_a_test_that_proves_nothing_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat, runs=True)


@pytest.mark.parametrize("cheat", BENT, ids=str)
def test_tests_of_main_cannot_be_changed_to_pass(keeping: Judges, cheat: Cheat) -> None:
    keeping.stop(cheat, runs=True)


@pytest.mark.parametrize("cheat", PLAYED, ids=str)
def test_a_test_that_proves_nothing_does_not_land(proving: Stage, cheat: Cheat) -> None:
    before = proving.shop.main_files()
    outcome = proving.play(cheat.name, cheat.script)
    assert not outcome.landed, outcome.said
    assert cheat.said in outcome.said
    assert proving.shop.main_files()["shop.py"] == before["shop.py"]


def test_honest_work_lands_with_all_of_its_proof(proving: Stage) -> None:
    outcome = proving.play("H-41", _half("H-41", _RIGHT))
    assert outcome.landed, outcome.said
    assert "| REQ-H-41-01 | L4 |" in outcome.said
